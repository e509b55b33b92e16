import { where } from '../read-store.js';
import type { CollectionSchema } from '../read-store.js';
import { at, keysOf, notes, put, type ContractStore, type Doc } from './store.contract.js';

/** Contract of rebuilds: collections built beside, or in place of, existing ones. */
export function describeRebuilds(home: ContractStore): void {
  describe('a rebuild', () => {
    test('swaps under those who hold the collection, its checkpoint with it', async () => {
      const collection = await home.store.collection<Doc>(notes);
      await home.store.commit({
        ...at(5, put('notes', 1, { words: ['old'] })),
        checkpoints: { notes: { checkpoint: 'old', position: 5 } },
      });
      const rebuild = await home.store.startRebuild(notes);
      const shadow = home.store.shadow<Doc>(rebuild);
      const checkpoints = { [rebuild.shadow]: { checkpoint: 'new', position: 4 } };
      await home.store.commit({ ...at(4, put(rebuild.shadow, 2, { channel: 3, words: ['new'] })), checkpoints });
      expect(await shadow.get(2)).toEqual({ channel: 3, words: ['new'] });
      expect(await collection.get(2)).toBeUndefined();
      expect(await home.store.checkpoint('notes')).toEqual({ checkpoint: 'old', position: 5 });
      await home.store.indexRebuild(rebuild);
      await home.store.finishRebuild(notes, rebuild);
      expect(await keysOf(collection)).toEqual([2]);
      expect(await keysOf(collection, { where: where.eq('channel', 3) })).toEqual([2]);
      expect(await keysOf(collection, { where: where.contains('words', 'old') })).toEqual([]);
      expect(await keysOf(collection, { where: where.contains('words', 'new') })).toEqual([2]);
      expect(await home.store.checkpoint('notes')).toEqual({ checkpoint: 'new', position: 4 });
      expect(await home.store.checkpoint(rebuild.shadow)).toBeUndefined();
      await home.store.commit(at(6, put('notes', 3, {})));
      await home.reopen();
      expect(await keysOf(await home.store.collection<Doc>(notes))).toEqual([2, 3]);
    });

    test('that was not finished leaves nothing behind, and the next begins empty', async () => {
      const collection = await home.store.collection<Doc>(notes);
      await home.store.commit(at(1, put('notes', 1, {})));
      const first = await home.store.startRebuild(notes);
      await home.store.commit({
        ...at(1, put(first.shadow, 8, {})),
        checkpoints: { [first.shadow]: { checkpoint: 'x', position: 1 } },
      });
      const second = await home.store.startRebuild(notes);
      expect(await keysOf(home.store.shadow<Doc>(second))).toEqual([]);
      expect(await home.store.checkpoint(second.shadow)).toBeUndefined();
      expect(await keysOf(collection)).toEqual([1]);
      await home.store.commit(at(1, put(second.shadow, 9, {})));
      await home.reopen();
      expect(await keysOf(await home.store.collection<Doc>(notes))).toEqual([1]);
      const third = await home.store.startRebuild(notes);
      expect(await keysOf(home.store.shadow<Doc>(third))).toEqual([]);
      await home.store.finishRebuild(notes, third);
      expect(await keysOf(await home.store.collection<Doc>(notes))).toEqual([]);
    });

    test('that is abandoned leaves nothing behind', async () => {
      const collection = await home.store.collection<Doc>(notes);
      await home.store.commit(at(1, put('notes', 1, {})));
      const rebuild = await home.store.startRebuild(notes);
      await home.store.commit({
        ...at(1, put(rebuild.shadow, 8, {})),
        checkpoints: { [rebuild.shadow]: { checkpoint: 'x', position: 1 } },
      });
      await home.store.abandonRebuild(rebuild);
      await home.store.abandonRebuild(rebuild);
      expect(await keysOf(collection)).toEqual([1]);
      expect(await home.store.checkpoint(rebuild.shadow)).toBeUndefined();
      await expect(home.store.commit(at(2, put(rebuild.shadow, 9, {})))).rejects.toThrow();
    });

    test('can follow a rebuild', async () => {
      const collection = await home.store.collection<Doc>(notes);
      for (const round of [1, 2, 3]) {
        const rebuild = await home.store.startRebuild(notes);
        await home.store.commit(at(round, put(rebuild.shadow, round, { mentions: [round] })));
        await home.store.finishRebuild(notes, rebuild);
        expect(await keysOf(collection)).toEqual([round]);
      }
    });

    test('is never seen in halves by readers', async () => {
      const collection = await home.store.collection<Doc>(notes);
      const keys = Array.from({ length: 200 }, (_, key) => key);
      const fill = (name: string, round: number): Promise<void> =>
        home.store.commit(at(round, ...keys.map((key) => put(name, key, { channel: round }))));
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
        const rebuild = await home.store.startRebuild(notes);
        await fill(rebuild.shadow, round);
        await home.store.indexRebuild(rebuild);
        await home.store.finishRebuild(notes, rebuild);
        await new Promise(setImmediate);
      }
      done.abort();
      await reading;
      expect(reads).toBeGreaterThan(3);
    });
  });

  describe('a former build', () => {
    const checkpointOf = (position: number) => ({ checkpoint: `after ${position}`, position });

    /** Replaces a collection with one document by one with another document, and keeps it. */
    const replaced = async (sinceMs = 1_000): Promise<void> => {
      await home.store.collection<Doc>(notes);
      await home.store.commit({ ...at(5, put('notes', 1, { channel: 1 })), checkpoints: { notes: checkpointOf(5) } });
      const rebuild = await home.store.startRebuild(notes);
      const checkpoints = { [rebuild.shadow]: checkpointOf(6) };
      await home.store.commit({ ...at(6, put(rebuild.shadow, 2, { channel: 2, words: ['new'] })), checkpoints });
      await home.store.indexRebuild(rebuild);
      await home.store.finishRebuild(notes, rebuild, sinceMs);
    };

    test('is kept beside the live one, is written alone, and takes its place again', async () => {
      await replaced();
      const collection = await home.store.collection<Doc>(notes);
      expect(await keysOf(collection)).toEqual([2]);
      const [former] = await home.store.formers([notes]);
      expect(former).toEqual({ name: 'notes', shadow: expect.any(String), sinceMs: 1_000 });
      const { shadow } = former!;
      expect(await home.store.checkpoint(shadow)).toEqual(checkpointOf(5));
      await home.store.commit({
        ...at(7, put(shadow, 3, { words: ['old'] })),
        checkpoints: { [shadow]: checkpointOf(7) },
      });
      expect(await keysOf(home.store.shadow<Doc>({ shadow }))).toEqual([1, 3]);
      expect(await keysOf(collection)).toEqual([2]);
      const before = await home.store.standing();
      await home.store.exchangeFormer(notes, 2_000);
      expect((await home.store.standing()).making).not.toBe(before.making);
      expect((await home.store.standing()).positions.get('notes')).toBe(7);
      expect(await keysOf(collection)).toEqual([1, 3]);
      expect(await keysOf(collection, { where: where.contains('words', 'old') })).toEqual([3]);
      expect(await home.store.checkpoint('notes')).toEqual(checkpointOf(7));
      expect(await home.store.formers([notes])).toEqual([{ name: 'notes', shadow, sinceMs: 2_000 }]);
      expect(await home.store.checkpoint(shadow)).toEqual(checkpointOf(6));
      await home.store.exchangeFormer(notes, 3_000);
      await home.store.commit(at(8, put('notes', 4, {})));
      expect(await keysOf(collection)).toEqual([2, 4]);
    });

    test('is there after a start, and the next rebuild replaces it', async () => {
      await replaced();
      await home.reopen();
      const collection = await home.store.collection<Doc>(notes);
      expect(await home.store.formers([notes])).toMatchObject([{ name: 'notes', sinceMs: 1_000 }]);
      await home.store.exchangeFormer(notes, 2_000);
      expect(await keysOf(collection)).toEqual([1]);
      await home.reopen();
      expect(await keysOf(await home.store.collection<Doc>(notes))).toEqual([1]);
      const rebuild = await home.store.startRebuild(notes);
      await home.store.commit(at(9, put(rebuild.shadow, 9, {})));
      await home.store.finishRebuild(notes, rebuild, 4_000);
      const [former, ...others] = await home.store.formers([notes]);
      expect([former?.sinceMs, others]).toEqual([4_000, []]);
      expect(await keysOf(home.store.shadow<Doc>(former!))).toEqual([1]);
    });

    test('goes with a rebuild that keeps none, when it is dropped, and with a collection that nobody knows', async () => {
      await replaced();
      const rebuild = await home.store.startRebuild(notes);
      await home.store.finishRebuild(notes, rebuild);
      expect(await home.store.formers([notes])).toEqual([]);
      await replaced();
      await home.store.dropFormer('notes');
      await home.store.dropFormer('notes');
      expect(await home.store.formers([notes])).toEqual([]);
      await expect(home.store.exchangeFormer(notes, 5_000)).rejects.toThrow();
      await replaced();
      expect(await home.store.formers([])).toEqual([]);
      expect(await home.store.formers([notes])).toEqual([]);
      expect(await keysOf(await home.store.collection<Doc>(notes))).toEqual([2]);
    });

    test('has a size of its own', async () => {
      await replaced();
      const [former] = await home.store.formers([notes]);
      const sizes = await home.store.sizes();
      expect([...sizes.keys()].sort()).toEqual(['notes', former!.shadow]);
      expect([...sizes.values()].every((bytes) => bytes > 0)).toBe(true);
    });

    test('goes with a changed schema', async () => {
      await replaced();
      await home.reopen();
      const changed = { ...notes, many: {} };
      await home.store.collection<Doc>(changed);
      expect(await home.store.formers([changed])).toEqual([]);
    });
  });

  describe('a changed schema', () => {
    test.each<[string, Partial<CollectionSchema>]>([
      ['field', { fields: { ...notes.fields, colour: 'text' } }],
      ['index', { indexes: [['sender', 'topic']] }],
      ['list', { many: {} }],
      ['key', { key: 'text' }],
    ])('(%s) drops the collection and its checkpoint, so that it is built again', async (_, change) => {
      await home.store.collection<Doc>(notes);
      const checkpoints = { notes: { checkpoint: 'x', position: 1 }, people: { checkpoint: 'y', position: 1 } };
      await home.store.commit({ ...at(1, put('notes', 1, { words: ['a'] })), checkpoints });
      await home.reopen();
      const collection = await home.store.collection<Doc>({ ...notes, ...change });
      expect(await keysOf(collection)).toEqual([]);
      expect(await home.store.checkpoint('notes')).toBeUndefined();
      expect(await home.store.checkpoint('people')).toEqual({ checkpoint: 'y', position: 1 });
    });

    test('is not one that only lists its parts in another order', async () => {
      await home.store.collection<Doc>(notes);
      await home.store.commit(at(1, put('notes', 1, { channel: 1, topic: 'a' })));
      const collection = await home.store.collection<Doc>({
        ...notes,
        fields: { topic: 'text', sender: 'integer', channel: 'integer' },
      });
      expect(await collection.get(1)).toEqual({ channel: 1, topic: 'a' });
    });
  });
}
