import type { Projection } from '#read-store';
import { projectionSpec } from './projection-spec.js';

const members: Projection<{ names: string[] }> = {
  collection: { name: 'members', key: 'integer', fields: {}, indexes: [] },
  handles: new Set(['channel.created.v1', 'channel.joined.v1', 'channel.closed.v1']),
  keys: (event) => [
    { key: (event.data as { id: number }).id, ...(event.type === 'channel.created.v1' && { fresh: true }) },
  ],
  evolve: (doc = { names: [] }, event) => {
    if (event.type === 'channel.closed.v1') return undefined;
    if (event.type === 'channel.joined.v1') doc.names.push((event.data as { name: string }).name);
    return doc;
  },
};

const given = projectionSpec(members);
const created = { type: 'channel.created.v1', data: { id: 1 } };
const joined = { type: 'channel.joined.v1', data: { id: 1, name: 'x' } };

test('events become documents', () => {
  given
    .given(created, joined)
    .thenDoc(1, { names: ['x'] })
    .thenDoc(2, undefined)
    .thenKeys(1);
});

test('events that a projection does not read pass by', () => {
  given.given(created, { type: 'channel.painted.v1', data: {} }).thenDoc(1, { names: [] });
});

test('a removed document is gone', () => {
  given.given(created, { type: 'channel.closed.v1', data: { id: 1 } }).thenKeys();
});

test('a wrong expectation fails', () => {
  expect(() => given.given(created).thenDoc(1, { names: ['x'] })).toThrow();
  expect(() => given.given(created).thenKeys(1, 2)).toThrow();
});

test('a fresh document must be fresh', () => {
  expect(() => given.given(created, created)).toThrow(/fresh/);
});

test('a projection must not change events', () => {
  const spoiling = {
    ...members,
    evolve: (_: unknown, event: { data: unknown }) => Object.assign(event.data as object, { names: [] }),
  };
  expect(() => projectionSpec(spoiling).given(created)).toThrow(/read.only|extensible/);
});
