import { projectionSpec } from '#testing';
import type { StorageEvent } from './storage.events.js';
import { botStorageProjection, storageKey } from './storage.projection.js';

const { given } = projectionSpec(botStorageProjection);
const by = { userId: 7, at: 1000 } as const;
const stored = (values: Record<string, string>): StorageEvent => ({
  type: 'bot-storage.set.v1',
  data: { values, ...by },
});
const removed: StorageEvent = { type: 'bot-storage.removed.v1', data: { keys: ['a'], ...by } };

test('each key has a document, which follows its last value until it is removed', () => {
  given(stored({ a: '1', ключ: 'два' }), stored({ a: '22' }))
    .thenDoc(storageKey(7, 'a'), { userId: 7, key: 'a', value: '22', length: 3 })
    .thenDoc(storageKey(7, 'ключ'), { userId: 7, key: 'ключ', value: 'два', length: 7 });
  given(stored({ a: '1', b: '2' }), removed)
    .thenDoc(storageKey(7, 'a'), undefined)
    .thenKeys(storageKey(7, 'b'));
});
