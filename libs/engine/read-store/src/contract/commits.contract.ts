import { sized } from '#testing';
import { where } from '../read-store.js';
import { at, keysOf, notes, people, put, type ContractStore, type Doc } from './store.contract.js';

/** Contract of commits: atomicity and order. */
export function describeCommits(home: ContractStore): void {
  describe('a commit', () => {
    test('is all or nothing: documents, lists, prunes and checkpoints', async () => {
      const [collection, others] = [await home.store.collection<Doc>(notes), await home.store.collection<Doc>(people)];
      const checkpoints = { notes: { checkpoint: 'c1', position: 1 } };
      await home.store.commit({ ...at(1, put('notes', 1, { channel: 1, words: ['old'] })), checkpoints });
      const broken = [
        put('notes', 1, { channel: 2, words: ['new'] }),
        put('notes', 2, { channel: 2, words: ['new'] }),
        put('people', 'ann', { city: 5 }),
      ];
      const next = { notes: { checkpoint: 'c2', position: 2 } };
      await expect(
        home.store.commit({
          writes: broken,
          prunes: [{ collection: 'notes', below: 2 }],
          checkpoints: next,
          position: 2,
        }),
      ).rejects.toThrow(TypeError);
      expect(await collection.find({ limit: 9 })).toEqual([{ key: 1, doc: { channel: 1, words: ['old'] } }]);
      expect(await collection.find({ where: where.contains('words', 'new'), limit: 9 })).toEqual([]);
      expect(await others.get('ann')).toBeUndefined();
      expect(await home.store.checkpoint('notes')).toEqual({ checkpoint: 'c1', position: 1 });
    });

    test('never overwrites or removes what a later position wrote, and repeats at the same', async () => {
      const collection = await home.store.collection<Doc>(notes);
      await home.store.commit(at(5, put('notes', 1, { channel: 5, words: ['five'] })));
      await home.store.commit(at(4, put('notes', 1, { channel: 4, words: ['four'] })));
      await home.store.commit(at(4, put('notes', 1, undefined)));
      expect(await collection.get(1)).toEqual({ channel: 5, words: ['five'] });
      expect(await keysOf(collection, { where: where.contains('words', 'four') })).toEqual([]);
      expect(await keysOf(collection, { where: where.contains('words', 'five') })).toEqual([1]);
      await home.store.commit(at(5, put('notes', 1, { channel: 6 })));
      expect(await collection.get(1)).toEqual({ channel: 6 });
      await home.store.commit(at(5, put('notes', 1, undefined)));
      expect(await collection.get(1)).toBeUndefined();
    });

    test('counts the last write to a document', async () => {
      const collection = await home.store.collection<Doc>(notes);
      await home.store.commit(
        at(1, put('notes', 1, { channel: 1 }), put('notes', 1, { channel: 2 }), put('notes', 2, { channel: 1 })),
      );
      expect(await collection.get(1)).toEqual({ channel: 2 });
      await home.store.commit(
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
      const collection = await home.store.collection<Doc>(notes);
      // More than a savepoint of SQLite takes, or at least a batch of overwrites.
      const count = sized({ nightly: 1000, usual: home.harness.isSlow ? 200 : 1000 });
      const keys = Array.from({ length: count }, (_, key) => key);
      await home.store.commit(
        at(1, ...keys.map((key) => put('notes', key, { channel: key % 3, mentions: [key % 5] }))),
      );
      await home.store.commit(
        at(2, ...keys.map((key) => put('notes', key + count / 2, key % 2 ? { channel: 9, mentions: [9] } : undefined))),
      );
      expect(await collection.count(undefined, 5000)).toBe(count);
      expect(await collection.count(where.eq('channel', 9), 5000)).toBe(count / 2);
      expect(await collection.count(where.contains('mentions', 9), 5000)).toBe(count / 2);
      expect(await collection.count(where.contains('mentions', 1), 5000)).toBe(count / 10);
    });

    test('prunes below a key, lists too', async () => {
      const collection = await home.store.collection<Doc>(notes);
      await home.store.commit(at(9, ...[1, 2, 3].map((key) => put('notes', key, { mentions: [7] }))));
      await home.store.commit({ writes: [], prunes: [{ collection: 'notes', below: 3 }], position: 1 });
      expect(await keysOf(collection)).toEqual([3]);
      expect(await keysOf(collection, { where: where.contains('mentions', 7) })).toEqual([3]);
    });

    test('prunes ranges of keys after its writes, and nothing beside them', async () => {
      const [collection, others] = [await home.store.collection<Doc>(notes), await home.store.collection<Doc>(people)];
      await home.store.commit(at(9, ...[1, 2, 3, 4, 5].map((key) => put('notes', key, { mentions: [7] }))));
      await home.store.commit(at(9, ...['a:1', 'a:2', 'a;', 'b:1', 'c:1'].map((key) => put('people', key, {}))));
      await home.store.commit({
        ...at(3, put('people', 'b:2', {}), put('people', 'd:1', {})),
        prunes: [
          { collection: 'notes', from: 2, below: 4 },
          { collection: 'notes', from: 5, below: 5 },
          { collection: 'people', from: 'a:', below: 'a;' },
          { collection: 'people', from: 'b', below: 'c' },
        ],
      });
      expect(await keysOf(collection)).toEqual([1, 4, 5]);
      expect(await keysOf(collection, { where: where.contains('mentions', 7) })).toEqual([1, 4, 5]);
      expect(await keysOf(others)).toEqual(['a;', 'c:1', 'd:1']);
    });

    test('to an unknown collection is an error', async () => {
      await expect(home.store.commit(at(1, put('nowhere', 1, {})))).rejects.toThrow(/nowhere/);
    });

    test('remembers checkpoints by name', async () => {
      expect(await home.store.checkpoint('notes')).toBeUndefined();
      const checkpoints = { notes: { checkpoint: 'x', position: 3 }, feed: { checkpoint: 'y', position: 4 } };
      await home.store.commit({ writes: [], position: 4, checkpoints });
      await home.store.commit({ writes: [], position: 5, checkpoints: { notes: { checkpoint: 'z', position: 5 } } });
      await home.reopen();
      expect(await home.store.checkpoint('notes')).toEqual({ checkpoint: 'z', position: 5 });
      expect(await home.store.checkpoint('feed')).toEqual({ checkpoint: 'y', position: 4 });
    });
  });
}
