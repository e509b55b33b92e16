import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { until } from '#testing';
import { EventStoreDbRelay, EventStoreDbStandIn, type ObservedLogCall } from './index.js';

const DELAY_MS = 15;
/** Timers of a machine are a little early. */
const EARLY_MS = 1;

describe('a relay before EventStoreDB', () => {
  let standIn: EventStoreDbStandIn;
  let relay: EventStoreDbRelay;
  let client: EventStoreDBClient;
  let observed: ObservedLogCall[];

  beforeEach(async () => {
    observed = [];
    standIn = await EventStoreDbStandIn.start();
    relay = await EventStoreDbRelay.start(standIn.url, { observe: (call) => observed.push(call) });
    client = EventStoreDBClient.connectionString(relay.url);
  });

  afterEach(async () => {
    await client.dispose();
    await relay.stop();
    await standIn.stop();
  });

  const append = (text: string): Promise<unknown> =>
    client.appendToStream('notes', [jsonEvent({ type: 'noted', data: { text } })]);
  const named = (wanted: string): readonly ObservedLogCall[] => observed.filter(({ name }) => name === wanted);

  test('tells of appends, of reads, and of each event of a subscription', async () => {
    const heard: unknown[] = [];
    const subscription = client.subscribeToStream('notes').on('data', ({ event }) => heard.push(event?.data));
    await Promise.all([append('one'), append('two')]);
    await until(() => heard.length === 2);
    for await (const { event } of client.readStream('notes')) expect(heard).toContainEqual(event?.data);
    await subscription.unsubscribe();
    expect(named('append')).toHaveLength(2);
    expect(named('subscription')).toHaveLength(2);
    await until(() => named('read').length === 1);
  });

  test('passes refusals on', async () => {
    await append('one');
    await expect(
      client.appendToStream('notes', [jsonEvent({ type: 'noted', data: {} })], { expectedRevision: 7n }),
    ).rejects.toMatchObject({ type: 'wrong-expected-version' });
    await expect(
      (async () => {
        for await (const _ of client.readStream('others'));
      })(),
    ).rejects.toMatchObject({ type: 'stream-not-found' });
  });

  test('delays each message, each way', async () => {
    await append('one');
    relay.delayMs = DELAY_MS;
    for (let count = 0; count < 3; count++) await append('more');
    for (const { beganMs, endedMs } of named('append').slice(1)) {
      expect(endedMs - beganMs).toBeGreaterThan(2 * (DELAY_MS - EARLY_MS));
    }
  });
});
