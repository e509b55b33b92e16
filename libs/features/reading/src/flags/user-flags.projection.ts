import { memoized, type Ranges } from '#kernel';
import type { ReactionAdded } from '#messages';
import { type CollectionSchema, type Key, projection } from '#read-store';
import type { FlagsChanged } from './flags.events.js';
import { chunkOf, IdChunk } from './id-chunk.js';

/**
 * The sets in which a user's explicit flags are stored. Flags are derived from the message and its delivery; only the
 * user's deviations are stored. `unread` holds messages that count as read by default, or were read, and that the user
 * marked as unread. `historical` holds undelivered messages that came into the user's history by a flag or a reaction.
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
  /** Additions to and removals from sets. */
  readonly sets: readonly { readonly set: FlagSet; readonly present: boolean; readonly ids: Ranges }[];
}

function changeOf(event: Handled): Change {
  const { userId } = event.data;
  if (event.type === 'reaction.added.v1') {
    const { messageId, historical } = event.data;
    return { userId, sets: historical === true ? [historicalSet([[messageId, messageId]])] : [] };
  }
  const { ids, op, flag, historical } = event.data;
  const present = op === 'add';
  const flagged = { set: flag, present, ids };
  const sets = flag === 'read' ? [flagged, { set: 'unread' as const, present: !present, ids }] : [flagged];
  return { userId, sets: historical === undefined ? sets : [...sets, historicalSet(historical)] };
}

function historicalSet(ids: Ranges): Change['sets'][number] {
  return { set: 'historical', present: true, ids };
}

/** The ranges that touch a chunk, by chunk: an event with thousands of ranges changes hundreds of chunks. */
const rangesByChunk = memoized((ids: Ranges): ReadonlyMap<number, Ranges> => {
  const found = new Map<number, Ranges[number][]>();
  for (const range of ids) {
    const [first, last] = range;
    for (let chunk = chunkOf(first); chunk <= chunkOf(last); chunk++) {
      const others = found.get(chunk);
      if (others === undefined) found.set(chunk, [range]);
      else others.push(range);
    }
  }
  return found;
});

/** Users' explicit flags of messages. Costs bytes for what users do, and nothing for what they receive. */
export const userFlagsProjection = projection<FlagChunkDocument, Handled>(userFlagsCollection, {
  'flags.changed.v1': {
    keys: (event) => keysOf(changeOf(event)),
    evolve: (doc, event, key) => changed(doc, changeOf(event), key),
  },
  'reaction.added.v1': {
    keys: (event) => keysOf(changeOf(event)),
    evolve: (doc, event, key) => changed(doc, changeOf(event), key),
  },
});

function keysOf({ userId, sets }: Change): readonly string[] {
  return sets.flatMap(({ set, ids }) =>
    Array.from(rangesByChunk(ids).keys(), (chunk) => flagChunkKey(userId, set, chunk)),
  );
}

function changed(
  doc: FlagChunkDocument | undefined,
  { userId, sets }: Change,
  key: Key,
): FlagChunkDocument | undefined {
  const [, name, chunkText] = String(key).split(':');
  const change = sets.find(({ set }) => set === name);
  if (change === undefined) throw new Error(`The change of flags does not touch ${key}.`);
  const { set, present, ids: changedIds } = change;
  // Most messages that are marked as read were never in `unread`: there is nothing to remove.
  if (doc === undefined && !present) return undefined;
  const chunk = new IdChunk(Number(chunkText), doc?.ids);
  for (const [first, last] of rangesByChunk(changedIds).get(chunk.chunk) ?? []) chunk.set(first, last, present);
  const ids = chunk.encode();
  return ids === undefined ? undefined : { userId, set, chunk: chunk.chunk, ids };
}
