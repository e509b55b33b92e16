import { where } from '../read-store.js';
import type { CollectionSchema, Filter, Find } from '../read-store.js';
import { orderedBranches } from './branches.js';
import { DocumentTable } from './document-table.js';
import { Search } from './search.js';
import { SqliteDatabase } from './sqlite-database.js';
import type { Sql } from './sqlite-database.js';

const descending = [{ field: '$key', direction: 'descending' }] as const;

/** Runs a search to its end, without yielding. */
function all<Found>(slices: Generator<void, Found, void>): Found {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
}

describe.each(['integer', 'text'] as const)('searches with %s keys', (key) => {
  const schema = {
    name: 'notes',
    key,
    fields: { channel: 'integer', topic: 'text', sender: 'integer' },
    indexes: [['channel'], ['channel', 'topic'], ['sender']],
    many: { mentions: 'integer' },
  } as const satisfies CollectionSchema;
  const db = new SqliteDatabase(':memory:', { cacheKib: 1024, mappedBytes: 0 });
  const table = new DocumentTable(db, schema, 'notes__1');
  const search = new Search(table);
  const keyOf = (index: number): string | number => (key === 'integer' ? index : `k${String(index).padStart(5, '0')}`);
  const someKey = key === 'integer' ? 100 : 'k100';

  beforeAll(() => {
    table.create();
    for (const statement of table.indexStatements()) db.exec(statement);
    const docs = Array.from(
      { length: 5000 },
      (_, index) => [keyOf(index), { channel: index % 50, topic: `t${index % 7}`, mentions: [index % 10] }] as const,
    );
    db.transaction(() => table.apply(new Map(docs), 1));
  });
  afterAll(() => db.close());

  const planOf = ({ text, params }: Sql): string =>
    db
      .rows(`EXPLAIN QUERY PLAN ${text}`, params)
      .map((row) => row[3])
      .join('; ');
  const found = (find: Partial<Find>): string => planOf(search.statement({ limit: 10, ...find }));

  test('look up a field among many values at once', () => {
    const unwanted = Array.from({ length: 100 }, (_, sender) => where.not(where.eq('sender', sender)));
    const { text } = search.statement({ where: where.and(...unwanted), limit: 10 });
    // All values, and the limit.
    expect(text.match(/\?/g)).toHaveLength(2);
  });

  test.each<[string, Filter, string]>([
    ['a channel', where.eq('channel', 1), 'notes__1__index1'],
    ['a topic of a channel', where.and(where.eq('channel', 1), where.eq('topic', 'a')), 'notes__1__index2'],
    [
      'a page of a channel',
      where.and(where.eq('channel', 1), where.range('$key', { lt: someKey })),
      'notes__1__index1',
    ],
    ['a channel that is null', where.eq('channel', null), 'notes__1__index1'],
    [
      'a sender and a scan of the rest',
      where.and(where.eq('sender', 1), where.eq('colour', 'red')),
      'notes__1__index3',
    ],
    ['a list', where.contains('mentions', 1), 'SEARCH m USING PRIMARY KEY'],
    ['a single alternative', where.or(where.contains('mentions', 1)), 'SEARCH m USING PRIMARY KEY'],
    [
      'a list and a page',
      where.and(where.contains('mentions', 1), where.range('$key', { gt: someKey })),
      'SEARCH m USING PRIMARY KEY ($value=? AND $key>?)',
    ],
    ['some keys', where.in('$key', [someKey, someKey]), 'SEARCH t USING'],
  ])('find %s on its index, in key order, without sorting', (_, filter, index) => {
    const plan = found({ where: filter, sort: descending });
    expect(plan).toContain(index);
    expect(plan).toContain('SEARCH');
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test('sort by an index', () => {
    const plan = found({ where: where.eq('channel', 1), sort: [{ field: 'topic', direction: 'descending' }] });
    expect(plan).toContain('notes__1__index2');
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test('find many channels on the index', () => {
    expect(planOf(search.statement({ where: where.in('channel', [1, 2, 3]), limit: 5 }))).toContain('SEARCH t USING');
  });

  const several: [string, Filter, number][] = [
    ['channels', where.in('channel', [1, 2, 3]), 3],
    ['channels and what mentions me', where.or(where.in('channel', [1, 2]), where.contains('mentions', 1)), 3],
    ['channels, before a message', where.and(where.in('channel', [1, 2]), where.range('$key', { lt: someKey })), 2],
    [
      'topics',
      where.or(
        where.and(where.eq('channel', 1), where.eq('topic', 'a')),
        where.and(where.eq('channel', 2), where.eq('topic', 'b')),
      ),
      2,
    ],
    ['channels, with another condition', where.and(where.eq('colour', 'red'), where.in('channel', [1, 2, 3])), 3],
  ];
  test.each(several)('split %s into branches that need no sort', (_, filter, count) => {
    const branches = orderedBranches(schema, filter);
    expect(branches).toHaveLength(count);
    for (const branch of branches ?? []) {
      const plan = planOf(search.branchStatement(branch, 'descending', someKey, 10));
      expect(plan).toContain('SEARCH');
      expect(plan).toMatch(/\$key>\?|rowid>\?/);
      expect(plan).not.toContain('TEMP B-TREE');
    }
  });

  test.each<[string, Filter]>([
    ['an alternative without an index', where.or(where.eq('channel', 1), where.eq('colour', 'red'))],
    ['a list of values without an index', where.in('topic', ['a', 'b'])],
    ['nothing that splits', where.range('$key', { lt: someKey })],
  ])('do not split %s', (_, filter) => {
    expect(orderedBranches(schema, filter)).toBeUndefined();
  });

  test('list what lies in a range of an index, when that is little', () => {
    const topics = (lt: string): Filter => where.and(where.eq('channel', 7), where.range('topic', { gte: 't2', lt }));
    const plan = found({ where: topics('t4'), sort: descending });
    expect(plan).toMatch(/LIST SUBQUERY.*notes__1__index2/);
    expect(plan).not.toContain('TEMP B-TREE');
    const keys = all(search.find({ where: topics('t4'), sort: descending, limit: 10 })).map((one) => one.key);
    const expected = Array.from({ length: 5000 }, (_, index) => 4999 - index).filter(
      (index) => index % 50 === 7 && (index % 7 === 2 || index % 7 === 3),
    );
    expect(keys).toEqual(expected.slice(0, 10).map(keyOf));
    expect(search.count(topics('t4'), 1000)).toBe(expected.length);
  });

  test('of very many branches let others go on in between', () => {
    const every = Array.from({ length: 3_000 }, (_, index) => index);
    const slices = search.find({ where: where.in('channel', every), sort: descending, limit: 3 });
    let breaks = 0;
    for (;;) {
      const { done, value } = slices.next();
      if (done === true) {
        expect(value.map((one) => one.key)).toEqual([4999, 4998, 4997].map(keyOf));
        break;
      }
      breaks++;
    }
    expect(breaks).toBeGreaterThanOrEqual(5);
  });

  test('of branches with very many conditions let others go on more often', () => {
    const others = Array.from({ length: 100 }, (_, index) => where.not(where.eq('sender', index + 1_000)));
    const breaksOf = (...terms: Filter[]): number => {
      const channels = where.in(
        'channel',
        Array.from({ length: 1_000 }, (_, index) => index),
      );
      const slices = search.find({ where: where.and(...terms, channels), sort: descending, limit: 3 });
      let breaks = 0;
      while (slices.next().done !== true) breaks++;
      return breaks;
    };
    expect(breaksOf(...others)).toBeGreaterThan(5 * breaksOf());
  });

  test('split by the terms that decide it, and keep the others in each branch', () => {
    const others = [where.not(where.eq('sender', 3)), where.range('$key', { lt: someKey })];
    const channels = where.in('channel', [1, 2]);
    expect(orderedBranches(schema, where.and(...others, channels))).toEqual([
      [where.eq('channel', 1), ...others],
      [where.eq('channel', 2), ...others],
    ]);
  });

  test('leave a range that holds much to the order of the keys', () => {
    const many = new Map(
      Array.from({ length: 6000 }, (_, index) => [keyOf(10_000 + index), { channel: 99, topic: 't' }]),
    );
    db.transaction(() => table.apply(many, 2));
    const plan = found({
      where: where.and(where.eq('channel', 99), where.range('topic', { gte: 't' })),
      sort: descending,
    });
    expect(plan).not.toContain('LIST SUBQUERY');
    db.transaction(() => table.apply(new Map([...many.keys()].map((one) => [one, undefined])), 3));
  });

  test('do not split what an index or the keys find already', () => {
    const filter = where.and(where.eq('sender', 1), where.in('channel', [1, 2, 3]));
    expect(orderedBranches(schema, filter)).toHaveLength(1);
    expect(orderedBranches(schema, where.and(where.in('$key', [someKey]), where.in('channel', [1, 2])))).toHaveLength(
      1,
    );
  });
});

describe('searches for words', () => {
  const schema = {
    name: 'essays',
    key: 'integer',
    fields: { channel: 'integer', sender: 'integer' },
    indexes: [['channel'], ['sender']],
    words: { field: 'words', version: 1, from: ['said'], of: ({ said }) => said as string[] },
  } as const satisfies CollectionSchema;
  const db = new SqliteDatabase(':memory:', { cacheKib: 1024, mappedBytes: 0 });
  const table = new DocumentTable(db, schema, 'essays__1');
  const search = new Search(table);

  beforeAll(() => {
    table.create();
    for (const statement of table.indexStatements()) db.exec(statement);
    // One channel with a tenth of all documents, another with too many to list.
    const docs = Array.from({ length: 30_000 }, (_, index) => {
      const said = index % 3 === 0 ? ['x', 'y'] : ['x'];
      return [index, { channel: index % 10 === 0 ? 1 : 2, sender: index % 100, said }] as const;
    });
    db.transaction(() => table.apply(new Map(docs), 1));
  });
  afterAll(() => db.close());

  const filterOf = (...terms: Filter[]): Filter => where.and(where.contains('words', 'x'), ...terms);
  const planOf = (filter: Filter): string => {
    const { text, params } = search.statement({ where: filter, sort: descending, limit: 10 });
    const plan = db.rows(`EXPLAIN QUERY PLAN ${text}`, params).map((row) => row[3]);
    return plan.join('; ');
  };

  test('are driven by the index of words, in key order, without sorting', () => {
    for (const filter of [filterOf(), filterOf(where.contains('words', 'y')), filterOf(where.eq('channel', 2))]) {
      const plan = planOf(filter);
      expect(plan).toMatch(/^SCAN w VIRTUAL TABLE INDEX/);
      expect(plan).not.toContain('TEMP B-TREE');
    }
  });

  test('read only the span of the index that the keys are in', () => {
    const span = where.range('$key', { gte: 900, lt: 930 });
    const filter = filterOf(where.contains('words', 'y'), where.not(where.contains('words', 'z')), span);
    // What FTS5 is told: a word and both bounds.
    expect(planOf(filter).match(/VIRTUAL TABLE INDEX \d+:M1><;/g)).toHaveLength(3);
    const keys = all(search.findFields({ where: filter, sort: descending, limit: 5 }, [])).map(({ key }) => key);
    expect(keys).toEqual([927, 924, 921, 918, 915]);
  });

  test('let FTS5 match all words when one is rare, else the one with the fewest documents in the span', () => {
    db.transaction(() => table.apply(new Map([[30_001, { channel: 2, sender: 1, said: ['x', 'y', 'rare'] }]]), 2));
    const span = { first: 0, last: 40_000 };
    expect(table.words!.matchedTogether(['x'], span)).toEqual(['x']);
    expect(table.words!.matchedTogether(['x', 'y'], { first: 0, last: 900 })).toEqual(['y']);
    expect(table.words!.matchedTogether(['x', 'rare', 'y'], span)).toEqual(['x', 'rare', 'y']);
    const filter = filterOf(where.contains('words', 'y'), where.contains('words', 'rare'));
    const keysOf = (within: Filter): unknown[] =>
      all(search.findFields({ where: where.and(filter, within), limit: 5 }, [])).map(({ key }) => key);
    expect(keysOf(where.range('$key', { gte: 0, lte: 40_000 }))).toEqual([30_001]);
    expect(keysOf(where.range('$key', { gte: 0, lte: 30_000 }))).toEqual([]);
  });

  test('tell FTS5 bounds as integers, without which it reads everything', () => {
    const { text, params } = table.words!.inSpan('?', { first: 1, last: 2 });
    const types = text
      .replace('? BETWEEN', '')
      .split(' AND ')
      .map((bound) => `typeof(${bound})`);
    expect(db.rows(`SELECT ${types.join(', ')}`, params)).toEqual([['integer', 'integer']]);
  });

  test('leave the index alone when a write changes nothing that the words follow from', () => {
    const asked: unknown[] = [];
    const of = ({ said }: Record<string, unknown>): string[] => {
      asked.push(said);
      return said as string[];
    };
    const counted = new DocumentTable(db, { ...schema, words: { ...schema.words, of } }, 'counted__1');
    counted.create();
    const write = (position: number, doc: object): void =>
      db.transaction(() => counted.apply(new Map([[1, doc]]), position));
    write(1, { said: ['x'], sender: 1 });
    write(2, { said: ['x'], sender: 2 });
    expect(asked).toEqual([['x']]);
    write(3, { said: ['y'], sender: 2 });
    expect(asked.slice(1)).toEqual([['x'], ['y']]);
  });

  test('list what another index finds, when that is little', () => {
    expect(planOf(filterOf(where.eq('channel', 1)))).toContain('LIST SUBQUERY');
    expect(planOf(filterOf(where.eq('channel', 2)))).not.toContain('LIST SUBQUERY');
    expect(planOf(filterOf(where.eq('sender', 7), where.eq('channel', 2)))).toContain('LIST SUBQUERY');
  });

  test.each([1, 2])('find the same in channel %i either way', (channel) => {
    const filter = filterOf(
      where.eq('channel', channel),
      where.contains('words', 'y'),
      where.range('$key', { lt: 900 }),
    );
    const found = all(search.find({ where: filter, sort: descending, limit: 5 })).map(({ key }) => key);
    const expected = Array.from({ length: 900 }, (_, index) => 899 - index).filter(
      (index) => index % 3 === 0 && (index % 10 === 0) === (channel === 1),
    );
    expect(found).toEqual(expected.slice(0, 5));
  });
});
