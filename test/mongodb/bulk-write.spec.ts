import type { MongoClient } from 'mongodb';
import { describeOnMongo } from '#testing';
import { MongoProxy, type ObservedCommand } from './index.js';
import { failureOf, note, notesOf, ProxyFixture, type Note } from './proxy.fixture.js';

describeOnMongo('a proxy that lets a server write to several collections by one command', (server) => {
  let fixture: ProxyFixture;
  let proxy: MongoProxy;
  let client: MongoClient;
  let observed: ObservedCommand[];
  let notes: string;
  let others: string;

  beforeEach(async () => {
    observed = [];
    const url = server.freshUrl();
    fixture = await ProxyFixture.start(url);
    proxy = await MongoProxy.start(url, { bulkWrites: true, observe: (command) => observed.push(command) });
    client = fixture.client(proxy.url);
    const { databaseName } = client.db();
    [notes, others] = [`${databaseName}.notes`, `${databaseName}.other.notes`];
  });

  afterEach(async () => {
    await fixture.stop();
    await proxy.stop();
  });

  const stored = (name: string): Promise<Note[]> =>
    client.db().collection<Note>(name).find({}).sort({ _id: 1 }).toArray();

  test('does each write, counts them, and is seen as one command', async () => {
    await notesOf(client).insertMany([1, 2, 3].map(note));
    const many = Array.from({ length: 25 }, (_, index) => 100 + index);
    const result = await client.bulkWrite<Record<string, Note>>(
      [
        ...many.map((id) => ({ namespace: others, name: 'insertOne', document: note(id) }) as const),
        { namespace: notes, name: 'replaceOne', filter: { _id: 1 }, replacement: { text: 'new' } },
        { namespace: notes, name: 'replaceOne', filter: { _id: 9 }, replacement: { text: 'absent' } },
        { namespace: notes, name: 'deleteOne', filter: { _id: 2 } },
        { namespace: others, name: 'updateMany', filter: { _id: { $lt: 103 } }, update: { $set: { text: 'few' } } },
      ],
      { ordered: false },
    );
    expect(result).toMatchObject({ insertedCount: 25, matchedCount: 4, modifiedCount: 4, deletedCount: 1 });
    expect(await stored('notes')).toEqual([{ _id: 1, text: 'new' }, note(3)]);
    expect((await stored('other.notes')).map(({ text }) => text).slice(0, 4)).toEqual([
      ...Array(3).fill('few'),
      'note 103',
    ]);
    expect(observed.filter(({ command }) => command === 'bulkWrite')).toHaveLength(1);
    expect(observed.filter(({ command }) => ['update', 'delete'].includes(command))).toEqual([]);
  });

  test('tells by their places which writes failed', async () => {
    await notesOf(client).insertOne(note(1));
    const writes = [
      { namespace: others, name: 'insertOne', document: note(1) },
      { namespace: notes, name: 'insertOne', document: note(1) },
      { namespace: notes, name: 'insertOne', document: note(2) },
    ] as const;
    const failure = await failureOf(client.bulkWrite<Record<string, Note>>(writes, { ordered: false }));
    expect([...failure.writeErrors].map(([index, { code }]) => [index, code])).toEqual([[1, 11000]]);
    expect(await fixture.stored()).toEqual([1, 2]);
    const ordered = await failureOf(
      client.bulkWrite<Record<string, Note>>([writes[1], { ...writes[1], document: note(3) }]),
    );
    expect([...ordered.writeErrors.keys()]).toEqual([0]);
    expect(await fixture.stored()).toEqual([1, 2]);
  });

  test('can lose the answer, and refuse it', async () => {
    const write = (id: number): Promise<unknown> =>
      failureOf(
        client.bulkWrite<Record<string, Note>>([{ namespace: notes, name: 'insertOne', document: note(id) }], {
          ordered: false,
        }),
      );
    proxy.faults.loseAnswer({ command: 'bulkWrite' });
    expect(await write(1)).toMatchObject({ name: expect.stringContaining('Network') });
    expect(await fixture.stored()).toEqual([1]);
    proxy.faults.refuse({ command: 'bulkWrite' }, 'NotWritablePrimary');
    expect(await write(2)).toMatchObject({ cause: { code: 10107 } });
    expect(await fixture.stored()).toEqual([1]);
  });
});
