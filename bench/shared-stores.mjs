// Sends through one api on stores that several could share: the stand-in for EventStoreDB that the tests use, and FerretDB when
// its binary is there (test/ferretdb says how to build it), or else a file. Neither is what one would run, so this tells
// what our side adds and sets no bar. The floor: the official client's bare appends to the same stand-in.
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEventStore } from '#event-store';
import { closedLoop, openLoop, percentile } from './support/load.mjs';
import { startServer, temporaryFolder } from './support/processes.mjs';
import { prose } from './support/prose.mjs';
import { formRequest } from './support/raw-client.mjs';
import { registry } from './support/registry.mjs';
import { authorizationOf, SECRET, seedOrganization } from './support/seed.mjs';
import { FERRETDB, startFerretDb, startStandIn } from './support/stores.mjs';

const CLIENTS = 64;
const SECONDS = 5;
const PER_SECOND = 20;

export async function measureSharedStores() {
  const data = temporaryFolder();
  const standIn = await startStandIn();
  const ferretDb = existsSync(FERRETDB) ? await startFerretDb(join(data.folder, 'ferretdb')) : undefined;
  try {
    const store = await openEventStore(standIn.said, registry);
    const subscribers = Array.from({ length: 10 }, (_, index) => index + 4);
    await seedOrganization(store, { users: 103, channels: [{ name: 'few', subscribers }] });
    await store.close();
    writeFileSync(join(data.folder, 'secret.key'), SECRET);
    const environment = { EVENT_STORE_URL: standIn.said };
    const server = await startServer(
      data.folder,
      ferretDb === undefined ? environment : { ...environment, READ_STORE_URL: ferretDb.url, SECRET_KEY: SECRET },
    );
    try {
      const on = ferretDb === undefined ? 'EventStoreDB stand-in and a file' : 'EventStoreDB stand-in and FerretDB';
      return await measureSends(on, standIn.said, server);
    } finally {
      await server.stop();
    }
  } finally {
    await ferretDb?.stop();
    await standIn.stop();
    data.remove();
  }
}

async function measureSends(on, url, server) {
  const makeRequest = (client, round = 0) =>
    formRequest('POST', '/api/v1/messages', authorizationOf(4 + (client % 10)), {
      type: 'channel',
      to: 'few',
      topic: `topic ${client % 7}`,
      content: prose(client * 1_000 + round),
    });
  const floor = await bareAppends(url);
  const { perSecond } = await closedLoop({ port: server.port, clients: CLIENTS, seconds: SECONDS, makeRequest });
  const latencies = await openLoop({
    port: server.port,
    clients: CLIENTS,
    perSecond: PER_SECOND,
    seconds: SECONDS,
    makeRequest,
  });
  const p50 = percentile(latencies, 0.5);
  return [
    {
      what: `acknowledged sends, ${CLIENTS} clients, ${on}`,
      value: perSecond,
      floor: floor.perSecond,
      unit: '1/s',
      share: perSecond / floor.perSecond,
    },
    {
      what: `send latency at ${PER_SECOND}/s, ${on}, p50`,
      value: p50,
      p99: percentile(latencies, 0.99),
      floor: floor.p50,
      unit: 'ms',
      share: p50 / floor.p50,
    },
  ];
}

/** Appends of one event each, many in parallel for the throughput; and one at a time, for the latency. */
async function bareAppends(url) {
  const client = EventStoreDBClient.connectionString(url);
  const append = () => client.appendToStream('floor', [jsonEvent({ type: 'sent', data: { content: prose(0) } })]);
  const loop = async (milliseconds) => {
    const took = [];
    for (const end = performance.now() + milliseconds; performance.now() < end;) {
      const startedAt = performance.now();
      await append();
      took.push(performance.now() - startedAt);
    }
    return took;
  };
  await loop(500);
  const alone = (await loop(1_000)).sort((a, b) => a - b);
  const together = await Promise.all(Array.from({ length: CLIENTS }, () => loop(SECONDS * 1_000)));
  await client.dispose();
  return { perSecond: together.flat().length / SECONDS, p50: percentile(alone, 0.5) };
}
