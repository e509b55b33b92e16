import { Injectable } from '@nestjs/common';
import { nextSlice } from '#kernel';
import { MessagesReader, PAGE_MAX } from '#messages';
import type { User } from '#users/model';
import { FlagsReader } from '../flags/flags.reader.js';
import { ViewerMessages } from '../viewer/viewer-messages.js';

/** `starred_messages` of the register response. */
@Injectable()
export class StarredMessages {
  constructor(
    private readonly flags: FlagsReader,
    private readonly messages: MessagesReader,
    private readonly seen: ViewerMessages,
  ) {}

  async find(viewer: User): Promise<FoundStarred> {
    const starred = await this.flags.all(viewer.userId, 'starred');
    return { starred, readable: await this.#readable(viewer, starred) };
  }

  /** Updates an earlier result: these messages have changed since it was found. Neither flags nor access may have changed. */
  async update(viewer: User, found: FoundStarred, changed: ReadonlySet<number>): Promise<FoundStarred> {
    const again = changed.size === 0 ? [] : found.starred.filter((id) => changed.has(id));
    if (again.length === 0) return found;
    const others = found.readable.filter((id) => !changed.has(id));
    const readable = [...others, ...(await this.#readable(viewer, again))].sort((a, b) => a - b);
    return { starred: found.starred, readable };
  }

  async #readable(viewer: User, ids: readonly number[]): Promise<number[]> {
    const readable: number[] = [];
    for (let from = 0; from < ids.length; from += PAGE_MAX) {
      const page = ids.slice(from, from + PAGE_MAX);
      const docs = await this.messages.getManyLean(page);
      for (const id of page) {
        const doc = docs.get(id);
        if (doc !== undefined && this.seen.isReadable(viewer, id, doc)) readable.push(id);
      }
      if (from + PAGE_MAX < ids.length) await nextSlice();
    }
    return readable;
  }
}

/** IDs, ascending. */
export interface FoundStarred {
  /** All that the user starred. */
  readonly starred: readonly number[];
  /** Starred messages that the user may read. */
  readonly readable: readonly number[];
}
