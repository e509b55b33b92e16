import { nextSlice } from '#kernel';
import { where, type Collection } from '#read-store';
import { chunkOf, IdChunk } from './id-chunk.js';
import { flagChunkKey, type FlagChunkDocument, type FlagSet } from './user-flags.projection.js';
import type { PersonalFlags } from './message-flags.js';

const ALL_SETS: readonly FlagSet[] = ['read', 'unread', 'starred', 'collapsed', 'historical'];

/** Users per read; each has a few keys. */
const USERS_PER_LOOK = 200;
/** A few milliseconds of work, however many IDs they hold. */
const CHUNKS_PER_TURN = 8;
/** Maximum chunks to read: more than any server has messages for. */
const CHUNKS_MAX = 100_000;

/** Some chunks of a user's flag sets, in memory. */
export class FlagLookup {
  readonly #chunks = new Map<string, IdChunk>();

  constructor(
    private readonly userId: number,
    docs: Iterable<FlagChunkDocument>,
  ) {
    for (const { userId, set, chunk, ids } of docs)
      this.#chunks.set(flagChunkKey(userId, set, chunk), new IdChunk(chunk, ids));
  }

  has(set: FlagSet, messageId: number): boolean {
    return this.#chunks.get(flagChunkKey(this.userId, set, chunkOf(messageId)))?.has(messageId) ?? false;
  }

  of(messageId: number): PersonalFlags {
    return {
      read: this.has('read', messageId),
      unread: this.has('unread', messageId),
      starred: this.has('starred', messageId),
      collapsed: this.has('collapsed', messageId),
      historical: this.has('historical', messageId),
    };
  }
}

/** Reads users' explicit flags (see `FlagSet`). */
export class FlagsReader {
  constructor(private readonly flags: Collection<FlagChunkDocument>) {}

  /** The user's flags of these messages. */
  async load(userId: number, messageIds: Iterable<number>, sets = ALL_SETS): Promise<FlagLookup> {
    const chunks = new Set<number>();
    for (const id of messageIds) chunks.add(chunkOf(id));
    const keys = sets.flatMap((set) => [...chunks].map((chunk) => flagChunkKey(userId, set, chunk)));
    const found = keys.length === 0 ? new Map<string, FlagChunkDocument>() : await this.flags.getMany(keys);
    return new FlagLookup(userId, found.values());
  }

  /** These users' flags of one message. */
  async ofMessage(messageId: number, userIds: readonly number[]): Promise<(userId: number) => PersonalFlags> {
    const chunk = chunkOf(messageId);
    const docs = new Map<number, FlagChunkDocument[]>();
    for (let from = 0; from < userIds.length; from += USERS_PER_LOOK) {
      if (from > 0) await nextSlice();
      const page = userIds.slice(from, from + USERS_PER_LOOK);
      const keys = page.flatMap((userId) => ALL_SETS.map((set) => flagChunkKey(userId, set, chunk)));
      for (const doc of (await this.flags.getMany(keys)).values())
        docs.set(doc.userId, [...(docs.get(doc.userId) ?? []), doc]);
    }
    return (userId) => new FlagLookup(userId, docs.get(userId) ?? []).of(messageId);
  }

  /** All members of one of the user's sets, ascending. */
  async all(userId: number, set: FlagSet): Promise<number[]> {
    const ids: number[] = [];
    for (const [index, chunk] of (await this.#chunks(userId, set)).entries()) {
      if (index > 0 && index % CHUNKS_PER_TURN === 0) await nextSlice();
      for (const id of chunk.ids()) ids.push(id);
    }
    return ids;
  }

  /** At least the newest members of one of the user's sets, up to this many, and all when there are no more; newest first. */
  async newest(userId: number, set: FlagSet, count: number): Promise<number[]> {
    const ids: number[] = [];
    for (let below = Number.MAX_SAFE_INTEGER; ids.length < count;) {
      const page = await this.flags.find({
        where: where.and(where.eq('userId', userId), where.eq('set', set), where.range('chunk', { lt: below })),
        sort: [{ field: 'chunk', direction: 'descending' }],
        limit: CHUNKS_PER_TURN,
      });
      for (const { doc } of page) for (const id of new IdChunk(doc.chunk, doc.ids).ids().reverse()) ids.push(id);
      const last = page.at(-1);
      if (last === undefined || page.length < CHUNKS_PER_TURN) break;
      below = last.doc.chunk;
      await nextSlice();
    }
    return ids;
  }

  /** Last message up to which the user marked all as read; 0 when they did not mark the first. */
  async readThrough(userId: number): Promise<number> {
    let through = 0;
    for (const chunk of await this.#chunks(userId, 'read')) {
      const end = chunk.runFrom(through + 1);
      if (end === through) break;
      through = end;
    }
    return through;
  }

  /** The chunks of one of the user's sets, from that of this message on, by number. */
  async chunksFrom(userId: number, set: FlagSet, messageId: number): Promise<ReadonlyMap<number, IdChunk>> {
    const chunks = await this.#chunks(userId, set, chunkOf(messageId));
    return new Map(chunks.map((chunk) => [chunk.chunk, chunk]));
  }

  async #chunks(userId: number, set: FlagSet, from = 0): Promise<IdChunk[]> {
    const chunks = await this.flags.find({
      where: where.and(where.eq('userId', userId), where.eq('set', set), where.range('chunk', { gte: from })),
      sort: [{ field: 'chunk', direction: 'ascending' }],
      limit: CHUNKS_MAX,
    });
    return chunks.map(({ doc }) => new IdChunk(doc.chunk, doc.ids));
  }
}
