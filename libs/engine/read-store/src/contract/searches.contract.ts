import fc from 'fast-check';
import { rounds, sized } from '#testing';
import { findPlainly } from '../plain-reference.fixture.js';
import { where } from '../read-store.js';
import { documents, finds } from './finds.fixture.js';
import { at, keysOf, notes, put, type ContractStore, type Doc } from './store.contract.js';

/** Contract of filters, sorts and limits. */
export function describeSearches(home: ContractStore): void {
  describe('a search', () => {
    test('over many channels gives the newest of all, each once', async () => {
      const collection = await home.store.collection<Doc>(notes);
      const docs = Array.from({ length: 2000 }, (_, key) =>
        put('notes', key, { channel: key % 400, mentions: key % 9 ? [] : [1] }),
      );
      await home.store.commit(at(1, ...docs));
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
      const collection = await home.store.collection<Doc>(notes);
      await home.store.commit(
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
      const collection = await home.store.collection<Doc>(notes);
      await home.store.commit(
        at(1, put('notes', 1, { colour: 'red', weight: 5 }), put('notes', 2, { colour: null }), put('notes', 3, {})),
      );
      expect(await keysOf(collection, { where: where.eq('colour', 'red') })).toEqual([1]);
      expect(await keysOf(collection, { where: where.eq('colour', null) })).toEqual([2, 3]);
      expect(await keysOf(collection, { where: where.range('weight', { gte: 5 }) })).toEqual([1]);
      expect(await keysOf(collection, { where: where.range('colour', { gte: 5 }) })).toEqual([]);
    });

    test.each([`x"') OR 1=1 --`, '', 'a b', "a'b", 'x'.repeat(100)])('takes no field called %j', async (field) => {
      const collection = await home.store.collection<Doc>(notes);
      await expect(collection.find({ where: where.eq(field, 1), limit: 1 })).rejects.toThrow();
      await expect(collection.find({ sort: [{ field, direction: 'ascending' }], limit: 1 })).rejects.toThrow();
      await expect(collection.find({ where: where.contains(field, 1), limit: 1 })).rejects.toThrow();
    });

    test('reads fields without their documents, if they are integers that the collection declares', async () => {
      const collection = await home.store.collection<Doc>(notes);
      await home.store.commit(at(1, put('notes', 1, { channel: true, topic: 'a' }), put('notes', 2, { sender: null })));
      expect(await collection.findFields({ limit: 9 }, ['channel', 'sender'])).toStrictEqual([
        { key: 1, fields: { channel: 1, sender: null } },
        { key: 2, fields: { channel: null, sender: null } },
      ]);
      for (const field of ['topic', 'colour', 'mentions', '$key', 'x" FROM t --'])
        await expect(collection.findFields({ limit: 1 }, [field])).rejects.toThrow(TypeError);
    });

    test('has values that are never taken for a part of the query', async () => {
      const collection = await home.store.collection<Doc>(notes);
      const topic = `x' OR '1'='1`;
      await home.store.commit(at(1, put('notes', 1, { topic, words: [topic] }), put('notes', 2, { topic: 'y' })));
      expect(await keysOf(collection, { where: where.eq('topic', topic) })).toEqual([1]);
      expect(await keysOf(collection, { where: where.in('topic', [topic, 'z']) })).toEqual([1]);
      expect(await keysOf(collection, { where: where.contains('words', topic) })).toEqual([1]);
    });

    test('has a limit, and a count a bound', async () => {
      const collection = await home.store.collection<Doc>(notes);
      await home.store.commit(at(1, ...[1, 2, 3].map((key) => put('notes', key, {}))));
      expect(await keysOf(collection, { limit: 2 })).toEqual([1, 2]);
      expect(await keysOf(collection, { limit: 0 })).toEqual([]);
      expect(await collection.count(undefined, 2)).toBe(2);
      await expect(collection.find({ limit: -1 })).rejects.toThrow(RangeError);
      await expect(collection.find({ limit: Number.NaN })).rejects.toThrow(RangeError);
    });

    test('agrees with a plain array, for random queries', async () => {
      const collection = await home.store.collection<Doc>(notes);
      let position = 0;
      await fc.assert(
        fc.asyncProperty(documents, fc.array(finds, { minLength: 1, maxLength: 12 }), async (docs, asked) => {
          const old = (await keysOf(collection)).map((key) => put('notes', key, undefined));
          await home.store.commit(at(++position, ...old));
          await home.store.commit(at(position, ...[...docs].map(([key, doc]) => put('notes', key, doc))));
          for (const find of asked) {
            const expected = findPlainly(notes, docs, find);
            expect(await collection.find(find)).toStrictEqual(expected);
            expect(await collection.count(find.where, 1000)).toBe(
              findPlainly(notes, docs, { ...find, limit: 1000 }).length,
            );
          }
        }),
        { numRuns: rounds(sized({ nightly: 150, usual: 50 })) },
      );
    });

    test('gives fields of the same documents in the same order', async () => {
      const collection = await home.store.collection<Doc>(notes);
      const docs = new Map(fc.sample(documents, { seed: 1, numRuns: 40 }).flatMap((some) => [...some]));
      await home.store.commit(at(1, ...[...docs].map(([key, doc]) => put('notes', key, doc))));
      await fc.assert(
        fc.asyncProperty(finds, fc.constantFrom([], ['sender', 'channel']), async (find, names) => {
          const expected = findPlainly(notes, docs, find);
          expect(await collection.findFields(find, names)).toStrictEqual(
            expected.map(({ key, doc }) => ({ key, fields: integersOf(doc, names) })),
          );
        }),
        { numRuns: rounds(sized({ nightly: 150, usual: 50 })) },
      );
    });
  });
}

function integersOf(doc: Doc, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, doc[name] ?? null]));
}
