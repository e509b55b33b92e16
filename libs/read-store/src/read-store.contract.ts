import fc from 'fast-check';
import { findPlainly } from './plain-reference.fixture.js';
import { where } from './read-store.js';
import type {
  Collection,
  CollectionSchema,
  Commit,
  Filter,
  Find,
  Key,
  ReadStore,
  SideStore,
  Write,
} from './read-store.js';

/** One place for data. `open` may be called again once the store opened before is closed, and finds the same data. */
export interface ReadStoreHarness {
  open(): Promise<ReadStore>;
  openSide(): Promise<{ side: SideStore; close(): Promise<void> }>;
  destroy(): Promise<void>;
}

type Doc = Record<string, unknown>;

const notes = {
  name: 'notes',
  key: 'integer',
  fields: { channel: 'integer', topic: 'text', sender: 'integer' },
  indexes: [['channel'], ['channel', 'topic'], ['sender']],
  many: { mentions: 'integer', words: 'text' },
} as const satisfies CollectionSchema;

const people = {
  name: 'people',
  key: 'text',
  fields: { age: 'integer', city: 'text' },
  indexes: [['city']],
} as const satisfies CollectionSchema;

const essays = {
  name: 'essays',
  key: 'integer',
  fields: { channel: 'integer' },
  indexes: [['channel']],
  many: { mentions: 'integer' },
  words: { field: 'word', version: 1, of: ({ said }) => (Array.isArray(said) ? (said as string[]) : []) },
} as const satisfies CollectionSchema;

/** What every read store promises (see the port). */
export function readStoreContract(name: string, harnessOf: () => Promise<ReadStoreHarness>): void {
  describe(`the read store on ${name}`, () => {
    let harness: ReadStoreHarness;
    let store: ReadStore;

    beforeEach(async () => {
      harness = await harnessOf();
      store = await harness.open();
    });
    afterEach(async () => {
      await store.close();
      await harness.destroy();
    });

    const at = (position: number, ...writes: Write[]): Commit => ({ writes, position });
    const put = (collection: string, key: Key, doc: Doc | undefined): Write => ({ collection, key, doc });
    const reopen = async (): Promise<void> => {
      await store.close();
      store = await harness.open();
    };
    const keysOf = async (collection: Collection<Doc>, find: Partial<Find> = {}): Promise<readonly Key[]> =>
      (await collection.find({ limit: 1000, ...find })).map(({ key }) => key);

    describe('documents', () => {
      test.each<[string, Doc]>([
        ['all fields', { channel: 1, topic: 'a', sender: 2, content: 'x', nested: { a: [1, null, { b: true }] } }],
        ['lists in lists', { channel: 1, topic: 'a', nested: { a: [[1, 2], [], [[{ b: [[3]] }]]] } }],
        ['no fields', {}],
        ['missing fields stay missing', { channel: 1 }],
        ['null stays null', { channel: null, topic: null, note: null }],
        ['a boolean in an integer field', { channel: true, sender: false }],
        ['fractions and large numbers', { channel: 1.5, sender: Number.MAX_SAFE_INTEGER }],
        ['names that look special', { $key: 'x', $body: 'y', position: 3, key: 4, constructor: 'z' }],
        ['text of all planes', { topic: '\u{1f600} \u0000 é "\'\\', content: '\u{10ffff}' }],
        ['lists', { mentions: [1, 2, 2], words: ['a', 'b'] }],
        ['empty lists', { mentions: [], words: [] }],
      ])('come back as they went in: %s', async (_, doc) => {
        const collection = await store.collection<Doc>(notes);
        await store.commit(at(1, put('notes', 7, doc)));
        expect(await collection.get(7)).toStrictEqual(doc);
        expect((await collection.getMany([7])).get(7)).toStrictEqual(doc);
        expect(await collection.find({ limit: 5 })).toEqual([{ key: 7, doc }]);
        await reopen();
        expect(await (await store.collection<Doc>(notes)).get(7)).toStrictEqual(doc);
      });

      test('are absent under other keys', async () => {
        const collection = await store.collection<Doc>(notes);
        await store.commit(at(1, put('notes', 1, { channel: 1 })));
        expect(await collection.get(2)).toBeUndefined();
        expect((await collection.getMany([1, 2, 3])).size).toBe(1);
        expect((await collection.getMany([])).size).toBe(0);
      });

      test('have text keys too, whatever the text', async () => {
        const collection = await store.collection<Doc>(people);
        const keys = ['', 'a', 'A', "o'clock", '10', '9', '\u{1f600}', '\uffee', 'a'.repeat(500)];
        await store.commit(at(1, ...keys.map((key) => put('people', key, { city: key }))));
        const sorted = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(await keysOf(collection)).toEqual(sorted);
        expect([...(await collection.getMany(keys)).keys()].sort()).toEqual([...keys].sort());
      });

      test('are loaded by the hundreds', async () => {
        const collection = await store.collection<Doc>(notes);
        const keys = Array.from({ length: 777 }, (_, index) => index * 3);
        await store.commit(at(1, ...keys.map((key) => put('notes', key, { channel: key }))));
        const found = await collection.getMany([...keys, 1, 2]);
        expect(found.size).toBe(777);
        expect(found.get(2328)).toEqual({ channel: 2328 });
      });

      test('with a value of another type than declared are an error', async () => {
        await store.collection<Doc>(notes);
        await expect(store.commit(at(1, put('notes', 1, { topic: 5 })))).rejects.toThrow(TypeError);
        await expect(store.commit(at(1, put('notes', 1, { channel: '5' })))).rejects.toThrow(TypeError);
        await expect(store.commit(at(1, put('notes', 1, { mentions: 5 })))).rejects.toThrow(TypeError);
        await expect(store.commit(at(1, put('notes', 'x', {})))).rejects.toThrow(TypeError);
      });
    });

    describe('a commit', () => {
      test('is all or nothing: documents, lists, prunes and checkpoints', async () => {
        const [collection, others] = [await store.collection<Doc>(notes), await store.collection<Doc>(people)];
        const checkpoints = { notes: { checkpoint: 'c1', position: 1 } };
        await store.commit({ ...at(1, put('notes', 1, { channel: 1, words: ['old'] })), checkpoints });
        const broken = [
          put('notes', 1, { channel: 2, words: ['new'] }),
          put('notes', 2, { channel: 2, words: ['new'] }),
          put('people', 'ann', { city: 5 }),
        ];
        const next = { notes: { checkpoint: 'c2', position: 2 } };
        await expect(
          store.commit({ writes: broken, prunes: [{ collection: 'notes', below: 2 }], checkpoints: next, position: 2 }),
        ).rejects.toThrow(TypeError);
        expect(await collection.find({ limit: 9 })).toEqual([{ key: 1, doc: { channel: 1, words: ['old'] } }]);
        expect(await collection.find({ where: where.contains('words', 'new'), limit: 9 })).toEqual([]);
        expect(await others.get('ann')).toBeUndefined();
        expect(await store.checkpoint('notes')).toEqual({ checkpoint: 'c1', position: 1 });
      });

      test('never overwrites or removes what a later position wrote, and repeats at the same', async () => {
        const collection = await store.collection<Doc>(notes);
        await store.commit(at(5, put('notes', 1, { channel: 5, words: ['five'] })));
        await store.commit(at(4, put('notes', 1, { channel: 4, words: ['four'] })));
        await store.commit(at(4, put('notes', 1, undefined)));
        expect(await collection.get(1)).toEqual({ channel: 5, words: ['five'] });
        expect(await keysOf(collection, { where: where.contains('words', 'four') })).toEqual([]);
        expect(await keysOf(collection, { where: where.contains('words', 'five') })).toEqual([1]);
        await store.commit(at(5, put('notes', 1, { channel: 6 })));
        expect(await collection.get(1)).toEqual({ channel: 6 });
        await store.commit(at(5, put('notes', 1, undefined)));
        expect(await collection.get(1)).toBeUndefined();
      });

      test('counts the last write to a document', async () => {
        const collection = await store.collection<Doc>(notes);
        await store.commit(
          at(1, put('notes', 1, { channel: 1 }), put('notes', 1, { channel: 2 }), put('notes', 2, { channel: 1 })),
        );
        expect(await collection.get(1)).toEqual({ channel: 2 });
        await store.commit(
          at(
            2,
            put('notes', 1, { channel: 3 }),
            put('notes', 1, undefined),
            put('notes', 2, undefined),
            put('notes', 2, {}),
          ),
        );
        expect(await collection.get(1)).toBeUndefined();
        expect(await collection.get(2)).toEqual({});
      });

      test('of many writes updates, inserts and removes in one go', async () => {
        const collection = await store.collection<Doc>(notes);
        const keys = Array.from({ length: 1000 }, (_, key) => key);
        await store.commit(at(1, ...keys.map((key) => put('notes', key, { channel: key % 3, mentions: [key % 5] }))));
        await store.commit(
          at(2, ...keys.map((key) => put('notes', key + 500, key % 2 ? { channel: 9, mentions: [9] } : undefined))),
        );
        expect(await collection.count(undefined, 5000)).toBe(1000);
        expect(await collection.count(where.eq('channel', 9), 5000)).toBe(500);
        expect(await collection.count(where.contains('mentions', 9), 5000)).toBe(500);
        expect(await collection.count(where.contains('mentions', 1), 5000)).toBe(100);
      });

      test('prunes below a key, lists too', async () => {
        const collection = await store.collection<Doc>(notes);
        await store.commit(at(9, ...[1, 2, 3].map((key) => put('notes', key, { mentions: [7] }))));
        await store.commit({ writes: [], prunes: [{ collection: 'notes', below: 3 }], position: 1 });
        expect(await keysOf(collection)).toEqual([3]);
        expect(await keysOf(collection, { where: where.contains('mentions', 7) })).toEqual([3]);
      });

      test('to an unknown collection is an error', async () => {
        await expect(store.commit(at(1, put('nowhere', 1, {})))).rejects.toThrow(/nowhere/);
      });

      test('remembers checkpoints by name', async () => {
        expect(await store.checkpoint('notes')).toBeUndefined();
        const checkpoints = { notes: { checkpoint: 'x', position: 3 }, feed: { checkpoint: 'y', position: 4 } };
        await store.commit({ writes: [], position: 4, checkpoints });
        await store.commit({ writes: [], position: 5, checkpoints: { notes: { checkpoint: 'z', position: 5 } } });
        await reopen();
        expect(await store.checkpoint('notes')).toEqual({ checkpoint: 'z', position: 5 });
        expect(await store.checkpoint('feed')).toEqual({ checkpoint: 'y', position: 4 });
      });
    });

    describe('a search', () => {
      test('over many channels gives the newest of all, each once', async () => {
        const collection = await store.collection<Doc>(notes);
        const docs = Array.from({ length: 2000 }, (_, key) =>
          put('notes', key, { channel: key % 400, mentions: key % 9 ? [] : [1] }),
        );
        await store.commit(at(1, ...docs));
        const mine = Array.from({ length: 300 }, (_, channel) => channel);
        const sort = [{ field: '$key', direction: 'descending' }] as const;
        const visible = where.or(where.in('channel', mine), where.contains('mentions', 1));
        const expected = docs
          .map(({ key }) => key as number)
          .filter((key) => key % 400 < 300 || key % 9 === 0)
          .reverse();
        expect(await keysOf(collection, { where: visible, sort, limit: 100 })).toEqual(expected.slice(0, 100));
        const before = where.and(visible, where.range('$key', { lt: 1000 }));
        expect(await keysOf(collection, { where: before, sort, limit: 100 })).toEqual(
          expected.filter((key) => key < 1000).slice(0, 100),
        );
        expect(await collection.count(visible, 5000)).toBe(expected.length);
      });

      test('takes lists of thousands of values', async () => {
        const collection = await store.collection<Doc>(notes);
        await store.commit(
          at(1, ...Array.from({ length: 50 }, (_, key) => put('notes', key, { channel: key * 1000, topic: `${key}` }))),
        );
        const values = Array.from({ length: 20_000 }, (_, value) => value);
        expect(await keysOf(collection, { where: where.in('channel', values) })).toHaveLength(20);
        expect(await keysOf(collection, { where: where.in('$key', values) })).toHaveLength(50);
        expect(await keysOf(collection, { where: where.not(where.in('channel', values)) })).toHaveLength(30);
        expect(
          await keysOf(collection, {
            where: where.or(...values.slice(0, 3000).map((value) => where.eq('sender', value))),
          }),
        ).toEqual([]);
        expect(await keysOf(collection, { where: where.in('topic', values.map(String)) })).toHaveLength(50);
      });

      test('finds undeclared top-level fields by their value', async () => {
        const collection = await store.collection<Doc>(notes);
        await store.commit(
          at(1, put('notes', 1, { colour: 'red', weight: 5 }), put('notes', 2, { colour: null }), put('notes', 3, {})),
        );
        expect(await keysOf(collection, { where: where.eq('colour', 'red') })).toEqual([1]);
        expect(await keysOf(collection, { where: where.eq('colour', null) })).toEqual([2, 3]);
        expect(await keysOf(collection, { where: where.range('weight', { gte: 5 }) })).toEqual([1]);
        expect(await keysOf(collection, { where: where.range('colour', { gte: 5 }) })).toEqual([]);
      });

      test.each([`x"') OR 1=1 --`, '', 'a b', "a'b", 'x'.repeat(100)])('takes no field called %j', async (field) => {
        const collection = await store.collection<Doc>(notes);
        await expect(collection.find({ where: where.eq(field, 1), limit: 1 })).rejects.toThrow();
        await expect(collection.find({ sort: [{ field, direction: 'ascending' }], limit: 1 })).rejects.toThrow();
        await expect(collection.find({ where: where.contains(field, 1), limit: 1 })).rejects.toThrow();
      });

      test('has values that are never taken for a part of the query', async () => {
        const collection = await store.collection<Doc>(notes);
        const topic = `x' OR '1'='1`;
        await store.commit(at(1, put('notes', 1, { topic, words: [topic] }), put('notes', 2, { topic: 'y' })));
        expect(await keysOf(collection, { where: where.eq('topic', topic) })).toEqual([1]);
        expect(await keysOf(collection, { where: where.in('topic', [topic, 'z']) })).toEqual([1]);
        expect(await keysOf(collection, { where: where.contains('words', topic) })).toEqual([1]);
      });

      test('has a limit, and a count a bound', async () => {
        const collection = await store.collection<Doc>(notes);
        await store.commit(at(1, ...[1, 2, 3].map((key) => put('notes', key, {}))));
        expect(await keysOf(collection, { limit: 2 })).toEqual([1, 2]);
        expect(await keysOf(collection, { limit: 0 })).toEqual([]);
        expect(await collection.count(undefined, 2)).toBe(2);
        await expect(collection.find({ limit: -1 })).rejects.toThrow(RangeError);
        await expect(collection.find({ limit: Number.NaN })).rejects.toThrow(RangeError);
      });

      test('agrees with a plain array, whatever is asked', async () => {
        const collection = await store.collection<Doc>(notes);
        let position = 0;
        await fc.assert(
          fc.asyncProperty(documents, fc.array(finds, { minLength: 1, maxLength: 12 }), async (docs, asked) => {
            const old = (await keysOf(collection)).map((key) => put('notes', key, undefined));
            await store.commit(at(++position, ...old));
            await store.commit(at(position, ...[...docs].map(([key, doc]) => put('notes', key, doc))));
            for (const find of asked) {
              const expected = findPlainly(notes, docs, find);
              expect(await collection.find(find)).toStrictEqual(expected);
              expect(await collection.count(find.where, 1000)).toBe(
                findPlainly(notes, docs, { ...find, limit: 1000 }).length,
              );
            }
          }),
          { numRuns: 150 },
        );
      });
    });

    describe('words', () => {
      const wordsAre = (...words: string[]): Filter => where.and(...words.map((word) => where.contains('word', word)));

      test('are found, and are no part of the document', async () => {
        const collection = await store.collection<Doc>(essays);
        const doc = { channel: 1, said: ['cat', 'dog'] };
        await store.commit(at(1, put('essays', 1, doc), put('essays', 2, { said: ['cat'] }), put('essays', 3, {})));
        expect(await keysOf(collection, { where: wordsAre('cat') })).toEqual([1, 2]);
        expect(await keysOf(collection, { where: wordsAre('cat', 'dog') })).toEqual([1]);
        expect(await keysOf(collection, { where: where.not(wordsAre('cat')) })).toEqual([3]);
        expect(await keysOf(collection, { where: wordsAre('ca') })).toEqual([]);
        expect(await collection.get(1)).toStrictEqual(doc);
        expect(await collection.find({ where: wordsAre('dog'), limit: 5 })).toStrictEqual([{ key: 1, doc }]);
      });

      test('follow the documents: changed, removed, pruned, and never back', async () => {
        const collection = await store.collection<Doc>(essays);
        const found = (word: string): Promise<readonly Key[]> => keysOf(collection, { where: wordsAre(word) });
        await store.commit(at(5, put('essays', 1, { said: ['old'] }), put('essays', 2, { said: ['old'] })));
        await store.commit(at(6, put('essays', 1, { said: ['new', 'old'] }), put('essays', 1, { said: ['new'] })));
        expect([await found('old'), await found('new')]).toEqual([[2], [1]]);
        await store.commit(at(5, put('essays', 1, { said: ['old'] })));
        expect([await found('old'), await found('new')]).toEqual([[2], [1]]);
        await store.commit(at(7, put('essays', 2, undefined)));
        expect(await found('old')).toEqual([]);
        await expect(store.commit(at(8, put('essays', 3, { said: ['old'] }), put('nowhere', 1, {})))).rejects.toThrow();
        expect(await found('old')).toEqual([]);
        await store.commit({ writes: [], prunes: [{ collection: 'essays', below: 2 }], position: 9 });
        expect(await found('new')).toEqual([]);
        await reopen();
        expect(await keysOf(await store.collection<Doc>(essays), { where: wordsAre('new') })).toEqual([]);
      });

      test('come newest first, a page at a time, whatever else is asked', async () => {
        const collection = await store.collection<Doc>(essays);
        const keys = Array.from({ length: 1500 }, (_, key) => key);
        await store.commit(
          at(1, ...keys.map((key) => put('essays', key, { channel: key % 7, said: key % 3 ? ['x'] : ['x', 'y'] }))),
        );
        const sort = [{ field: '$key', direction: 'descending' }] as const;
        const wanted = where.and(wordsAre('x', 'y'), where.in('channel', [2, 4]), where.range('$key', { lt: 1200 }));
        const expected = keys.filter((key) => key % 3 === 0 && [2, 4].includes(key % 7) && key < 1200).reverse();
        expect(await keysOf(collection, { where: wanted, sort, limit: 20 })).toEqual(expected.slice(0, 20));
        expect(await collection.count(wanted, 5000)).toBe(expected.length);
      });

      test.each([
        'Two words',
        '"',
        "a' OR 'b",
        '',
        '_',
        'x_y',
        '*',
        'é',
        'É',
        'A',
        '\u0000',
        '\ud800',
        '\u{1f600}',
        '日本',
      ])('may be anything: %j', async (word) => {
        const collection = await store.collection<Doc>(essays);
        await store.commit(at(1, put('essays', 1, { said: [word, 'other'] }), put('essays', 2, { said: ['other'] })));
        expect(await keysOf(collection, { where: wordsAre(word) })).toEqual([1]);
        expect(await keysOf(collection, { where: wordsAre('other', word) })).toEqual([1]);
      });

      test('agree with a plain array, whatever is asked', async () => {
        const collection = await store.collection<Doc>(essays);
        let position = 0;
        await fc.assert(
          fc.asyncProperty(
            essayDocuments,
            fc.array(essayFinds, { minLength: 1, maxLength: 8 }),
            async (docs, asked) => {
              const old = (await keysOf(collection)).map((key) => put('essays', key, undefined));
              await store.commit(at(++position, ...old));
              await store.commit(at(position, ...[...docs].map(([key, doc]) => put('essays', key, doc))));
              for (const find of asked)
                expect(await collection.find(find)).toStrictEqual(findPlainly(essays, docs, find));
            },
          ),
          { numRuns: 80 },
        );
      });

      test('are built again with another version, and with a rebuild', async () => {
        let collection = await store.collection<Doc>(essays);
        await store.commit(at(1, put('essays', 1, { said: ['old'] })));
        const rebuild = await store.startRebuild(essays);
        await store.commit(at(1, put(rebuild.shadow, 2, { said: ['new'] })));
        expect(await keysOf(store.shadow<Doc>(rebuild), { where: wordsAre('new') })).toEqual([2]);
        await store.indexRebuild(rebuild);
        await store.finishRebuild(essays, rebuild);
        expect(await keysOf(collection, { where: wordsAre('old') })).toEqual([]);
        expect(await keysOf(collection, { where: wordsAre('new') })).toEqual([2]);
        await reopen();
        collection = await store.collection<Doc>({ ...essays, words: { ...essays.words, version: 2 } });
        expect(await keysOf(collection)).toEqual([]);
      });
    });

    describe('a rebuild', () => {
      test('swaps under those who hold the collection, its checkpoint with it', async () => {
        const collection = await store.collection<Doc>(notes);
        await store.commit({
          ...at(5, put('notes', 1, { words: ['old'] })),
          checkpoints: { notes: { checkpoint: 'old', position: 5 } },
        });
        const rebuild = await store.startRebuild(notes);
        const shadow = store.shadow<Doc>(rebuild);
        const checkpoints = { [rebuild.shadow]: { checkpoint: 'new', position: 4 } };
        await store.commit({ ...at(4, put(rebuild.shadow, 2, { channel: 3, words: ['new'] })), checkpoints });
        expect(await shadow.get(2)).toEqual({ channel: 3, words: ['new'] });
        expect(await collection.get(2)).toBeUndefined();
        expect(await store.checkpoint('notes')).toEqual({ checkpoint: 'old', position: 5 });
        await store.indexRebuild(rebuild);
        await store.finishRebuild(notes, rebuild);
        expect(await keysOf(collection)).toEqual([2]);
        expect(await keysOf(collection, { where: where.eq('channel', 3) })).toEqual([2]);
        expect(await keysOf(collection, { where: where.contains('words', 'old') })).toEqual([]);
        expect(await keysOf(collection, { where: where.contains('words', 'new') })).toEqual([2]);
        expect(await store.checkpoint('notes')).toEqual({ checkpoint: 'new', position: 4 });
        expect(await store.checkpoint(rebuild.shadow)).toBeUndefined();
        await store.commit(at(6, put('notes', 3, {})));
        await reopen();
        expect(await keysOf(await store.collection<Doc>(notes))).toEqual([2, 3]);
      });

      test('that was not finished leaves nothing behind, and the next begins empty', async () => {
        const collection = await store.collection<Doc>(notes);
        await store.commit(at(1, put('notes', 1, {})));
        const first = await store.startRebuild(notes);
        await store.commit({
          ...at(1, put(first.shadow, 8, {})),
          checkpoints: { [first.shadow]: { checkpoint: 'x', position: 1 } },
        });
        const second = await store.startRebuild(notes);
        expect(await keysOf(store.shadow<Doc>(second))).toEqual([]);
        expect(await store.checkpoint(second.shadow)).toBeUndefined();
        expect(await keysOf(collection)).toEqual([1]);
        await store.commit(at(1, put(second.shadow, 9, {})));
        await reopen();
        expect(await keysOf(await store.collection<Doc>(notes))).toEqual([1]);
        const third = await store.startRebuild(notes);
        expect(await keysOf(store.shadow<Doc>(third))).toEqual([]);
        await store.finishRebuild(notes, third);
        expect(await keysOf(await store.collection<Doc>(notes))).toEqual([]);
      });

      test('can follow a rebuild', async () => {
        const collection = await store.collection<Doc>(notes);
        for (const round of [1, 2, 3]) {
          const rebuild = await store.startRebuild(notes);
          await store.commit(at(round, put(rebuild.shadow, round, { mentions: [round] })));
          await store.finishRebuild(notes, rebuild);
          expect(await keysOf(collection)).toEqual([round]);
        }
      });

      test('is never seen in halves by readers', async () => {
        const collection = await store.collection<Doc>(notes);
        const keys = Array.from({ length: 200 }, (_, key) => key);
        const fill = (name: string, round: number): Promise<void> =>
          store.commit(at(round, ...keys.map((key) => put(name, key, { channel: round }))));
        await fill('notes', 0);
        const done = new AbortController();
        let reads = 0;
        const reading = (async () => {
          while (!done.signal.aborted) {
            const channels = new Set((await collection.find({ limit: 1000 })).map(({ doc }) => doc.channel));
            expect(channels.size).toBe(1);
            expect(await collection.count(undefined, 1000)).toBe(200);
            reads++;
            await new Promise(setImmediate);
          }
        })();
        for (let round = 1; round <= 5; round++) {
          const rebuild = await store.startRebuild(notes);
          await fill(rebuild.shadow, round);
          await store.indexRebuild(rebuild);
          await store.finishRebuild(notes, rebuild);
          await new Promise(setImmediate);
        }
        done.abort();
        await reading;
        expect(reads).toBeGreaterThan(3);
      });
    });

    describe('a changed schema', () => {
      test.each<[string, Partial<CollectionSchema>]>([
        ['field', { fields: { ...notes.fields, colour: 'text' } }],
        ['index', { indexes: [['sender', 'topic']] }],
        ['list', { many: {} }],
        ['key', { key: 'text' }],
      ])('(%s) drops the collection and its checkpoint, so that it is built again', async (_, change) => {
        await store.collection<Doc>(notes);
        const checkpoints = { notes: { checkpoint: 'x', position: 1 }, people: { checkpoint: 'y', position: 1 } };
        await store.commit({ ...at(1, put('notes', 1, { words: ['a'] })), checkpoints });
        await reopen();
        const collection = await store.collection<Doc>({ ...notes, ...change });
        expect(await keysOf(collection)).toEqual([]);
        expect(await store.checkpoint('notes')).toBeUndefined();
        expect(await store.checkpoint('people')).toEqual({ checkpoint: 'y', position: 1 });
      });

      test('is not one that only lists its parts in another order', async () => {
        await store.collection<Doc>(notes);
        await store.commit(at(1, put('notes', 1, { channel: 1, topic: 'a' })));
        const collection = await store.collection<Doc>({
          ...notes,
          fields: { topic: 'text', sender: 'integer', channel: 'integer' },
        });
        expect(await collection.get(1)).toEqual({ channel: 1, topic: 'a' });
      });
    });

    test('side documents are kept by kind and id', async () => {
      let { side, close } = await harness.openSide();
      await side.put('queue', 'b', { n: 1 });
      await side.put('queue', 'a', { n: 2 });
      await side.put('snapshot', 'a', { n: 3 });
      await side.put('queue', 'b', { n: 4 });
      await close();
      ({ side, close } = await harness.openSide());
      expect(await side.get('queue', 'b')).toEqual({ n: 4 });
      expect(await side.list('queue')).toEqual([
        { id: 'a', value: { n: 2 } },
        { id: 'b', value: { n: 4 } },
      ]);
      await side.remove('queue', 'a');
      await side.remove('queue', 'never');
      expect(await side.get('queue', 'a')).toBeUndefined();
      expect(await side.get('snapshot', 'a')).toEqual({ n: 3 });
      expect(await side.list('nothing')).toEqual([]);
      await close();
    });
  });
}

const smallInteger = fc.integer({ min: 0, max: 5 });
const smallText = fc.constantFrom('', 'a', 'b', 'B', 'é', '\uffee', '\u{1f600}');
const orNull = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { nil: null });

const documents = fc
  .array(
    fc.tuple(
      fc.integer({ min: -5, max: 40 }),
      fc.record(
        {
          channel: orNull(smallInteger),
          topic: orNull(smallText),
          sender: orNull(smallInteger),
          colour: orNull(smallText),
          mentions: fc.array(smallInteger, { maxLength: 4 }),
          words: fc.array(smallText, { maxLength: 4 }),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    ),
    { maxLength: 30 },
  )
  .map((pairs) => new Map<Key, Doc>(pairs));

const scalars: Readonly<Record<string, fc.Arbitrary<string | number>>> = {
  $key: fc.integer({ min: -5, max: 40 }),
  channel: smallInteger,
  topic: smallText,
  sender: smallInteger,
  colour: smallText,
};

const leaves: fc.Arbitrary<Filter> = fc.oneof(
  ...Object.entries(scalars).flatMap(([field, value]) => [
    (field === '$key' ? value : orNull(value)).map((wanted) => where.eq(field, wanted)),
    fc.array(field === '$key' ? value : orNull(value), { maxLength: 4 }).map((values) => where.in(field, values)),
    fc
      .record({ gt: value, gte: value, lt: value, lte: value }, { requiredKeys: [] })
      .map((bounds) => where.range(field, bounds)),
  ]),
  smallInteger.map((value) => where.contains('mentions', value)),
  smallText.map((value) => where.contains('words', value)),
);

const { filter: filters } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaves,
    fc.array(tie('filter'), { maxLength: 3 }).map((terms) => where.and(...terms)),
    fc.array(tie('filter'), { maxLength: 3 }).map((terms) => where.or(...terms)),
    tie('filter').map((term) => where.not(term)),
  ),
}));

const essayDocuments = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 40 }),
      fc.record(
        { channel: smallInteger, mentions: fc.array(smallInteger, { maxLength: 3 }), said: fc.array(smallText) },
        { requiredKeys: [], noNullPrototype: true },
      ),
    ),
    { maxLength: 25 },
  )
  .map((pairs) => new Map<Key, Doc>(pairs));

const essayLeaves: fc.Arbitrary<Filter> = fc.oneof(
  { arbitrary: smallText.map((value) => where.contains('word', value)), weight: 4 },
  smallInteger.map((value) => where.contains('mentions', value)),
  smallInteger.map((value) => where.eq('channel', value)),
  fc.array(smallInteger, { maxLength: 3 }).map((values) => where.in('channel', values)),
  fc.integer({ min: 0, max: 40 }).map((bound) => where.range('$key', { lt: bound })),
);

const { filter: essayFilters } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    essayLeaves,
    fc.array(tie('filter'), { maxLength: 3 }).map((terms) => where.and(...terms)),
    fc.array(tie('filter'), { maxLength: 3 }).map((terms) => where.or(...terms)),
    tie('filter').map((term) => where.not(term)),
  ),
}));

const essayFinds: fc.Arbitrary<Find> = fc.record(
  {
    where: essayFilters,
    sort: fc
      .constantFrom('ascending' as const, 'descending' as const)
      .map((direction) => [{ field: '$key', direction }]),
    limit: fc.integer({ min: 0, max: 20 }),
  },
  { requiredKeys: ['limit'] },
);

const sorts = fc.array(
  fc.record({
    field: fc.constantFrom('$key', 'channel', 'topic', 'sender'),
    direction: fc.constantFrom('ascending' as const, 'descending' as const),
  }),
  { maxLength: 2 },
);

const finds: fc.Arbitrary<Find> = fc.record(
  { where: filters, sort: sorts, limit: fc.integer({ min: 0, max: 20 }) },
  { requiredKeys: ['limit'] },
);
