import type { CollectionSchema, Projection, Touch } from '#read-store';
import type { FlagsChanged } from '../messages.events.js';
import { chunkOf, IdChunk } from './id-chunk.js';

/**
 * The sets that a user's flags are kept in. Flags follow from the message and from who received it; what is kept is where
 * the user said otherwise. `unread` holds messages that would be read by themselves, or were, and that the user marked
 * as unread.
 */
export type FlagSet = 'read' | 'unread' | 'starred' | 'collapsed';

/** A chunk of one set of one user; its key is `flagChunkKey`. */
export interface FlagChunkDocument {
  userId: number;
  set: FlagSet;
  chunk: number;
  /** See `IdChunk`. */
  ids: string;
}

export const userFlagsCollection = {
  name: 'user_flags',
  key: 'text',
  fields: { userId: 'integer', set: 'text', chunk: 'integer' },
  indexes: [['userId', 'set', 'chunk']],
} as const satisfies CollectionSchema;

export function flagChunkKey(userId: number, set: FlagSet, chunk: number): string {
  return `${userId}:${set}:${chunk}`;
}

/** Which sets a change adds to and removes from. */
function changesOf({ op, flag }: FlagsChanged['data']): readonly (readonly [set: FlagSet, present: boolean])[] {
  const adds = op === 'add';
  if (flag !== 'read') return [[flag, adds]];
  return [
    ['read', adds],
    ['unread', !adds],
  ];
}

/** What users made of their messages' flags. Costs bytes for what users do, and nothing for what they receive. */
export const userFlagsProjection: Projection<FlagChunkDocument> = {
  collection: userFlagsCollection,
  handles: new Set<FlagsChanged['type']>(['flags.changed.v1']),

  keys(event) {
    const { userId, ids, ...data } = event.data as FlagsChanged['data'];
    const chunks = new Set<number>();
    for (const [first, last] of ids)
      for (let chunk = chunkOf(first); chunk <= chunkOf(last); chunk++) chunks.add(chunk);
    return changesOf({ userId, ids, ...data }).flatMap(([set]) =>
      [...chunks].map((chunk): Touch => ({ key: flagChunkKey(userId, set, chunk) })),
    );
  },

  evolve(doc, event, key) {
    const data = event.data as FlagsChanged['data'];
    const [, set, chunkText] = String(key).split(':');
    const change = changesOf(data).find(([name]) => name === set);
    if (change === undefined) throw new Error(`The flags at position ${event.position} do not touch ${key}.`);
    const [name, present] = change;
    // Most of what is marked as read never was in `unread`: nothing to take out of nothing.
    if (doc === undefined && !present) return undefined;
    const chunk = new IdChunk(Number(chunkText), doc?.ids);
    for (const [first, last] of data.ids) chunk.set(first, last, present);
    const ids = chunk.encode();
    return ids === undefined ? undefined : { userId: data.userId, set: name, chunk: chunk.chunk, ids };
  },
};
