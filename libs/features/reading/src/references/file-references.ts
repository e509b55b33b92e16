import { Injectable } from '@nestjs/common';
import { located, mayReadMessage, MessagesReader } from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import { where } from '#read-store';

/** A message that refers to a file. */
export interface ReferringMessage {
  readonly messageId: number;
  /** When it was sent, in seconds since the epoch. */
  readonly sentAt: number;
}

/** Messages examined for one that the viewer may read. Each read costs a few milliseconds. */
const EXAMINED_MAX = 1_000;
/** Messages listed for some files together: a file that everybody quotes has more. */
const LISTED_MAX = 1_000;

/** Messages that refer to uploaded files, with the right to open them for their readers. */
@Injectable()
export class FileReferences {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
  ) {}

  /** Whether the viewer may read a message that refers to the file. */
  async isReadable(viewer: User, fileId: number): Promise<boolean> {
    let examined = 0;
    for await (const { id, doc } of this.reader.walk(where.contains('files', fileId), 'descending')) {
      if (mayReadMessage(this.directory, viewer, located(id, doc))) return true;
      if (++examined === EXAMINED_MAX) return false;
    }
    return false;
  }

  /** The first messages that refer to each of these files, by ID of the file; some `LISTED_MAX` of all. */
  async of(fileIds: readonly number[]): Promise<ReadonlyMap<number, readonly ReferringMessage[]>> {
    const found = new Map<number, ReferringMessage[]>(fileIds.map((fileId) => [fileId, []]));
    const ids = await this.#referringToAny(fileIds);
    for (const [messageId, { files = [], at }] of await this.reader.getManyLean(ids))
      for (const fileId of files) found.get(fileId)?.push({ messageId, sentAt: at });
    return found;
  }

  async #referringToAny(fileIds: readonly number[]): Promise<readonly number[]> {
    if (fileIds.length === 0) return [];
    const any = where.or(...fileIds.map((fileId) => where.contains('files', fileId)));
    const ids = await this.reader.findIds(any, 'ascending', LISTED_MAX);
    if (ids.length < LISTED_MAX || fileIds.length === 1) return ids;
    // The messages of a file that everybody quotes would leave no room for those of other files: each file gets its share.
    const shared = new Set<number>();
    const share = Math.max(1, Math.floor(LISTED_MAX / fileIds.length));
    for (const fileId of fileIds)
      for (const id of await this.reader.findIds(where.contains('files', fileId), 'ascending', share)) shared.add(id);
    return [...shared].sort((a, b) => a - b);
  }

  /** Those of these files to which no message refers. */
  async unreferenced(fileIds: readonly number[]): Promise<readonly number[]> {
    const left: number[] = [];
    for (const fileId of fileIds) {
      const [any] = await this.reader.findIds(where.contains('files', fileId), 'ascending', 1);
      if (any === undefined) left.push(fileId);
    }
    return left;
  }
}
