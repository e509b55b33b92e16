import { randomUUID } from 'node:crypto';
import { parseAddress } from '../../libs/engine/event-store/src/eventstoredb/address.js';
import { Connection } from '../../libs/engine/event-store/src/eventstoredb/connection.js';
import type { Client } from '../../libs/engine/event-store/src/eventstoredb/driver.js';
import { EventStoreDbCluster, EventStoreDbStandIn } from '../eventstoredb/index.js';

/** More than the client's stream takes at once. */
const APPENDS = 40;
/** More than a node takes that does not read. */
const LONG = 'x'.repeat(100_000);

let connection: Connection;

afterEach(() => connection.close());

async function append(client: Client, id: string, text = ''): Promise<number> {
  const event = { id, contentType: 'application/json', type: 'Tested', data: { text }, metadata: undefined } as const;
  return Number((await client.appendToStream('s', event)).nextExpectedRevision);
}

test('an answer to an append that was answered before ends neither the process nor the stream of appends', async () => {
  const server = await EventStoreDbStandIn.start();
  connection = await Connection.open(parseAddress(server.url));
  const { client } = await connection.current();
  server.faults.answerTwice();
  await expect(append(client, 'not-a-uuid')).rejects.toThrow(/BadRequest/);
  expect(await append(client, randomUUID())).toBe(0);
  expect(await append(client, randomUUID())).toBe(1);
  await server.stop();
});

test('appends that wait for a node that does not read are all rejected with its connection', async () => {
  const cluster = await EventStoreDbCluster.start();
  connection = await Connection.open(parseAddress(cluster.url));
  const { client } = await connection.current();
  await append(client, randomUUID());
  cluster.freeze(cluster.leader);
  const appends = Promise.allSettled(Array.from({ length: APPENDS }, () => append(client, randomUUID(), LONG)));
  connection.leave(client);
  const rejected = (await appends).filter(({ status }) => status === 'rejected');
  expect(rejected).toHaveLength(APPENDS);
  await cluster.stop();
});
