import { describeOnMongo } from '#testing';
import { MongoHarness } from '../mongo.fixture.js';

describeOnMongo('side documents on MongoDB', (server) => {
  let harness: MongoHarness;

  beforeEach(async () => (harness = await MongoHarness.on(server.freshUrl())));
  afterEach(() => harness.destroy());

  test('may have any names, and kinds and ids that look like each other', async () => {
    const { side } = await harness.open();
    const value = { 'a.b': { $set: 1, '': [null] }, _bsontype: 'Long' };
    await side.put('a/b', 'c', value);
    await side.put('a', 'b/c', { other: true });
    expect(await side.get('a/b', 'c')).toEqual(value);
    expect(await side.list('a')).toEqual([{ id: 'b/c', value: { other: true } }]);
  });

  test('may be larger than a document of the server, and leave nothing behind', async () => {
    const { side } = await harness.open();
    const parts = (): Promise<number> => harness.client.db(harness.database).collection('side-parts').countDocuments();
    const large = (n: number): { n: number; text: string } => ({ n, text: 'é'.repeat(4_100_000) });
    await side.put('snapshots', 'a', large(1));
    await side.put('snapshots', 'a', large(2));
    expect(await side.get('snapshots', 'a')).toEqual(large(2));
    expect((await side.list('snapshots'))[0]?.value['n']).toBe(2);
    expect(await parts()).toBe(5);
    await side.put('snapshots', 'a', { n: 3 });
    expect(await side.get('snapshots', 'a')).toEqual({ n: 3 });
    await side.remove('snapshots', 'a');
    expect(await side.list('snapshots')).toEqual([]);
    expect(await parts()).toBe(0);
  });

  test('of many at once, the last of each counts', async () => {
    const [here, there] = [(await harness.open()).side, (await harness.open()).side];
    await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? here : there).put('queues', String(n % 5), { n })));
    const listed = await here.list('queues');
    expect(listed.map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4']);
    for (const { id, value } of listed) expect(Number(value['n']) % 5).toBe(Number(id));
  });
});
