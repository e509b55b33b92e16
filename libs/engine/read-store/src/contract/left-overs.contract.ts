import { at, keysOf, notes, people, put, type ContractStore, type Doc } from './store.contract.js';

/** Contract of collections that a release does not have. */
export function describeLeftOvers(home: ContractStore): void {
  describe('a collection that the release does not have', () => {
    const release = new Set(['notes']);

    beforeEach(async () => {
      await home.store.collection<Doc>(notes);
      await home.store.collection<Doc>(people);
      const checkpoints = { notes: { checkpoint: 'x', position: 1 }, people: { checkpoint: 'y', position: 1 } };
      const writes = [put('notes', 1, {}), put('people', 'ann', { age: 1 }), put('people', 'bob', { city: 'Rome' })];
      await home.store.commit({ ...at(1, ...writes), checkpoints });
      await home.reopen();
      await home.store.collection<Doc>(notes);
    });

    test('is named, with its documents and its size', async () => {
      expect(await home.store.leftOvers(new Set(['notes', 'people']))).toEqual([]);
      const [found, ...others] = await home.store.leftOvers(release);
      expect([found, others]).toEqual([{ name: 'people', documents: 2, bytes: expect.any(Number) }, []]);
      expect(found?.bytes).toBe((await home.store.sizes()).get('people'));
      expect(found?.bytes).toBeGreaterThan(0);
    });

    test('goes with its checkpoint, and nothing else does', async () => {
      const before = await home.store.standing();
      await home.store.dropLeftOver('people');
      await home.store.dropLeftOver('people');
      await home.store.dropLeftOver('nobody');
      expect(await home.store.leftOvers(release)).toEqual([]);
      expect([...(await home.store.sizes()).keys()]).toEqual(['notes']);
      expect(await home.store.checkpoint('people')).toBeUndefined();
      const { making, positions } = await home.store.standing();
      expect(making).not.toBe(before.making);
      expect([...positions]).toEqual([['notes', 1]]);
      await home.store.commit(at(2, put('notes', 2, {})));
      await home.reopen();
      expect(await home.store.leftOvers(release)).toEqual([]);
      expect(await keysOf(await home.store.collection<Doc>(notes))).toEqual([1, 2]);
      expect(await keysOf(await home.store.collection<Doc>(people))).toEqual([]);
    });

    test('is a former build as well, but not that of a collection which it has', async () => {
      for (const schema of [notes, people]) {
        await home.store.collection<Doc>(schema);
        await home.store.finishRebuild(schema, await home.store.startRebuild(schema), 1_000);
      }
      const shadow = await home.store.startRebuild(notes);
      const named = async (): Promise<string[]> => (await home.store.leftOvers(release)).map(({ name }) => name).sort();
      expect(await named()).toEqual(['people', 'people~former']);
      await home.store.abandonRebuild(shadow);
      await home.reopen();
      for (const name of await named()) await home.store.dropLeftOver(name);
      expect(await named()).toEqual([]);
      expect(await home.store.formers([notes])).toMatchObject([{ name: 'notes' }]);
    });

    test('is not dropped while it is open', async () => {
      await home.store.collection<Doc>(people);
      await expect(home.store.dropLeftOver('people')).rejects.toThrow('is in use');
      await expect(home.store.dropLeftOver('notes')).rejects.toThrow('is in use');
    });
  });
}
