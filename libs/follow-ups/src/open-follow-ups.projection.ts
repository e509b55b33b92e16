import type { CollectionSchema, Projection } from '#read-store';
import { causeKey } from './cause.js';
import type { FollowUpDone } from './follow-up.events.js';

/** What a fact entails and nobody has said to be done. Its key is the cause's. */
export interface OpenFollowUpDocument {
  /** Type of the fact that entails it. */
  type: string;
  stream: string;
  revision: number;
  position: number;
  /** When the fact was recorded, in seconds since the epoch. */
  since: number;
}

export const openFollowUpsCollection = {
  name: 'open_follow_ups',
  key: 'text',
  fields: { position: 'integer' },
  indexes: [['position']],
} as const satisfies CollectionSchema;

/**
 * The list of what is still to be done: a fact that entails something opens an entry, the fact that it has been done closes
 * it. Empty nearly always. A cause is closed once, so what is done twice leaves nothing behind.
 * @param causes types of the facts that may entail something; those of them that do have a field `entails`
 */
export function openFollowUpsProjection(causes: readonly string[]): Projection<OpenFollowUpDocument> {
  return {
    collection: openFollowUpsCollection,
    handles: new Set([...causes, 'follow-up.done.v1' satisfies FollowUpDone['type']]),
    keys({ type, data, stream, revision }) {
      if (type === 'follow-up.done.v1') return [{ key: (data as FollowUpDone['data']).cause }];
      return 'entails' in (data as object) ? [{ key: causeKey(stream, revision), fresh: true }] : [];
    },
    evolve: (_, { type, stream, revision, position, recordedAtMs }) =>
      type === 'follow-up.done.v1'
        ? undefined
        : { type, stream, revision, position, since: Math.floor(recordedAtMs / 1000) },
  };
}
