import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreUnavailable } from '#event-store';
import { openReadStore } from './open-read-store.js';

test.each(['', 'sqlite:', 'postgres://h/x', 'MONGODB', 'mongodb', 'mongodb://h:notaport'])(
  '%j is no address of a read store',
  async (url) => {
    await expect(openReadStore(url)).rejects.toThrow(TypeError);
  },
);

test('an address of a server is read by its driver', async () => {
  await expect(openReadStore('mongodb://h:notaport')).rejects.toThrow(/MongoDB's driver/);
});

test('an embedded store keeps its side documents apart', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'read-store-'));
  const stores = await openReadStore(`sqlite:${join(directory, 'read.db')}`);
  if (stores.kind !== 'embedded') throw new Error('It is not embedded.');
  await stores.side.put('queues', 'a', { n: 1 });
  expect(await stores.side.get('queues', 'a')).toEqual({ n: 1 });
  expect(await stores.readStore.checkpoint('notes')).toBeUndefined();
  await stores.close();
  await rm(directory, { recursive: true });
});

test('a file is for one process, and free again when that one has closed it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'read-store-'));
  const url = `sqlite:${join(directory, 'folder', 'read.db')}`;
  const stores = await openReadStore(url);
  await expect(openReadStore(url)).rejects.toThrow(EventStoreUnavailable);
  await stores.close();
  await (await openReadStore(url)).close();
  await rm(directory, { recursive: true });
});
