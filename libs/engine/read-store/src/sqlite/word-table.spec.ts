import { sized } from '#testing';
import type { CollectionSchema } from '../read-store.js';
import { SqliteDatabase } from './sqlite-database.js';
import { type AddedWords, WordTable } from './word-table.js';

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

function change(key: number, before: string | undefined, after: string): void {
  const added = table.replace(key, before === undefined ? undefined : { text: before }, { text: after });
  table.insert(added === undefined ? [] : [added]);
}

function write(from: number, to: number): void {
  db.transaction(() => {
    for (let key = from; key < to; key++) change(key, undefined, textOf(key));
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
      change(key, textOf(key), 'other');
      table.merge();
    });
  }
  expect(keysOf('common')).toEqual([end]);
  expect(keysOf('other')).toHaveLength(end - 1);
});

test('many documents are inserted together as they are one by one, whatever is in their words', () => {
  const spelling = [
    '"',
    '\\',
    '\0',
    '\u0007',
    '\u0085',
    '\u2028',
    '東',
    '😀',
    '\ud800',
    '',
    'Été',
    '{}',
    'x'.repeat(40_000),
  ];
  const added = spelling.flatMap((word, index) => {
    const one = table.replace(1_000_000 - index, undefined, { text: `together ${word}` });
    return one === undefined ? [] : [one];
  });
  db.transaction(() => {
    table.insert(added.map(([key, text]): AddedWords => [-key, text]));
    table.insert([...added].reverse());
    for (const [key, text] of added) table.insert([[2 * key, text]]);
  });
  for (const [index, word] of spelling.entries()) {
    const key = 1_000_000 - index;
    expect(keysOf('together', word)).toEqual([-key, key, 2 * key]);
  }
  expect(keysOf('together')).toHaveLength(3 * spelling.length);
});

test('documents are found by each of their words, which are asked for one at a time', () => {
  const verified = new WordTable(db, schema, schema.words, 'verified');
  const texts = ['both first', 'both', 'second both', 'second', 'first'];
  const documents = texts.map((text, index) => [index + 1, { text }] as const);
  const put = (key: number, before: object | undefined, after: object | undefined): void => {
    const added = verified.replace(key, before as never, after as never);
    if (added !== undefined) verified.insert([added]);
  };
  db.transaction(() => {
    verified.create();
    for (const [key, doc] of documents) put(key, undefined, doc);
  });
  const rows = jest.spyOn(db, 'rows');
  expect(verified.hasAll(documents)).toBe(true);
  expect(rows.mock.calls.map(([, [pattern]]) => pattern)).toEqual(['"both"', '"first"', '"second"']);
  rows.mockRestore();
  for (const [key, doc] of documents)
    for (const word of doc.text.split(' ')) {
      const rest = doc.text.split(' ').filter((one) => one !== word);
      const without = rest.length === 0 ? undefined : { text: rest.join(' ') };
      put(key, doc, without);
      expect(verified.hasAll(documents)).toBe(false);
      put(key, without, doc);
      expect(verified.hasAll(documents)).toBe(true);
    }
  expect(verified.hasAll([])).toBe(true);
});
