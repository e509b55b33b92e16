import type { Ranges } from '#kernel';
import type { CollectionSchema, Projection, Touch } from '#read-store';
import type { FlagsChanged, ReactionAdded } from '../messages.events.js';
import { chunkOf, IdChunk } from './id-chunk.js';

/**
 * The sets that a user's flags are kept in. Flags follow from the message and from who received it; what is kept is where
 * the user said otherwise. `unread` holds messages that would be read by themselves, or were, and that the user marked
 * as unread. `historical` holds what was never delivered to the user and came into their history when they flagged it or
 * reacted to it.
 */
export type FlagSet = 'read' | 'unread' | 'starred' | 'collapsed' | 'historical';

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
  indexes: [
    ['userId', 'set', 'chunk'],
    ['set', 'chunk'],
  ],
} as const satisfies CollectionSchema;

export function flagChunkKey(userId: number, set: FlagSet, chunk: number): string {
  return `${userId}:${set}:${chunk}`;
}

type Handled = FlagsChanged | ReactionAdded;

interface Change {
  readonly userId: number;
  /** What is added to sets, and removed from them. */
  readonly sets: readonly { readonly set: FlagSet; readonly present: boolean; readonly ids: Ranges }[];
}

function changeOf(fact: Handled): Change {
  const { userId } = fact.data;
  if (fact.type === 'reaction.added.v1') {
    const { messageId, historical } = fact.data;
    return { userId, sets: historical === true ? [historicalSet([[messageId, messageId]])] : [] };
  }
  const { ids, op, flag, historical } = fact.data;
  const present = op === 'add';
  const flagged = { set: flag, present, ids };
  const sets = flag === 'read' ? [flagged, { set: 'unread' as const, present: !present, ids }] : [flagged];
  return { userId, sets: historical === undefined ? sets : [...sets, historicalSet(historical)] };
}

function historicalSet(ids: Ranges): Change['sets'][number] {
  return { set: 'historical', present: true, ids };
}

function* chunksOf(ids: Ranges): Generator<number, void, void> {
  let next = -1;
  for (const [first, last] of ids) {
    for (let chunk = Math.max(chunkOf(first), next); chunk <= chunkOf(last); chunk++) {
      yield chunk;
      next = chunk + 1;
    }
  }
}

/** What users made of their messages' flags. Costs bytes for what users do, and nothing for what they receive. */
export const userFlagsProjection: Projection<FlagChunkDocument> = {
  collection: userFlagsCollection,
  handles: new Set<Handled['type']>(['flags.changed.v1', 'reaction.added.v1']),

  keys(event) {
    const { userId, sets } = changeOf(event as unknown as Handled);
    return sets.flatMap(({ set, ids }) =>
      Array.from(chunksOf(ids), (chunk): Touch => ({ key: flagChunkKey(userId, set, chunk) })),
    );
  },

  evolve(doc, event, key) {
    const { userId, sets } = changeOf(event as unknown as Handled);
    const [, name, chunkText] = String(key).split(':');
    const change = sets.find(({ set }) => set === name);
    if (change === undefined) throw new Error(`The flags at position ${event.position} do not touch ${key}.`);
    const { set, present, ids: changed } = change;
    // Most of what is marked as read never was in `unread`: nothing to take out of nothing.
    if (doc === undefined && !present) return undefined;
    const chunk = new IdChunk(Number(chunkText), doc?.ids);
    for (const [first, last] of changed) chunk.set(first, last, present);
    const ids = chunk.encode();
    return ids === undefined ? undefined : { userId, set, chunk: chunk.chunk, ids };
  },
};
