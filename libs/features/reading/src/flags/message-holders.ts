import { where, type Collection } from '#read-store';
import { chunkOf, IdChunk } from './id-chunk.js';
import type { FlagChunkDocument, FlagSet } from './user-flags.projection.js';

/** The sets that put a message into a user's history without delivery. */
const HOLDING: readonly FlagSet[] = ['historical', 'unread', 'starred', 'collapsed'];
/**
 * Maximum users who hold messages in a range of 8192: the rest are not told of changes to messages that they only hold.
 */
const HOLDERS_MAX = 10_000;
/** Maximum chunks examined per event; messages that were deleted together are rarely further apart. */
const CHUNKS_MAX = 64;

/** Finds users who put undelivered messages into their history, by message. */
export class MessageHolders {
  constructor(private readonly flags: Collection<FlagChunkDocument>) {}

  /** User IDs by message ID; messages without holders are left out. */
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
