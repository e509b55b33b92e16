import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallProbe } from '#kernel';
import { notes } from './contract/store.contract.js';
import { ObservedKeyValueStore, ObservedReadStore } from './observed-read-store.js';
import { readStoreContract } from './read-store.contract.js';
import { SqliteReadStore } from './sqlite/sqlite-read-store.js';
import { SqliteKeyValueStore } from './sqlite/sqlite-side-store.js';

const unobserved: CallProbe = (_kind, call) => call();

readStoreContract('SQLite behind a probe', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'read-store-'));
  return {
    open: async () => new ObservedReadStore(new SqliteReadStore(join(directory, 'read.db')), unobserved),
    openSide: async () => {
      const side = new ObservedKeyValueStore(new SqliteKeyValueStore(join(directory, 'side.db')), unobserved);
      return { side, close: () => side.close() };
    },
    destroy: () => rm(directory, { recursive: true }),
  };
});

test('each call passes the probe by its name', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'read-store-'));
  const kinds: string[] = [];
  const probe: CallProbe = (kind, call) => {
    kinds.push(kind);
    return call();
  };
  const store = new ObservedReadStore(new SqliteReadStore(join(directory, 'read.db')), probe);
  const collection = await store.collection(notes);
  await store.commit({ writes: [{ collection: 'notes', key: 1, doc: { sender: 1 } }], position: 1 });
  await collection.get(1);
  await collection.getMany([1]);
  await collection.find({ limit: 1 });
  await collection.findFields({ limit: 1 }, ['sender']);
  await collection.count(undefined, 1);
  await store.standing();
  await store.checkpoint('notes');
  const rebuild = await store.startRebuild(notes);
  await store.shadow(rebuild).get(1);
  await store.indexRebuild(rebuild);
  await store.finishRebuild(notes, rebuild);
  await store.close();
  expect(kinds).toEqual([
    ...['collection', 'commit', 'get', 'getMany', 'find', 'findFields', 'count', 'standing', 'checkpoint'],
    ...['startRebuild', 'get', 'indexRebuild', 'finishRebuild'],
  ]);
  kinds.length = 0;
  const side = new ObservedKeyValueStore(new SqliteKeyValueStore(join(directory, 'side.db')), probe);
  await side.put('kind', 'id', {});
  await side.get('kind', 'id');
  await side.list('kind');
  await side.remove('kind', 'id');
  await side.close();
  expect(kinds).toEqual(['put', 'get', 'list', 'remove']);
  await rm(directory, { recursive: true });
});
