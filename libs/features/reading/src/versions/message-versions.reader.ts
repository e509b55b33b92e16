import type { MessageDocument, MessageRow } from '#messages';
import type { Directory } from '#people';
import type { Collection } from '#read-store';
import type { MessageVersion, MessageVersionsDocument } from './message-versions.projection.js';

/** Maximum messages per read: each has up to 256 kB of versions. */
const LOOKED_UP_MAX = 8;

/** Reads earlier versions of messages. Does not check access (`knownHistory` does). */
export class MessageVersionsReader {
  constructor(private readonly versions: Collection<MessageVersionsDocument>) {}

  /** Newest first. */
  async of(messageId: number): Promise<readonly MessageVersion[]> {
    return (await this.versions.get(messageId))?.versions ?? [];
  }

  /** Versions of the messages that show any, by message ID, page by page as they are consumed. */
  async ofMany(
    { settings }: Pick<Directory, 'settings'>,
    rows: readonly MessageRow[],
  ): Promise<ReadonlyMap<number, readonly MessageVersion[]>> {
    const found = new Map<number, readonly MessageVersion[]>();
    if (settings.message_edit_history_visibility_policy !== 'all') return found;
    const ids = rows.filter(({ doc }) => hasVersions(doc)).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += LOOKED_UP_MAX) {
      const page = await this.versions.getMany(ids.slice(from, from + LOOKED_UP_MAX));
      for (const [id, { versions }] of page) found.set(id as number, versions);
    }
    return found;
  }
}

function hasVersions({ lastEditAt }: MessageDocument): boolean {
  return lastEditAt !== undefined;
}
