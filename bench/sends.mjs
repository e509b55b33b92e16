// Acknowledged sends over HTTP: how many a second beside the floor, what a channel with many subscribers costs, and what a
// message takes on disk. How long each takes at a steady rate is a part of its own.
import { execFileSync } from 'node:child_process';
import { closedLoop, openLoop, percentile } from './support/load.mjs';
import { prose } from './support/prose.mjs';
import { cpuMs, start, startServer, temporaryFolder } from './support/processes.mjs';
import { basic, formRequest } from './support/raw-client.mjs';
import { authorizationOf, openLog, seedOrganization } from './support/seed.mjs';

const CLIENTS = 64;
const SECONDS = 5;
const ROUNDS = 3;
const ids = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Runs the server over an organization, and the floor, during `measure`. */
async function besideFloor(measure, after = () => []) {
  const data = temporaryFolder();
  try {
    const store = openLog(data.folder);
    const few = ids(4, 13);
    const many = ids(4, 10_003);
    await seedOrganization(store, {
      users: 10_003,
      channels: [
        { name: 'few', subscribers: few },
        { name: 'many', subscribers: many },
      ],
    });
    await store.close();
    const server = await startServer(data.folder);
    const floorFile = temporaryFolder();
    const floor = await start('bench/floors/durable-http.mjs', [`${floorFile.folder}/log`]);
    const results = [];
    try {
      results.push(...(await measure(floor, server)));
    } finally {
      await floor.stop();
      await server.stop();
      floorFile.remove();
    }
    results.push(...(await after(data.folder)));
    return results;
  } finally {
    data.remove();
  }
}

const send = (channel) => (client, round) =>
  formRequest('POST', '/api/v1/messages', authorizationOf(4 + (client % 10)), {
    type: 'channel',
    to: channel,
    topic: `topic ${client % 7}`,
    content: prose(client * 1_000 + (round ?? 0)),
  });

export function measureSends() {
  return besideFloor(
    async (floor, server) => [...(await throughput(floor, server, send)), ...(await subscribersRatio(server, send))],
    (folder) => diskPerMessage(folder, send('few')),
  );
}

export function measureLatency() {
  return besideFloor((floor, server) => latency(floor, server, send('few')));
}

/** Floor and server alternate, so that both have the same disk and load. */
async function throughput(floor, server, send) {
  const ratios = [];
  const floors = [];
  const servers = [];
  const floorRequest = formRequest('POST', '/', basic('a@b.test', 'x'.repeat(32)), {
    type: 'channel',
    to: 'few',
    topic: 't',
    content: prose(0),
  });
  for (let round = 0; round < ROUNDS; round++) {
    const base = await closedLoop({
      port: floor.port,
      clients: CLIENTS,
      seconds: SECONDS,
      makeRequest: () => floorRequest,
    });
    const ours = await closedLoop({ port: server.port, clients: CLIENTS, seconds: SECONDS, makeRequest: send('few') });
    floors.push(base.perSecond);
    servers.push(ours.perSecond);
    ratios.push(ours.perSecond / base.perSecond);
  }
  return [
    {
      what: `acknowledged sends, ${CLIENTS} clients`,
      value: median(servers),
      floor: median(floors),
      unit: '1/s',
      share: median(ratios),
      bar: '≥ 0.4',
      met: median(ratios) >= 0.4,
    },
  ];
}

/** Floor and server alternate; the median round counts, since a shared disk stalls now and then. */
async function latency(floor, server, makeRequest) {
  const rounds = { p50: [], p99: [], floorP50: [], floorP99: [] };
  const steady = { clients: CLIENTS, perSecond: 500, seconds: 10, makeRequest: (index) => makeRequest(index, index) };
  // What is compiled, loaded and cached once is not counted.
  await openLoop({ port: server.port, ...steady });
  for (let round = 0; round < ROUNDS; round++) {
    const base = await openLoop({ port: floor.port, ...steady });
    const ours = await openLoop({ port: server.port, ...steady });
    rounds.floorP50.push(percentile(base, 0.5));
    rounds.floorP99.push(percentile(base, 0.99));
    rounds.p50.push(percentile(ours, 0.5));
    rounds.p99.push(percentile(ours, 0.99));
  }
  const p50 = median(rounds.p50);
  const p99 = median(rounds.p99);
  const floorP99 = median(rounds.floorP99);
  return [
    {
      what: 'send latency at 500/s, p50',
      value: p50,
      floor: median(rounds.floorP50),
      unit: 'ms',
      bar: '≤ 2',
      met: p50 <= 2,
    },
    {
      what: 'send latency at 500/s, p99',
      value: p99,
      floor: floorP99,
      unit: 'ms',
      bar: '≤ 5, or 3 × the floor',
      met: p99 <= Math.max(5, 3 * floorP99),
    },
  ];
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** CPU time of the server per send, which a busy machine does not distort. */
async function subscribersRatio(server, send) {
  const cost = async (channel) => {
    const before = cpuMs(server.pid);
    const { latencies } = await closedLoop({
      port: server.port,
      clients: 16,
      seconds: 4,
      warmupSeconds: 0,
      makeRequest: send(channel),
    });
    return ((cpuMs(server.pid) - before) * 1000) / latencies.length;
  };
  const ratios = [];
  let few = 0;
  let many = 0;
  for (let round = 0; round < ROUNDS; round++) {
    few = await cost('few');
    many = await cost('many');
    ratios.push(many / few);
  }
  const ratio = median(ratios);
  return [
    {
      what: 'CPU of a send, 10,000 subscribers beside 10',
      value: many,
      floor: few,
      unit: 'µs',
      share: ratio,
      bar: '≤ 1.05',
      met: ratio <= 1.05,
    },
  ];
}

/** Measured after the server has stopped, so that the write-ahead logs are in the files. */
async function diskPerMessage(folder, makeRequest) {
  const bytes = () => Number(execFileSync('du', ['-sb', folder]).toString().split('\t')[0]);
  const before = bytes();
  const server = await startServer(folder);
  const { latencies } = await closedLoop({
    port: server.port,
    clients: CLIENTS,
    seconds: 8,
    warmupSeconds: 0,
    makeRequest,
  });
  await server.stop();
  const perMessage = (bytes() - before) / latencies.length;
  return [
    {
      what: 'disk a 300-byte message, log and projections',
      value: perMessage,
      unit: 'bytes',
      bar: '≤ 1000',
      met: perMessage <= 1000,
    },
  ];
}
