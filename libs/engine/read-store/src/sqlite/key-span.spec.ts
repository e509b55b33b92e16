import fc from 'fast-check';
import { findPlainly } from '../plain-reference.fixture.js';
import { where } from '../read-store.js';
import type { CollectionSchema, Filter, Find } from '../read-store.js';
import { DocumentTable } from './document-table.js';
import { isScanCheaper, keySpan, withoutExcludedKeys } from './key-span.js';
import { Search } from './search.js';
import { SqliteDatabase } from './sqlite-database.js';

const DOCUMENTS = 5_000;
const schema = {
  name: 'notes',
  key: 'integer',
  fields: { channel: 'integer', sender: 'integer' },
  indexes: [['channel'], ['sender']],
  many: { mentions: 'integer', colours: 'text' },
} as const satisfies CollectionSchema;
const db = new SqliteDatabase(':memory:', { cacheKib: 1024, mappedBytes: 0 });
const table = new DocumentTable(db, schema, 'notes__1');

const note = (key: number): object => ({
  channel: key % 500,
  sender: key % 41,
  ...(key % 3 === 0 ? { mentions: [key % 7, key % 11] } : {}),
  ...(key % 5 === 0 ? { colours: [['red', 'blue', 'green'][key % 3] as string] } : {}),
});

const docs = new Map(Array.from({ length: DOCUMENTS }, (_, index) => [index + 1, { ...note(index + 1) }] as const));

beforeAll(() => {
  table.create();
  for (const statement of table.indexStatements()) db.exec(statement);
  db.transaction(() => table.apply(docs, 1));
});
afterAll(() => db.close());

/** Keys that are found, and with how many statements. */
function found(find: Find): { readonly keys: unknown[]; readonly statements: number } {
  const rows = jest.spyOn(db, 'rows');
  const slices = new Search(table).findFields(find, []);
  for (;;) {
    const { done, value } = slices.next();
    if (done !== true) continue;
    const statements = rows.mock.calls.length;
    rows.mockRestore();
    return { keys: value.map(({ key }) => key), statements };
  }
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => index);
const everything = where.or(
  where.in('channel', ids(400)),
  where.eq('sender', 3),
  where.contains('colours', 'red'),
  ...ids(400).map((id) => where.contains('mentions', id)),
);
const within = (gt: number, lte: number): Filter => where.and(everything, where.range('$key', { gt, lte }));
const descending = [{ field: '$key', direction: 'descending' }] as const;

test('many alternatives in few keys are one statement that looks at each row', () => {
  const { keys, statements } = found({ where: within(1_000, 3_000), sort: descending, limit: 50 });
  expect(statements).toBe(1);
  expect(keys).toHaveLength(50);
  expect(keys[0]).toBe(3_000);
});

test('many alternatives in many keys are searched by index, and so are few alternatives', () => {
  expect(found({ where: everything, sort: descending, limit: 50 }).statements).toBeGreaterThan(800);
  const far = where.and(everything, where.range('$key', { gt: 0, lte: 100_000_000 }));
  expect(found({ where: far, sort: descending, limit: 50 }).statements).toBeGreaterThan(800);
  const few = where.and(where.in('channel', [1, 2, 3]), where.range('$key', { gt: 1_000, lte: 3_000 }));
  expect(found({ where: few, sort: descending, limit: 50 }).statements).toBe(3);
});

test('a scan has so many conditions that it costs more', () => {
  const spans = ids(400).map((id) => where.and(where.eq('channel', id), where.range('$key', { gt: id })));
  const terms = [where.or(...spans), where.range('$key', { gt: 0, lte: 4_000 })];
  expect(isScanCheaper({ first: 1, last: 4_000 }, terms, 400)).toBe(false);
  expect(isScanCheaper({ first: 1, last: 40 }, terms, 400)).toBe(true);
});

test('either way the same is found', () => {
  const key = fc.integer({ min: -5, max: DOCUMENTS + 5 });
  const value = fc.integer({ min: 0, max: 45 });
  const some = <T>(values: fc.Arbitrary<T>) => fc.array(values, { minLength: 1, maxLength: 60 });
  const alternative = fc.oneof(
    some(value).map((values) => where.in('channel', values)),
    value.map((sender) => where.eq('sender', sender)),
    value.map((mentioned) => where.contains('mentions', mentioned)),
    fc.constantFrom('red', 'blue').map((colour) => where.contains('colours', colour)),
    some(key).map((keys) => where.in('$key', keys)),
    fc.tuple(value, key).map(([channel, gt]) => where.and(where.eq('channel', channel), where.range('$key', { gt }))),
  );
  const asked = fc.record({
    alternatives: some(alternative),
    also: fc.option(value.map((sender) => where.not(where.eq('sender', sender)))),
    ends: fc.tuple(key, key),
    direction: fc.constantFrom('ascending' as const, 'descending' as const),
    limit: fc.integer({ min: 1, max: 80 }),
  });
  let scans = 0;
  fc.assert(
    fc.property(asked, ({ alternatives, also, ends: [a, b], direction, limit }) => {
      const filter = where.and(where.or(...alternatives), ...(also === null ? [] : [also]));
      const range = where.range('$key', { gte: Math.min(a, b), lt: Math.max(a, b) });
      const sort = [{ field: '$key', direction }];
      const { keys, statements } = found({ where: where.and(filter, range), sort, limit });
      if (statements === 1) scans++;
      const expected = findPlainly(schema, docs, { where: where.and(filter, range), sort, limit });
      expect(keys).toEqual(expected.map((one) => one.key));
    }),
  );
  expect(scans).toBeGreaterThan(10);
});

test('the span of terms is what all their ranges of keys leave', () => {
  const range = (bounds: object) => where.range('$key', bounds);
  expect(keySpan([range({ gt: 3, lte: 20 }), range({ gte: 2, lt: 10 })])).toEqual({ first: 4, last: 9 });
  expect(keySpan([range({ gt: 3 })])).toBeUndefined();
  expect(keySpan([range({ gt: 3, lte: 'x' })])).toBeUndefined();
  expect(keySpan([where.range('sender', { gt: 3, lte: 5 })])).toBeUndefined();
});

test('listed keys outside of a range are not looked up', () => {
  const range = where.range('$key', { gt: 3, lte: 20 });
  expect(withoutExcludedKeys([where.in('$key', [1, 3, 4, 20, 21]), range])).toEqual([where.in('$key', [4, 20]), range]);
  const others = [where.in('channel', [1, 30]), range];
  expect(withoutExcludedKeys(others)).toEqual(others);
  const text = [where.in('$key', ['a', 'b']), where.range('$key', { gt: 'a' })];
  expect(withoutExcludedKeys(text)).toEqual(text);
});
