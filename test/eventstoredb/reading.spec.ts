import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AllStreamSubscription, Position } from '@eventstore/db-client';
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  eventTypeFilter,
  excludeSystemEvents,
  jsonEvent,
  START,
  StreamDeletedError,
  streamNameFilter,
} from '@eventstore/db-client';
import { EventStoreDbStandIn } from './index.js';

let standIn: EventStoreDbStandIn;
let client: EventStoreDBClient;

beforeEach(async () => {
  standIn = await EventStoreDbStandIn.start();
  client = EventStoreDBClient.connectionString(standIn.url);
});
afterEach(async () => {
  await client.dispose();
  await standIn.stop();
});

const event = (type = 'Tested') => jsonEvent({ type, data: { text: 'x'.repeat(100) } });

function seed(stream: string, count: number): void {
  const data = Buffer.from(JSON.stringify({ text: 'x'.repeat(150) }));
  const events = Array.from({ length: count }, () => {
    return { id: randomUUID(), type: 'Tested', contentType: 'application/json', data, metadata: new Uint8Array() };
  });
  standIn.seed(stream, events);
}

async function streamsOf(all: AsyncIterable<{ event?: { streamId: string; revision: bigint } }>): Promise<string[]> {
  const seen: string[] = [];
  for await (const { event: recorded } of all) seen.push(`${recorded?.streamId}@${recorded?.revision}`);
  return seen;
}

async function taken(subscription: AllStreamSubscription, count: number): Promise<string[]> {
  const seen: string[] = [];
  if (count === 0) return seen;
  for await (const { event: recorded } of subscription) {
    seen.push(`${recorded?.streamId}@${recorded?.revision}`);
    if (seen.length === count) break;
  }
  return seen;
}

describe('$all', () => {
  test('begins with a system event, at positions that are byte offsets', async () => {
    await client.appendToStream('s', [event(), event()]);
    const positions: Position[] = [];
    for await (const { event: recorded } of client.readAll()) positions.push(recorded!.position);
    expect(positions).toHaveLength(3);
    for (const [index, { commit, prepare }] of positions.entries()) {
      expect(prepare).toBe(commit);
      if (index > 0) expect(commit - positions[index - 1]!.commit).toBeGreaterThan(100n);
    }
    expect((await streamsOf(client.readAll()))[0]).toBe('$$$scavenges@0');
  });

  test('holds the events of all streams in the order of their commits, metadata and tombstones included', async () => {
    await client.appendToStream('a', event());
    await client.appendToStream('b', event());
    await client.appendToStream('a', event());
    await client.setStreamMetadata('a', { maxCount: 1 });
    await client.tombstoneStream('b');
    expect(await streamsOf(client.readAll())).toEqual([
      '$$$scavenges@0',
      'a@0',
      'b@0',
      'a@1',
      '$$a@0',
      'b@9223372036854775807',
    ]);
  });

  test('is read from a position on, and backwards from before it', async () => {
    await client.appendToStream('a', event());
    const { position } = await client.appendToStream('b', event());
    await client.appendToStream('c', event());
    const fromPosition = position!;
    expect(await streamsOf(client.readAll({ fromPosition }))).toEqual(['b@0', 'c@0']);
    expect(await streamsOf(client.readAll({ fromPosition, direction: BACKWARDS }))).toEqual(['a@0', '$$$scavenges@0']);
    expect(await streamsOf(client.readAll({ fromPosition: END, direction: BACKWARDS, maxCount: 1 }))).toEqual(['c@0']);
  });

  test('goes on behind a position after a restart', async () => {
    const { position } = await client.appendToStream('a', event());
    await client.appendToStream('b', event());
    await client.dispose();
    await standIn.restart();
    client = EventStoreDBClient.connectionString(standIn.url);
    await client.appendToStream('c', event());
    expect(await taken(client.subscribeToAll({ fromPosition: position! }), 2)).toEqual(['b@0', 'c@0']);
  });
});

describe('a subscription', () => {
  test('to the end of $all brings only what follows', async () => {
    await client.appendToStream('a', event());
    const subscription = client.subscribeToAll({ fromPosition: END });
    subscription.once('confirmation', () => void client.appendToStream('b', event()));
    expect(await taken(subscription, 1)).toEqual(['b@0']);
  });

  test.each([
    ['a regular expression of stream names', streamNameFilter({ regex: '^b-' }), ['b-1@0', 'b-2@0']],
    ['prefixes of types', eventTypeFilter({ prefixes: ['Off', 'On'] }), ['b-1@0', 'c@0']],
    ['a regular expression of types', eventTypeFilter({ regex: '^O' }), ['b-1@0', 'c@0']],
    ['events that are not of the system', excludeSystemEvents(), ['a@0', 'b-1@0', 'b-2@0', 'c@0']],
  ])('is filtered by %s', async (_, filter, expected) => {
    await client.appendToStream('a', event());
    await client.appendToStream('b-1', event('On'));
    await client.appendToStream('b-2', event());
    await client.appendToStream('c', event('Off'));
    const subscription = client.subscribeToAll({ fromPosition: START, filter });
    expect(await taken(subscription, expected.length)).toEqual(expected);
  });

  test('is never told that it caught up', async () => {
    await client.appendToStream('a', event());
    const subscription = client.subscribeToAll({ fromPosition: START });
    let caughtUp = 0;
    subscription.on('caughtUp', () => caughtUp++);
    expect(await taken(subscription, 2)).toHaveLength(2);
    expect(caughtUp).toBe(0);
  });

  test('to a stream ends when the stream is deleted for ever', async () => {
    await client.appendToStream('a', event());
    const subscription = client.subscribeToStream('a');
    const error = new Promise((resolve) => subscription.on('error', resolve));
    subscription.on('data', () => void client.tombstoneStream('a'));
    expect(await error).toBeInstanceOf(StreamDeletedError);
  });

  /** Several times the 220 or so that the buffers of a connection hold. */
  const SEEDED = 1_000;

  test('that is not read gets no more than the connection holds', async () => {
    seed('a', SEEDED);
    const subscription = client.subscribeToAll({ fromPosition: START });
    await new Promise((resolve) => subscription.once('confirmation', resolve));
    await sleep(300);
    expect(standIn.messagesSent).toBeLessThan(SEEDED / 2);
    let seen = 0;
    // The node's system event comes first.
    for await (const _ of subscription) if (++seen === SEEDED + 1) break;
    expect(standIn.messagesSent).toBeGreaterThan(SEEDED);
  });
});

describe('checkpoints of a filtered subscription', () => {
  /** Collects matches and checkpoints until the subscription has been quiet for a while. */
  async function checkpoints(filterOptions: { checkpointInterval?: number; maxSearchWindow?: number }, live = 0) {
    const seen: (string | Position)[] = [];
    const checkpointReached = async (_: unknown, position: Position) => void seen.push(position);
    const filter = streamNameFilter({ prefixes: ['wanted'], checkpointReached, ...filterOptions });
    const subscription = client.subscribeToAll({ fromPosition: START, filter });
    subscription.on('data', ({ event: recorded }) => seen.push(`${recorded!.streamId}@${recorded!.revision}`));
    await new Promise((resolve) => subscription.once('confirmation', resolve));
    await sleep(100);
    for (let i = 0; i < live; i++) await client.appendToStream('other', event());
    await sleep(100);
    await subscription.unsubscribe();
    return seen;
  }

  test('tell how far it has searched, also where nothing matches', async () => {
    seed('other', 100);
    const seen = await checkpoints({ checkpointInterval: 2, maxSearchWindow: 10 });
    expect(seen).toHaveLength(6);
    const commits = (seen as Position[]).map(({ commit }) => commit);
    expect([...commits].sort((x, y) => Number(x - y))).toEqual(commits);
  });

  test('are positions from which nothing is lost when both halves are kept', async () => {
    seed('other', 50);
    const seen = await checkpoints({ maxSearchWindow: 8 });
    for (const fromPosition of seen as Position[]) {
      const { nextExpectedRevision } = await client.appendToStream('wanted', event());
      const filter = streamNameFilter({ prefixes: ['wanted'] });
      const found = await taken(client.subscribeToAll({ fromPosition, filter }), Number(nextExpectedRevision) + 1);
      expect(found.at(-1)).toBe(`wanted@${nextExpectedRevision}`);
    }
  });

  test('at the end of the log stand where the next event will', async () => {
    const [end] = (await checkpoints({})) as Position[];
    const { position } = await client.appendToStream('other', event());
    expect(end).toEqual({ commit: position!.commit, prepare: 0n });
  });

  test('go on when it is live', async () => {
    const seen = (await checkpoints({ checkpointInterval: 1, maxSearchWindow: 5 }, 12)) as Position[];
    expect(seen).toHaveLength(3);
    expect(seen.slice(1).every(({ commit, prepare }) => commit === prepare)).toBe(true);
  });
});
