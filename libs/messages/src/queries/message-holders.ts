import { where, type Collection } from '#read-store';
import { chunkOf, IdChunk } from '../projections/id-chunk.js';
import type { FlagChunkDocument, FlagSet } from '../projections/user-flags.projection.js';

/** The sets that put a message into a user's history, whoever it was delivered to. */
const HOLDING: readonly FlagSet[] = ['historical', 'unread', 'starred', 'collapsed'];
/** Users who hold something among 8192 messages: more than that many are not told of changes to what they only hold. */
const HOLDERS_MAX = 10_000;
/** So many parts of the log are looked at for one fact; messages that were deleted together seldom lie further apart. */
const CHUNKS_MAX = 64;

/** Who put messages into their history that were never delivered to them, by the messages. */
export class MessageHolders {
  constructor(private readonly flags: Collection<FlagChunkDocument>) {}

  /** User IDs by message ID; messages that nobody holds are left out. */
  async of(messageIds: readonly number[]): Promise<Map<number, Set<number>>> {
    const holders = new Map<number, Set<number>>();
    const byChunk = new Map<number, number[]>();
    for (const id of messageIds) byChunk.set(chunkOf(id), [...(byChunk.get(chunkOf(id)) ?? []), id]);
    for (const [chunk, ids] of [...byChunk].slice(0, CHUNKS_MAX)) {
      const found = await this.flags.find({
        where: where.and(where.in('set', HOLDING), where.eq('chunk', chunk)),
        limit: HOLDERS_MAX,
      });
      for (const { doc } of found) {
        const held = new IdChunk(doc.chunk, doc.ids);
        for (const id of ids) if (held.has(id)) addTo(holders, id, doc.userId);
      }
    }
    return holders;
  }
}

function addTo(holders: Map<number, Set<number>>, messageId: number, userId: number): void {
  const users = holders.get(messageId);
  if (users === undefined) holders.set(messageId, new Set([userId]));
  else users.add(userId);
}
