import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CollectionSchema } from '../read-store.js';
import { ReadStoreUnavailable } from '../read-store.js';
import { SqliteDatabase } from './sqlite-database.js';
import { SqliteReadStore } from './sqlite-read-store.js';

const notes = {
  name: 'notes',
  key: 'integer',
  fields: { channel: 'integer' },
  indexes: [['channel']],
} as const satisfies CollectionSchema;

let directory: string;
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'read-store-'))));
afterEach(() => rm(directory, { recursive: true }));

test('the write-ahead log stays short under steady writing, and everything is there afterwards', async () => {
  const path = join(directory, 'read.db');
  const store = new SqliteReadStore(path);
  await store.collection(notes);
  const content = 'x'.repeat(2000);
  let logBytesMax = 0;
  for (let round = 0; round < 60; round++) {
    const writes = Array.from({ length: 1000 }, (_, key) => ({
      collection: 'notes',
      key,
      doc: { channel: round, content },
    }));
    await store.commit({ writes, position: round });
    logBytesMax = Math.max(logBytesMax, (await stat(`${path}-wal`)).size);
    await nextTurn();
  }
  // 60 rounds write more than 120 MB of log when nothing checkpoints it.
  expect(logBytesMax).toBeLessThan(100_000_000);
  await store.close();
  const again = new SqliteReadStore(path);
  expect(await (await again.collection(notes)).count({ op: 'eq', field: 'channel', value: 59 }, 2000)).toBe(1000);
  await again.close();
});

test('only its owner may read the file', async () => {
  const path = join(directory, 'inner', 'read.db');
  const store = new SqliteReadStore(path);
  await store.collection(notes);
  for (const suffix of ['', '-wal', '-shm']) expect((await stat(path + suffix)).mode & 0o077).toBe(0);
  await store.close();
});

test('a file that is no database says what to do, and a store sets it aside', async () => {
  const path = join(directory, 'read.db');
  const content = 'no database'.repeat(1000);
  await writeFile(path, content);
  expect(() => new SqliteDatabase(path, { cacheKib: 1_024, mappedBytes: 0 })).toThrow(/delete this file/);
  const store = new SqliteReadStore(path);
  expect([store.discarded, await readFile(`${path}.damaged`, 'utf8')]).toEqual(['damage', content]);
  await store.close();
});

test('a closed store is unavailable', async () => {
  const store = new SqliteReadStore(join(directory, 'read.db'));
  const collection = await store.collection(notes);
  await store.close();
  await store.close();
  await expect(collection.get(1)).rejects.toThrow(ReadStoreUnavailable);
  await expect(store.commit({ writes: [], position: 1 })).rejects.toThrow(ReadStoreUnavailable);
});

test('visible steps that a failure undoes are applied again', async () => {
  const db = new SqliteDatabase(join(directory, 'read.db'), { cacheKib: 1_024, mappedBytes: 0 });
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, note TEXT)');
  const add = (id: number, note: string): unknown =>
    db.transaction(() => db.run('INSERT INTO notes VALUES (?, ?)', [id, note]));
  // Rolls back all steps since the last commit, as SQLite does when the disk is full.
  const fail = (id: number): unknown =>
    db.transaction(() => {
      db.run('INSERT INTO notes VALUES (?, ?)', [id, 'half a step']);
      db.run('INSERT OR ROLLBACK INTO notes VALUES (?, ?)', [1, 'another']);
    });
  const seen = (): unknown => db.rows('SELECT id, note FROM notes', []);
  add(1, 'kept');
  db.commit();
  expect(() => fail(2)).toThrow();
  add(2, 'seen');
  db.transaction(() => db.exec("UPDATE notes SET note = 'changed' WHERE id = 1"));
  expect(() => fail(3)).toThrow();
  expect(seen()).toEqual([
    [1, 'changed'],
    [2, 'seen'],
  ]);
  expect(() => fail(3)).toThrow();
  add(3, 'later');
  await db.close();
  const again = new SqliteDatabase(join(directory, 'read.db'), { cacheKib: 1_024, mappedBytes: 0 });
  expect(again.rows('SELECT id, note FROM notes', [])).toEqual([
    [1, 'changed'],
    [2, 'seen'],
    [3, 'later'],
  ]);
  await again.close();
});

test('a step that fails undoes itself alone, be it the first or not', async () => {
  const db = new SqliteDatabase(join(directory, 'read.db'), { cacheKib: 1_024, mappedBytes: 0 });
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY)');
  const add = (...ids: number[]): unknown =>
    db.transaction(() => ids.forEach((id) => db.run('INSERT INTO notes VALUES (?)', [id])));
  const kept = (): unknown => db.rows('SELECT id FROM notes', []).flat();
  db.commit();
  expect(() => add(1, 1)).toThrow();
  expect(kept()).toEqual([]);
  add(2);
  expect(() => add(3, 3)).toThrow();
  add(4);
  expect(kept()).toEqual([2, 4]);
  await db.close();
});

test('a large step is a commit of its own', async () => {
  const memory = { cacheKib: 1_024, mappedBytes: 0 };
  const db = new SqliteDatabase(join(directory, 'read.db'), memory);
  const other = new SqliteDatabase(join(directory, 'read.db'), memory);
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY)');
  const add = (id: number, rows?: number): unknown =>
    db.transaction(() => db.run('INSERT INTO notes VALUES (?)', [id]), rows);
  const seen = (): unknown => other.rows('SELECT id FROM notes', []).flat();
  add(1);
  expect(seen()).toEqual([]);
  add(2, 10_000);
  expect(seen()).toEqual([1, 2]);
  await other.close();
  await db.close();
});

test('of changes that only the commit needs, the last one is made, also after a failure; a step that fails adds none', async () => {
  const memory = { cacheKib: 1_024, mappedBytes: 0 };
  const db = new SqliteDatabase(join(directory, 'read.db'), memory);
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, note TEXT)');
  const seen = (): unknown => db.rows('SELECT id, note FROM notes', []).flat();
  const step = (id: number, note: string, { rows = 1, also = '' } = {}): unknown =>
    db.transaction(() => {
      db.runLast(`note ${id}`, 'INSERT OR REPLACE INTO notes VALUES (?, ?)', () => [id, note]);
      if (also !== '') db.run(also, []);
    }, rows);
  const conflict = 'INSERT INTO notes VALUES (7, 1), (7, 2)';
  step(1, 'first');
  step(1, 'second');
  expect(() => step(1, 'failed', { also: conflict })).toThrow();
  expect(seen()).toEqual([]);
  db.commit();
  expect(seen()).toEqual([1, 'second']);
  // All steps since the last commit are rolled back, as when the disk is full.
  step(1, 'third');
  const rollback = "INSERT OR ROLLBACK INTO notes VALUES (1, 'another')";
  expect(() => step(1, 'failed', { also: rollback })).toThrow();
  db.commit();
  expect(seen()).toEqual([1, 'third']);
  expect(() => step(1, 'failed', { rows: 10_000, also: conflict })).toThrow();
  step(2, 'large', { rows: 10_000 });
  expect(seen()).toEqual([1, 'third', 2, 'large']);
  expect(() => step(2, 'failed', { also: conflict })).toThrow();
  db.commit();
  expect(seen()).toEqual([1, 'third', 2, 'large']);
  await db.close();
});
