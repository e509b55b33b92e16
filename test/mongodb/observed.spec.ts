import { describeOnMongo, GivenMongo, until } from '#testing';
import { MongoProxy, Tails, type ObservedCommand } from './index.js';
import { note, notesOf, ProxyFixture } from './proxy.fixture.js';

const DELAY_MS = 15;
/** Timers of a machine are a little early. */
const EARLY_MS = 1;

describeOnMongo('a proxy before MongoDB that is watched', (server) => {
  let fixture: ProxyFixture;
  let proxy: MongoProxy;
  let observed: ObservedCommand[];

  beforeEach(async () => {
    observed = [];
    const url = server.freshUrl();
    fixture = await ProxyFixture.start(url);
    proxy = await MongoProxy.start(url, { observe: (command) => observed.push(command) });
  });

  afterEach(async () => {
    await fixture.stop();
    await proxy.stop();
  });

  const namesOf = (): readonly string[] =>
    observed
      .filter(({ collection }) => collection === 'notes')
      .map(({ command, found }) => (found === undefined ? command : `${command}: ${found}`));

  test('tells of each command that was answered, and of how many documents were found', async () => {
    const notes = notesOf(fixture.client(proxy.url));
    await notes.insertMany([note(1), note(2)]);
    await notes.find({ _id: { $gt: 1 } }).toArray();
    await notes.findOne({ _id: 3 });
    expect(namesOf()).toEqual(['insert', 'find: 1', 'find: 0']);
  });

  test('delays each message, each way, and keeps their order', async () => {
    const notes = notesOf(fixture.client(proxy.url));
    await notes.insertOne(note(0));
    proxy.delayMs = DELAY_MS;
    for (let id = 1; id <= 5; id++) await notes.insertOne(note(id));
    const took = observed.filter(({ command }) => command === 'insert').slice(1);
    expect(took).toHaveLength(5);
    for (const { beganMs, endedMs } of took) expect(endedMs - beganMs).toBeGreaterThan(2 * (DELAY_MS - EARLY_MS));
    expect(await fixture.stored()).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

const onFerretDb: typeof describeOnMongo = GivenMongo.url === undefined ? describeOnMongo : () => undefined;

onFerretDb('proxies that let FerretDB tail', (server) => {
  test('a cursor waits for the next document, by whichever proxy it comes', async () => {
    const tails = new Tails();
    const url = server.freshUrl();
    const fixture = await ProxyFixture.start(url);
    const [one, other] = [await MongoProxy.start(url, { tails }), await MongoProxy.start(url, { tails })];
    const writer = notesOf(fixture.client(one.url));
    await writer.insertOne(note(1));
    const cursor = notesOf(fixture.client(other.url)).find(
      {},
      { tailable: true, awaitData: true, maxAwaitTimeMS: 200, batchSize: 100 },
    );
    expect(await cursor.tryNext()).toMatchObject({ _id: 1 });
    expect(await cursor.tryNext()).toBeNull();
    expect(cursor.closed).toBe(false);
    const heard: number[] = [];
    const hear = async (): Promise<boolean> => {
      const next = await cursor.tryNext();
      if (next !== null) heard.push(next._id);
      return heard.length === 3;
    };
    const heardAll = until(hear);
    await writer.insertMany([note(2), note(3)]);
    await writer.insertOne(note(4));
    await heardAll;
    expect(heard).toEqual([2, 3, 4]);
    await cursor.close();
    await fixture.stop();
    await one.stop();
    await other.stop();
  });
});
