import { hash } from 'node:crypto';
import type { EventOf } from '#event-store';
import { memoized } from '#kernel';
import { type CollectionSchema, projection } from '#read-store';
import type { botStorageSet, StorageEvent } from './storage.events.js';

/** A value that a bot keeps on the server. */
export interface StoredValue {
  userId: number;
  key: string;
  value: string;
  /** Characters of key and value, so that an answer can be measured before it is read. */
  length: number;
}

export const botStorageCollection = {
  name: 'bot_storage',
  key: 'text',
  fields: { userId: 'integer', length: 'integer' },
  indexes: [['userId']],
} as const satisfies CollectionSchema;

/** Keys are long and of any characters, so a document is named by a hash of its key. */
export function storageKey(userId: number, key: string): string {
  return `${userId}:${hash('sha256', key)}`;
}

/** Keys of an event by the keys of their documents: one event may have a thousand. */
const documentsOf = memoized(
  ({ userId, values }: EventOf<typeof botStorageSet>['data']): ReadonlyMap<string, string> =>
    new Map(Object.keys(values).map((key) => [storageKey(userId, key), key])),
);

/** What bots keep on the server, one document a key. */
export const botStorageProjection = projection<StoredValue, StorageEvent>(botStorageCollection, {
  'bot-storage.set.v1': {
    keys: ({ data }) => [...documentsOf(data).keys()],
    evolve: (_doc, { data }, documentKey) => {
      const key = documentsOf(data).get(String(documentKey)) ?? '';
      const value = data.values[key] ?? '';
      return { userId: data.userId, key, value, length: key.length + value.length };
    },
  },
  // Without `evolve` the documents are removed.
  'bot-storage.removed.v1': {
    keys: ({ data: { userId, keys } }) => keys.map((key) => storageKey(userId, key)),
  },
});
