import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CollectionSchema } from '../read-store.js';
import { SqliteReadStore } from './sqlite-read-store.js';

const notes = {
  name: 'notes',
  key: 'integer',
  fields: { channel: 'integer' },
  indexes: [['channel']],
  words: { field: 'words', version: 1, from: ['text'], of: (doc) => String(doc['text']).split(' ') },
} as const satisfies CollectionSchema;

const never = new AbortController().signal;
let path: string;

beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'snapshot-')), 'read.db');
});
afterEach(() => {
  rmSync(join(path, '..'), { recursive: true });
});

async function write(store: SqliteReadStore, position: number): Promise<void> {
  const writes = [{ collection: 'notes', key: position, doc: { channel: 1, text: `note ${position}` } }];
  await store.commit({ writes, position, checkpoints: { notes: { checkpoint: `at ${position}`, position } } });
}

/** A store with two notes, of which the snapshot has one; `harm` is done after it is closed. */
async function begun(harm: () => void): Promise<SqliteReadStore> {
  const store = new SqliteReadStore(path);
  await store.collection(notes);
  await write(store, 1);
  await store.takeSnapshot(never);
  await write(store, 2);
  await store.close();
  harm();
  return new SqliteReadStore(path);
}

async function stateOf(store: SqliteReadStore) {
  const collection = await store.collection<{ text: string }>(notes);
  const documents = [await collection.get(1), await collection.get(2)].map((doc) => doc?.text);
  return { documents, position: (await store.checkpoint('notes'))?.position };
}

const remove = (): void => {
  rmSync(path);
};
const flip = (name: string): void => {
  const content = readFileSync(name);
  // The beginning of the header, by which SQLite knows its files.
  content[0] = (content[0] ?? 0) ^ 1;
  writeFileSync(name, content);
};

test.each([
  ['missing', remove],
  ['damaged', () => flip(path)],
  [
    'marked as damaged',
    () => {
      writeFileSync(`${path}.rebuild`, '');
    },
  ],
  [
    'not synced when the machine went down',
    () => {
      writeFileSync(`${path}.unsynced`, 'another boot\n');
    },
  ],
])('a file that is %s begins with the snapshot, whose checkpoint tells where to go on', async (_, harm) => {
  const store = await begun(harm);
  expect(await stateOf(store)).toEqual({ documents: ['note 1', undefined], position: 1 });
  expect(store.fromSnapshotMs).toBeGreaterThan(0);
  // It is used once: a damaged one would be found damaged for ever.
  expect(store.snapshotTakenAtMs).toBeUndefined();
  await store.close();
});

test('a file that is whole is used, and the snapshot stays', async () => {
  const store = await begun(() => undefined);
  expect(await stateOf(store)).toEqual({ documents: ['note 1', 'note 2'], position: 2 });
  expect(store.fromSnapshotMs).toBeUndefined();
  expect(statSync(`${path}.snapshot`).mode & 0o777).toBe(0o600);
  await store.close();
});

test('a damaged snapshot is set aside as well, and everything is built again', async () => {
  const store = await begun(() => {
    flip(`${path}.snapshot`);
    remove();
  });
  expect(await stateOf(store)).toEqual({ documents: [undefined, undefined], position: undefined });
  expect(store).toMatchObject({ discarded: 'damage', fromSnapshotMs: undefined });
  await store.close();
});

test('a rebuild ends the snapshot, which has what it mends, also one that is being made', async () => {
  const store = new SqliteReadStore(path);
  await store.collection(notes);
  await write(store, 1);
  await store.takeSnapshot(never);
  const taking = store.takeSnapshot(never);
  await store.finishRebuild(notes, await store.startRebuild(notes));
  await taking;
  expect(existsSync(`${path}.snapshot`)).toBe(false);
  expect(existsSync(`${path}.snapshot.draft`)).toBe(false);
  await store.takeSnapshot(never);
  expect(existsSync(`${path}.snapshot`)).toBe(true);
  await store.close();
});

test('one that is given up leaves the former one, and no draft', async () => {
  const store = new SqliteReadStore(path);
  await store.collection(notes);
  await write(store, 1);
  await store.takeSnapshot(never);
  const before = readFileSync(`${path}.snapshot`);
  await write(store, 2);
  const ending = new AbortController();
  const taking = store.takeSnapshot(ending.signal);
  ending.abort();
  await expect(taking).rejects.toThrow();
  expect(readFileSync(`${path}.snapshot`).equals(before)).toBe(true);
  expect(existsSync(`${path}.snapshot.draft`)).toBe(false);
  await store.close();
});

test('a disk that fails while it is made fails the snapshot, and not the process', async () => {
  const store = new SqliteReadStore(path);
  await store.collection(notes);
  await write(store, 1);
  await store.takeSnapshot(never);
  const before = readFileSync(`${path}.snapshot`);
  const probe = await open(path);
  const syncing = jest.spyOn(Object.getPrototypeOf(probe) as typeof probe, 'datasync');
  await probe.close();
  syncing.mockRejectedValue(new Error('EIO'));
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  try {
    await expect(store.takeSnapshot(never)).rejects.toThrow('EIO');
  } finally {
    process.off('unhandledRejection', unhandled);
    syncing.mockRestore();
  }
  expect(unhandled).not.toHaveBeenCalled();
  expect(readFileSync(`${path}.snapshot`).equals(before)).toBe(true);
  expect(existsSync(`${path}.snapshot.draft`)).toBe(false);
  await store.close();
});

test('a copy whose process was killed leaves nothing after the next start', async () => {
  const drafts = ['snapshot', 'former-release'].map((copy) => `${path}.${copy}.draft`);
  for (const draft of drafts) writeFileSync(draft, 'half a copy');
  await new SqliteReadStore(path).close();
  expect(drafts.filter((draft) => existsSync(draft))).toEqual([]);
});
