import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from 'libsql';
import { rounds, SEED, seeded, sized } from '#testing';
import { type CollectionSchema, ReadStoreDamaged, where } from '../read-store.js';
import { SqliteDatabase } from './sqlite-database.js';
import { SqliteReadStore } from './sqlite-read-store.js';
import { SqliteKeyValueStore } from './sqlite-side-store.js';

const notes = {
  name: 'notes',
  key: 'integer',
  fields: { channel: 'integer', topic: 'text' },
  indexes: [['channel'], ['topic']],
  many: { readers: 'integer' },
  words: { field: 'words', version: 1, from: ['text'], of: (doc) => String(doc['text']).split(' ') },
} as const satisfies CollectionSchema;
const people = {
  name: 'people',
  key: 'text',
  fields: { age: 'integer' },
  indexes: [['age']],
  many: { tags: 'text' },
} as const satisfies CollectionSchema;

const random = seeded(SEED);
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-store-'));
  path = join(folder, 'read.db');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function fill(store: SqliteReadStore): Promise<void> {
  await store.collection(notes);
  await store.collection(people);
  const position = 7;
  const writes = Array.from({ length: 80 }, (_, at) => [
    {
      collection: 'notes',
      key: at,
      doc: {
        channel: at % 5,
        topic: `tüpic ${at % 3}`,
        readers: [at % 4, 9],
        text: `wörd${at % 6} common ${'x'.repeat(20)}`,
      },
    },
    { collection: 'people', key: `p${at}`, doc: { age: at % 11, tags: [`tag${at % 3}`], name: `Näme ${at}` } },
  ]).flat();
  const checkpoints = { notes: { checkpoint: '7', position }, people: { checkpoint: '7', position } };
  await store.commit({ writes, checkpoints, position });
}

/** What readers get. */
async function answersOf(store: SqliteReadStore): Promise<unknown> {
  const [some, others] = [await store.collection(notes), await store.collection(people)];
  const limit = 1_000;
  return [
    await some.find({ limit }),
    await some.find({ where: where.eq('channel', 2), limit }),
    await some.find({ where: where.eq('topic', 'tüpic 1'), limit }),
    await some.find({ where: where.contains('readers', 3), limit }),
    await some.find({ where: where.contains('words', 'wörd3'), limit }),
    await some.findFields({ where: where.range('$key', { gt: 20 }), limit }, ['channel']),
    await some.getMany([1, 2, 3, 70, 99]),
    await others.find({ limit }),
    await others.find({ where: where.contains('tags', 'tag1'), limit }),
    await others.find({ where: where.eq('age', 4), limit }),
    await others.get('p77'),
    [await store.checkpoint('notes'), await store.checkpoint('people'), await store.checkpoint('others')],
  ];
}

/** A byte that is in use, mostly: pages are half empty. */
function somewhere(whole: Buffer, below: number): number {
  let at = Math.floor(random() * below);
  for (let tries = 0; whole[at] === 0 && tries < 10; tries++) at = Math.floor(random() * below);
  return at;
}

/** Opens the damaged file as a start of the server does. */
async function outcome(answers: unknown): Promise<string> {
  const store = new SqliteReadStore(path);
  try {
    if (store.discarded === 'damage') return 'set aside';
    await store.collection(notes);
    await store.collection(people);
    // A collection that begins anew is filled from the log.
    if ((await store.checkpoint('notes')) === undefined || (await store.checkpoint('people')) === undefined)
      return 'anew';
    await store.verify(60_000, new AbortController().signal);
    return isDeepStrictEqual(await answersOf(store), answers) ? 'unchanged' : 'CHANGED';
  } catch (error) {
    if (error instanceof ReadStoreDamaged) return 'noticed';
    return `FAILED ${String(error)}`;
  } finally {
    await store.close().catch(() => undefined);
  }
}

test('a flipped bit anywhere in the read models is noticed when they are opened and verified, or changes nothing', async () => {
  const store = new SqliteReadStore(path);
  await fill(store);
  const answers = await answersOf(store);
  await store.close();
  const whole = readFileSync(path);
  const seen = new Map<string, number[]>();
  for (let round = 0; round < rounds(sized({ nightly: 150, usual: 50 })); round++) {
    const flipped = Buffer.from(whole);
    const at = somewhere(whole, round % 4 === 0 ? 4_096 : whole.length);
    flipped[at] = flipped[at]! ^ (1 << Math.floor(random() * 8));
    for (const suffix of ['', '-wal', '-shm', '.rebuild']) rmSync(path + suffix, { force: true });
    writeFileSync(path, flipped);
    const found = await outcome(answers);
    seen.set(found, [...(seen.get(found) ?? []), at]);
  }
  const expected = ['set aside', 'anew', 'noticed', 'unchanged'];
  expect([...seen].filter(([found]) => !expected.includes(found))).toEqual([]);
  // About half of them; fewer than a sixth by no chance that anybody meets.
  expect((seen.get('noticed') ?? []).length).toBeGreaterThan(rounds(8));
});

test('a catalog that has lost a row, as by a flipped bit in its number of rows, is damaged, and no collection is shown empty', async () => {
  const store = new SqliteReadStore(path);
  await fill(store);
  await store.close();
  const whole = readFileSync(path);
  const db = new Database(path);
  const [row] = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'catalog'").raw().all() as number[][];
  const [size] = db.prepare('PRAGMA page_size').raw().all() as number[][];
  db.close();
  // Bytes 3 and 4 of a page's header are the number of its rows: 2 becomes 0 where a bit of it is flipped.
  const count = (Number(row?.[0]) - 1) * Number(size?.[0]) + 4;
  expect(whole[count]).toBe(2);
  whole[count] = 0;
  writeFileSync(path, whole);
  const again = new SqliteReadStore(path);
  expect([again.discarded, await again.checkpoint('notes')]).toEqual(['damage', undefined]);
  await again.close();
});

test('the catalog is read once, however many collections are opened, and known after each change', async () => {
  const rows = jest.spyOn(SqliteDatabase.prototype, 'rows');
  const readings = (): number => rows.mock.calls.filter(([sql]) => sql.includes('FROM catalog')).length;
  const store = new SqliteReadStore(path);
  await fill(store);
  expect(readings()).toBe(2);
  await store.finishRebuild(notes, await store.startRebuild(notes), 5);
  await store.abandonRebuild(await store.startRebuild(people));
  expect(await store.formers([notes])).toEqual([{ name: 'notes', shadow: 'notes~former', sinceMs: 5 }]);
  await store.exchangeFormer(notes, 6);
  expect(await store.formers([notes])).toEqual([{ name: 'notes', shadow: 'notes~former', sinceMs: 6 }]);
  expect(await (await store.collection(notes)).count(undefined, 100)).toBe(80);
  expect(readings()).toBe(2);
  jest.spyOn(SqliteDatabase.prototype, 'run').mockImplementation(() => {
    throw new Error('The disk is full.');
  });
  await expect(store.startRebuild(people)).rejects.toThrow('full');
  jest.restoreAllMocks();
  await store.abandonRebuild(await store.startRebuild(people));
  await store.close();
  const again = new SqliteReadStore(path);
  expect(await again.formers([notes, people])).toEqual([{ name: 'notes', shadow: 'notes~former', sinceMs: 6 }]);
  await again.close();
});

test('an entry beside the read models is given up when a bit of it is flipped, and no other one', async () => {
  const values = Array.from({ length: 40 }, (_, at) => ({ at, text: `välue ${at}` }));
  const side = new SqliteKeyValueStore(path);
  for (const value of values) await side.put('queue', `q${value.at}`, value);
  await side.close();
  const whole = readFileSync(path);
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  let lost = 0;
  for (let round = 0; round < rounds(sized({ nightly: 60, usual: 20 })); round++) {
    const flipped = Buffer.from(whole);
    const at = somewhere(whole, whole.length);
    flipped[at] = flipped[at]! ^ (1 << Math.floor(random() * 8));
    for (const suffix of ['', '-wal', '-shm', '.rebuild']) rmSync(path + suffix, { force: true });
    writeFileSync(path, flipped);
    const again = new SqliteKeyValueStore(path);
    const kept = await again.list('queue').catch((error: unknown) => {
      expect(error).toBeInstanceOf(ReadStoreDamaged);
      return [];
    });
    for (const { id, value } of kept) expect(value).toEqual(values[Number(id.slice(1))]);
    if (kept.length < values.length) lost += 1;
    await again.close().catch(() => undefined);
  }
  expect([lost > 0, warn.mock.calls.length > 0]).toEqual([true, true]);
  warn.mockRestore();
});

test('read models of an earlier layout begin anew, and entries beside them are kept', async () => {
  const old = new Database(path);
  old.exec(
    "CREATE TABLE catalog (name TEXT PRIMARY KEY, generation INTEGER NOT NULL, schema TEXT NOT NULL) WITHOUT ROWID; INSERT INTO catalog VALUES ('notes', 1, '{}')",
  );
  old.close();
  const store = new SqliteReadStore(path);
  expect([store.discarded, await store.checkpoint('notes')]).toEqual([undefined, undefined]);
  await fill(store);
  await store.close();
  const sidePath = join(folder, 'side.db');
  const before = new Database(sidePath);
  before.exec(
    'CREATE TABLE side (kind TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID',
  );
  before.exec(`INSERT INTO side VALUES ('queue', 'q', '{"at":1}')`);
  before.close();
  const side = new SqliteKeyValueStore(sidePath);
  await side.put('queue', 'r', { at: 2 });
  expect(await side.list('queue')).toEqual([
    { id: 'q', value: { at: 1 } },
    { id: 'r', value: { at: 2 } },
  ]);
  await side.close();
});
