import { specFor } from '#testing';
import { STORAGE_KEYS_MAX, STORAGE_LENGTH_MAX, storageDecider } from './storage.decider.js';
import type { StorageEvent } from './storage.events.js';

const given = specFor(storageDecider);
const by = { userId: 7, at: 1000 } as const;
const stored = (values: Record<string, string>): StorageEvent => ({
  type: 'bot-storage.set.v1',
  data: { values, ...by },
});
const removed = (...keys: string[]): StorageEvent => ({ type: 'bot-storage.removed.v1', data: { keys, ...by } });
const set = (values: Record<string, string>) => ({ type: 'set-storage', values, ...by }) as const;
const remove = (keys?: string[]) => ({ type: 'remove-storage', keys, ...by }) as const;

test('values are set, also a second time', () => {
  given()
    .when(set({ a: '1' }))
    .then(stored({ a: '1' }));
  given(stored({ a: '1' }))
    .when(set({ a: '2', b: '' }))
    .then(stored({ a: '2', b: '' }));
  given().when(set({})).thenNothing();
});

test('keys are removed: those that are named, or all', () => {
  const kept = stored({ a: '1', b: '2' });
  given(kept)
    .when(remove(['a', 'a']))
    .then(removed('a'));
  given(kept).when(remove()).then(removed('a', 'b'));
  given().when(remove()).thenNothing();
  given(kept, removed('a'))
    .when(remove(['b', 'a']))
    .thenRefused('BAD_REQUEST');
});

test('the quota counts keys and values, and what was replaced or removed no more', () => {
  const half = 'x'.repeat(STORAGE_LENGTH_MAX / 2 - 1);
  const full = stored({ a: half, b: half });
  given(full)
    .when(set({ c: '' }))
    .thenRefused('BAD_REQUEST');
  given(full)
    .when(set({ a: `${half}x` }))
    .thenRefused('BAD_REQUEST');
  given(full)
    .when(set({ a: 'x', c: 'y' }))
    .then(stored({ a: 'x', c: 'y' }));
  given(full, removed('a'))
    .when(set({ c: half }))
    .then(stored({ c: half }));
});

test('the number of keys, their length and null bytes are limited', () => {
  const many = Object.fromEntries(Array.from({ length: STORAGE_KEYS_MAX }, (_, index) => [`k${index}`, '']));
  given()
    .when(set({ ...many, more: '' }))
    .thenRefused('BAD_REQUEST');
  given(stored(many))
    .when(set({ k0: 'again' }))
    .then(stored({ k0: 'again' }));
  for (const values of [{ ['k'.repeat(301)]: '' }, { 'a\0b': '' }, { a: '\0' }] as Record<string, string>[])
    given().when(set(values)).thenRefused('BAD_REQUEST');
});
