import type { CollectionSchema, Projection } from '#read-store';
import { triggerKey } from './trigger.js';
import type { FollowUpDone, FollowUpDropped } from './follow-up.events.js';

/** An open follow-up. Its key is the event's key. */
export interface OpenFollowUpDocument {
  /** Type of the event that entails it. */
  type: string;
  stream: string;
  revision: number;
  position: number;
  /** Time at which the event was recorded, in seconds since the epoch. */
  since: number;
}

export const openFollowUpsCollection = {
  name: 'open_follow_ups',
  key: 'text',
  fields: { position: 'integer' },
  indexes: [['position']],
} as const satisfies CollectionSchema;

type Closing = FollowUpDone | FollowUpDropped;

const CLOSING: ReadonlySet<string> = new Set(['follow-up.done.v1', 'follow-up.dropped.v1'] satisfies Closing['type'][]);

/**
 * List of open follow-ups: an event with a follow-up opens an entry, and `done` or `dropped` closes it. Nearly always
 * empty. An entry is closed once, so a follow-up that is done twice leaves nothing behind.
 * @param causes types of the events that may have follow-ups; those that do have a field `entails`
 */
export function openFollowUpsProjection(causes: readonly string[]): Projection<OpenFollowUpDocument> {
  return {
    collection: openFollowUpsCollection,
    handles: new Set([...causes, ...CLOSING]),
    keys({ type, data, stream, revision }) {
      if (CLOSING.has(type)) return [{ key: (data as Closing['data']).cause }];
      return 'entails' in (data as object) ? [{ key: triggerKey(stream, revision), fresh: true }] : [];
    },
    evolve: (_, { type, stream, revision, position, recordedAtMs }) =>
      CLOSING.has(type) ? undefined : { type, stream, revision, position, since: Math.floor(recordedAtMs / 1000) },
  };
}
