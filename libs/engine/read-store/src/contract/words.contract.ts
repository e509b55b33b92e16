import fc from 'fast-check';
import { rounds, sized } from '#testing';
import { findPlainly } from '../plain-reference.fixture.js';
import { where } from '../read-store.js';
import type { Filter, Key } from '../read-store.js';
import { essayDocuments, essayFinds } from './finds.fixture.js';
import { at, essays, keysOf, put, type ContractStore, type Doc } from './store.contract.js';

/** Contract of full-text search. */
export function describeWords(home: ContractStore): void {
  describe('words', () => {
    const wordsAre = (...words: string[]): Filter => where.and(...words.map((word) => where.contains('word', word)));

    test('are found, and are no part of the document', async () => {
      const collection = await home.store.collection<Doc>(essays);
      const doc = { channel: 1, said: ['cat', 'dog'] };
      await home.store.commit(at(1, put('essays', 1, doc), put('essays', 2, { said: ['cat'] }), put('essays', 3, {})));
      expect(await keysOf(collection, { where: wordsAre('cat') })).toEqual([1, 2]);
      expect(await keysOf(collection, { where: wordsAre('cat', 'dog') })).toEqual([1]);
      expect(await keysOf(collection, { where: where.not(wordsAre('cat')) })).toEqual([3]);
      expect(await keysOf(collection, { where: wordsAre('ca') })).toEqual([]);
      expect(await collection.get(1)).toStrictEqual(doc);
      expect(await collection.find({ where: wordsAre('dog'), limit: 5 })).toStrictEqual([{ key: 1, doc }]);
    });

    test('follow the documents: changed, removed, pruned, and never back', async () => {
      const collection = await home.store.collection<Doc>(essays);
      const found = (word: string): Promise<readonly Key[]> => keysOf(collection, { where: wordsAre(word) });
      await home.store.commit(at(5, put('essays', 1, { said: ['old'] }), put('essays', 2, { said: ['old'] })));
      await home.store.commit(at(6, put('essays', 1, { said: ['new', 'old'] }), put('essays', 1, { said: ['new'] })));
      expect([await found('old'), await found('new')]).toEqual([[2], [1]]);
      await home.store.commit(at(5, put('essays', 1, { said: ['old'] })));
      expect([await found('old'), await found('new')]).toEqual([[2], [1]]);
      await home.store.commit(at(7, put('essays', 2, undefined)));
      expect(await found('old')).toEqual([]);
      await expect(
        home.store.commit(at(8, put('essays', 3, { said: ['old'] }), put('nowhere', 1, {}))),
      ).rejects.toThrow();
      expect(await found('old')).toEqual([]);
      await home.store.commit({ writes: [], prunes: [{ collection: 'essays', below: 2 }], position: 9 });
      expect(await found('new')).toEqual([]);
      await home.reopen();
      expect(await keysOf(await home.store.collection<Doc>(essays), { where: wordsAre('new') })).toEqual([]);
    });

    test('come newest first, a page at a time, with any other conditions', async () => {
      const collection = await home.store.collection<Doc>(essays);
      const keys = Array.from({ length: 1500 }, (_, key) => key);
      await home.store.commit(
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
      const collection = await home.store.collection<Doc>(essays);
      await home.store.commit(
        at(1, put('essays', 1, { said: [word, 'other'] }), put('essays', 2, { said: ['other'] })),
      );
      expect(await keysOf(collection, { where: wordsAre(word) })).toEqual([1]);
      expect(await keysOf(collection, { where: wordsAre('other', word) })).toEqual([1]);
    });

    test('agree with a plain array, for random queries', async () => {
      const collection = await home.store.collection<Doc>(essays);
      let position = 0;
      await fc.assert(
        fc.asyncProperty(essayDocuments, fc.array(essayFinds, { minLength: 1, maxLength: 8 }), async (docs, asked) => {
          const old = (await keysOf(collection)).map((key) => put('essays', key, undefined));
          await home.store.commit(at(++position, ...old));
          await home.store.commit(at(position, ...[...docs].map(([key, doc]) => put('essays', key, doc))));
          for (const find of asked) expect(await collection.find(find)).toStrictEqual(findPlainly(essays, docs, find));
        }),
        { numRuns: rounds(sized({ nightly: 80, usual: 30 })) },
      );
    });

    test('are built again with another version, and with a rebuild', async () => {
      let collection = await home.store.collection<Doc>(essays);
      await home.store.commit(at(1, put('essays', 1, { said: ['old'] })));
      const rebuild = await home.store.startRebuild(essays);
      await home.store.commit(at(1, put(rebuild.shadow, 2, { said: ['new'] })));
      expect(await keysOf(home.store.shadow<Doc>(rebuild), { where: wordsAre('new') })).toEqual([2]);
      await home.store.indexRebuild(rebuild);
      await home.store.finishRebuild(essays, rebuild);
      expect(await keysOf(collection, { where: wordsAre('old') })).toEqual([]);
      expect(await keysOf(collection, { where: wordsAre('new') })).toEqual([2]);
      await home.reopen();
      collection = await home.store.collection<Doc>({ ...essays, words: { ...essays.words, version: 2 } });
      expect(await keysOf(collection)).toEqual([]);
    });
  });
}
