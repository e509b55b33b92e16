import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent, NotLeaderError, START, UnavailableError } from '@eventstore/db-client';
import { EventStoreDbCluster } from './index.js';

let cluster: EventStoreDbCluster;
const clients: EventStoreDBClient[] = [];

beforeEach(async () => {
  cluster = await EventStoreDbCluster.start({ electionMs: 100 });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
  await cluster.stop();
});

function connect(url: string): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(url);
  clients.push(client);
  return client;
}

const event = () => jsonEvent({ id: randomUUID(), type: 'Tested', data: {} });

async function typeOfFailure(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error as { type?: string }).type ?? 'untyped',
  );
}

async function elected(leader: unknown): Promise<void> {
  while (cluster.leader === leader) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('tells by gossip who leads, and the client of its address goes there', async () => {
  const client = connect(cluster.url);
  await client.appendToStream('s', event(), { requiresLeader: true });
  expect(cluster.eventCount).toBe(2);
  cluster.resign();
  await connect(cluster.url).appendToStream('s', event(), { requiresLeader: true });
  expect(cluster.eventCount).toBe(3);
});

test('a follower refuses who wants the leader, says where it is, and serves others', async () => {
  const [follower] = cluster.followers;
  const client = connect(follower?.url ?? '');
  const refused: unknown = await client
    .appendToStream('s', event(), { requiresLeader: true })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(NotLeaderError);
  expect((refused as NotLeaderError).leader).toEqual({ address: '127.0.0.1', port: cluster.leader.port });
  const other = connect(follower?.url ?? '');
  await other.appendToStream('s', event());
  const read: unknown[] = [];
  for await (const { event: found } of other.readStream('s')) read.push(found?.revision);
  expect(read).toEqual([0n]);
});

test('what the leader takes is told to subscribers of all nodes', async () => {
  const subscriptions = cluster.nodes.map(({ url }) => connect(url).subscribeToStream('s', { fromRevision: START }));
  await connect(cluster.url).appendToStream('s', event());
  for (const subscription of subscriptions) {
    for await (const { event: found } of subscription) {
      expect(found?.revision).toBe(0n);
      break;
    }
  }
});

test('a frozen leader answers nothing; the others elect another one, and it follows when it wakes up', async () => {
  const old = cluster.leader;
  const stuck = connect(old.url);
  await stuck.appendToStream('s', event(), { requiresLeader: true });
  cluster.freeze(old);
  let isAnswered = false;
  const waiting = typeOfFailure(stuck.appendToStream('s', event(), { requiresLeader: true })).finally(
    () => (isAnswered = true),
  );
  await elected(old);
  expect(isAnswered).toBe(false);
  await connect(cluster.leader.url).appendToStream('s', event(), { requiresLeader: true });
  cluster.thaw(old);
  expect(await waiting).toBe('not-leader');
  expect(cluster.eventCount).toBe(3);
});

test('a leader that is frozen after it has stored an append does not answer it until it wakes up', async () => {
  const old = cluster.leader;
  const stuck = connect(old.url);
  await stuck.appendToStream('s', event());
  cluster.freeze(old, { afterAppends: 1 });
  const waiting = stuck.appendToStream('s', event());
  await elected(old);
  expect(cluster.eventCount).toBe(3);
  cluster.thaw(old);
  expect(await waiting).toMatchObject({ nextExpectedRevision: 1n });
});

test('without a majority requests are refused, until a node is back', async () => {
  const [follower, last] = cluster.followers;
  if (follower === undefined || last === undefined) throw new Error('A cluster has three nodes.');
  const client = connect(last.url);
  await cluster.kill(cluster.leader);
  await cluster.kill(follower);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const failure: unknown = await client.appendToStream('s', event()).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UnavailableError);
  await cluster.revive(follower);
  await connect(cluster.url).appendToStream('s', event(), { requiresLeader: true });
  expect(cluster.eventCount).toBe(2);
});
