import { at, keysOf, notes, people, put, type ContractStore, type Doc } from './store.contract.js';

/** Contract of documents: they are read as they were stored. */
export function describeDocuments(home: ContractStore): void {
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
      const collection = await home.store.collection<Doc>(notes);
      await home.store.commit(at(1, put('notes', 7, doc)));
      expect(await collection.get(7)).toStrictEqual(doc);
      expect((await collection.getMany([7])).get(7)).toStrictEqual(doc);
      expect(await collection.find({ limit: 5 })).toEqual([{ key: 7, doc }]);
      await home.reopen();
      expect(await (await home.store.collection<Doc>(notes)).get(7)).toStrictEqual(doc);
    });

    test('are absent under other keys', async () => {
      const collection = await home.store.collection<Doc>(notes);
      await home.store.commit(at(1, put('notes', 1, { channel: 1 })));
      expect(await collection.get(2)).toBeUndefined();
      expect((await collection.getMany([1, 2, 3])).size).toBe(1);
      expect((await collection.getMany([])).size).toBe(0);
    });

    test('have text keys too, of any text', async () => {
      const collection = await home.store.collection<Doc>(people);
      const keys = ['', 'a', 'A', "o'clock", '10', '9', '\u{1f600}', '\uffee', 'a'.repeat(500)];
      await home.store.commit(at(1, ...keys.map((key) => put('people', key, { city: key }))));
      const sorted = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(await keysOf(collection)).toEqual(sorted);
      expect([...(await collection.getMany(keys)).keys()].sort()).toEqual([...keys].sort());
    });

    test('are loaded by the hundreds', async () => {
      const collection = await home.store.collection<Doc>(notes);
      const keys = Array.from({ length: 777 }, (_, index) => index * 3);
      await home.store.commit(at(1, ...keys.map((key) => put('notes', key, { channel: key }))));
      const found = await collection.getMany([...keys, 1, 2]);
      expect(found.size).toBe(777);
      expect(found.get(2328)).toEqual({ channel: 2328 });
    });

    test('with a value of another type than declared are an error', async () => {
      await home.store.collection<Doc>(notes);
      await expect(home.store.commit(at(1, put('notes', 1, { topic: 5 })))).rejects.toThrow(TypeError);
      await expect(home.store.commit(at(1, put('notes', 1, { channel: '5' })))).rejects.toThrow(TypeError);
      await expect(home.store.commit(at(1, put('notes', 1, { mentions: 5 })))).rejects.toThrow(TypeError);
      await expect(home.store.commit(at(1, put('notes', 'x', {})))).rejects.toThrow(TypeError);
    });
  });

  test('side documents are kept by kind and id', async () => {
    let { side, close } = await home.harness.openSide();
    await side.put('queue', 'b', { n: 1 });
    await side.put('queue', 'a', { n: 2 });
    await side.put('snapshot', 'a', { n: 3 });
    await side.put('queue', 'b', { n: 4 });
    await close();
    ({ side, close } = await home.harness.openSide());
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
}
