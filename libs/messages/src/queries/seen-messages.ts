import { Injectable } from '@nestjs/common';
import { Directory, type User } from '#organization';
import { located, mayReadMessage } from '../message.access.js';
import type { MessageDocument } from '../projections/message.document.js';
import { FlagsReader } from './flags.reader.js';
import { flagsOf, seenBy, type Seen } from './message-flags.js';
import type { MessageRow } from './messages.reader.js';

/** A message that the viewer may read, and what they have with it. */
export interface SeenMessage extends Seen, MessageRow {
  /** As on the wire. */
  readonly flags: readonly string[];
}

/** Messages as one user has them: the door to reading more than one at a time. */
@Injectable()
export class SeenMessages {
  constructor(
    private readonly directory: Directory,
    private readonly flags: FlagsReader,
  ) {}

  /** Those that the viewer may read, in the order given, with their flags. */
  of(viewer: User, rows: readonly MessageRow[]): Promise<SeenMessage[]> {
    return this.unchecked(
      viewer.userId,
      rows.filter(({ id, doc }) => this.isReadable(viewer, id, doc)),
    );
  }

  isReadable(viewer: User, id: number, doc: MessageDocument): boolean {
    return mayReadMessage(this.directory, viewer, located(id, doc));
  }

  /** What a user has with these messages. Nobody has asked yet whether they may read them now. */
  async unchecked(userId: number, rows: readonly MessageRow[]): Promise<SeenMessage[]> {
    const lookup = await this.flags.load(
      userId,
      rows.map(({ id }) => id),
    );
    return rows.map(({ id, doc }) => {
      const seen = seenBy(this.directory, userId, id, doc, lookup.of(id));
      return { id, doc, ...seen, flags: flagsOf(doc, seen) };
    });
  }
}
