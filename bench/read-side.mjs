// What the read side does over a long log: how fast a projection is rebuilt beside a bare scan of the log, how long a start
// takes, and what POST /register costs in a large organization.
import { SqliteEventStore, streams } from '#event-store';
import { percentile } from './support/load.mjs';
import { residentBytes, startServer, temporaryFolder } from './support/processes.mjs';
import { formRequest, RawClient } from './support/raw-client.mjs';
import { registry } from './support/registry.mjs';
import { authorizationOf, openLog, seedMessages, seedOrganization } from './support/seed.mjs';
import { prose } from './support/prose.mjs';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const OWNER_ID = 4;

export async function measureRebuild() {
  const small = await rebuildRate(EVENTS / 10);
  const large = await rebuildRate(EVENTS);
  const growth = large.rebuildMs / small.rebuildMs;
  return [
    {
      what: `rebuild of messages, ${EVENTS.toLocaleString('en')} events`,
      value: large.perSecond,
      floor: large.scanPerSecond,
      unit: '1/s',
      share: large.perSecond / large.scanPerSecond,
      bar: '≥ 100000',
      met: large.perSecond >= 100_000,
    },
    {
      what: 'rebuild time of 10× the events',
      value: large.rebuildMs,
      floor: small.rebuildMs,
      unit: 'ms',
      share: growth,
      bar: '≤ 11',
      met: growth <= 11,
    },
    {
      what: `start from a snapshot, ${EVENTS.toLocaleString('en')} events`,
      value: large.startMs,
      unit: 'ms',
      bar: '≤ 2000',
      met: large.startMs <= 2000,
    },
  ];
}

async function rebuildRate(events) {
  const data = temporaryFolder();
  try {
    const store = openLog(data.folder);
    await seedOrganization(store, {
      users: 53,
      channels: Array.from({ length: 20 }, (_, index) => ({ name: `channel ${index}`, subscribers: [OWNER_ID, 5, 6] })),
    });
    await seedMessages(store, {
      count: events,
      users: 50,
      channels: 20,
      contentOf: (index) => prose(index).slice(0, 100),
    });
    await store.close();
    const scanPerSecond = await scan(data.folder);
    const first = await startServer(data.folder);
    const client = await RawClient.open(first.port);
    const request = formRequest('POST', '/api/v1/operator/projections/messages/rebuild', authorizationOf(OWNER_ID), {});
    const { status, body } = await client.request(request);
    if (status !== 200) throw new Error(body);
    const rebuildMs = JSON.parse(body).elapsedMs;
    client.close();
    await first.stop();
    const startedAt = performance.now();
    const second = await startServer(data.folder);
    const startMs = performance.now() - startedAt;
    await second.stop();
    return { perSecond: (events / rebuildMs) * 1000, rebuildMs, scanPerSecond, startMs };
  } finally {
    data.remove();
  }
}

async function scan(folder) {
  const store = SqliteEventStore.openReadOnly(`${folder}/events.db`, registry);
  const startedAt = performance.now();
  let events = 0;
  for await (const page of store.readAll({ streamPrefixes: [streams.prefix] })) events += page.length;
  const perSecond = (events / (performance.now() - startedAt)) * 1000;
  await store.close();
  return perSecond;
}

export async function measureRegister() {
  const data = temporaryFolder();
  try {
    const store = openLog(data.folder);
    const subscribers = Array.from({ length: 200 }, (_, index) => OWNER_ID + index);
    const channels = Array.from({ length: 1_000 }, (_, index) => ({ name: `channel ${index}`, subscribers }));
    await seedOrganization(store, { users: 10_003, channels });
    await store.close();
    const server = await startServer(data.folder);
    const client = await RawClient.open(server.port);
    const request = formRequest('POST', '/api/v1/register', authorizationOf(OWNER_ID), {
      apply_markdown: 'true',
      client_gravatar: 'true',
    });
    const latencies = [];
    for (let round = 0; round < 110; round++) {
      const sentAt = performance.now();
      const { status, body } = await client.request(request);
      if (status !== 200) throw new Error(body);
      if (round >= 10) latencies.push(performance.now() - sentAt);
    }
    client.close();
    await server.stop();
    const p99 = percentile(
      latencies.sort((a, b) => a - b),
      0.99,
    );
    return [
      {
        what: 'POST /register, 10,000 users and 1,000 channels, p99',
        value: p99,
        unit: 'ms',
        bar: '≤ 50',
        met: p99 <= 50,
      },
    ];
  } finally {
    data.remove();
  }
}

export async function measureIdleServer() {
  const data = temporaryFolder();
  try {
    const server = await startServer(data.folder);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const megabytes = residentBytes(server.pid) / 1024 / 1024;
    await server.stop();
    return [
      { what: 'resident memory of the idle server', value: megabytes, unit: 'MB', bar: '≤ 120', met: megabytes <= 120 },
    ];
  } finally {
    data.remove();
  }
}
