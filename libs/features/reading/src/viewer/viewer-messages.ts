import { Injectable } from '@nestjs/common';
import { nextSlice } from '#kernel';
import { located, mayReadMessage, type MessageDocument, type MessageRow, type OwnHistory } from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import { FlagsReader } from '../flags/flags.reader.js';
import { flagsOf, isOwn, seenBy, type Seen } from '../flags/message-flags.js';

/** A message that the viewer may read, with their flags. */
export interface ViewerMessage extends Seen, MessageRow {
  /** In wire format. */
  readonly flags: readonly string[];
}

/** A few milliseconds of work, even when each is in another chunk of flags. */
const ROWS_PER_TURN = 250;

/** Messages as one user sees them: the access check for reading several. */
@Injectable()
export class ViewerMessages implements OwnHistory {
  constructor(
    private readonly directory: Directory,
    private readonly flags: FlagsReader,
  ) {}

  /** The messages that the viewer may read, in the given order, with their flags. */
  of(viewer: User, rows: readonly MessageRow[]): Promise<ViewerMessage[]> {
    return this.unchecked(
      viewer.userId,
      rows.filter(({ id, doc }) => this.isReadable(viewer, id, doc)),
    );
  }

  isReadable(viewer: User, id: number, doc: MessageDocument): boolean {
    return mayReadMessage(this.directory, viewer, located(id, doc));
  }

  async has(userId: number, message: MessageRow): Promise<boolean> {
    return (await this.unchecked(userId, [message])).some(isOwn);
  }

  /** The user's flags of these messages, without an access check. */
  async unchecked(userId: number, rows: readonly MessageRow[]): Promise<ViewerMessage[]> {
    const messages: ViewerMessage[] = [];
    for (let from = 0; from < rows.length; from += ROWS_PER_TURN) {
      if (from > 0) await nextSlice();
      const part = rows.slice(from, from + ROWS_PER_TURN);
      const lookup = await this.flags.load(
        userId,
        part.map(({ id }) => id),
      );
      for (const { id, doc } of part) {
        const seen = seenBy(this.directory, userId, id, doc, lookup.of(id));
        messages.push({ id, doc, ...seen, flags: flagsOf(doc, seen) });
      }
    }
    return messages;
  }
}
