import { sized } from '#testing';
import type { CollectionSchema } from '../read-store.js';
import { SqliteDatabase } from './sqlite-database.js';
import { WordTable } from './word-table.js';

const schema = {
  name: 'notes',
  key: 'integer',
  fields: {},
  indexes: [],
  words: { field: 'word', version: 1, from: ['text'], of: ({ text }) => (text as string).split(' ') },
} as const satisfies CollectionSchema;

const db = new SqliteDatabase(':memory:', { cacheKib: 8192, mappedBytes: 0 });
const table = new WordTable(db, schema, schema.words, 'notes__1');
const textOf = (key: number): string => `common c${key % 1_000} r${(key * 7_919) % 3_001} n${key}`;

beforeAll(() => {
  db.transaction(() => {
    table.create();
  });
});
afterAll(() => db.close());

function write(from: number, to: number): void {
  db.transaction(() => {
    for (let key = from; key < to; key++) table.replace(key, undefined, { text: textOf(key) });
    table.merge();
  });
  db.commit();
}

const segments = (): number => Number(db.rows('SELECT count(DISTINCT segid) FROM notes__1__word_idx', [])[0]?.[0]);
const keysOf = (...words: string[]): unknown[] =>
  db.rows(`SELECT rowid FROM ${table.table} WHERE ${table.table} MATCH ?`, [table.match(words)]).map(([key]) => key);

test('the index is merged a little at a time, and stays in few parts', () => {
  const end = sized({ nightly: 12_000, usual: 4_000 });
  for (let key = 1; key < end; key += 4) write(key, key + 4);
  expect(db.rows("SELECT v FROM notes__1__word_config WHERE k = 'automerge'", [])).toEqual([[0]]);
  // By itself FTS5 merges a level when it has sixteen parts, all of it at once.
  expect(segments()).toBeLessThan(8);
  expect(keysOf('common')).toHaveLength(end);
  expect(keysOf('c7', 'n3007')).toEqual([3007]);
  for (let key = 1; key < end; key++) {
    db.transaction(() => {
      table.replace(key, { text: textOf(key) }, { text: 'other' });
      table.merge();
    });
  }
  expect(keysOf('common')).toEqual([end]);
  expect(keysOf('other')).toHaveLength(end - 1);
});
