// The calls to both stores that a request takes, in order, and the longest chain of those that wait for one another, through
// proxies that delay every message: what a request takes then is its number of round trips, on any machine.
//   npm run bench -- --trace send     also: read, poll, batch
//   TRACE_DELAY_MS=10                 how long a message takes, each way
//   TRACE_FERRETDB=1                  without tailing and keys, as it is
//   TRACE_BULK_WRITES=1               as MongoDB 8.0, where one command writes to several collections
//   EVENT_STORE_URL=esdb://…?tls=false READ_STORE_URL=mongodb://…
//                                     stores that are there and empty, instead of the stand-in and FerretDB
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openEventStore } from '#event-store';
import { compiled } from '../test/support/compiled.mjs';
import { closedLoop, openLoop, percentile } from './support/load.mjs';
import { cpuMs, run, startServer, temporaryFolder } from './support/processes.mjs';
import { formRequest, getRequest, RawClient } from './support/raw-client.mjs';
import { registry } from './support/registry.mjs';
import { authorizationOf, SECRET, seedOrganization } from './support/seed.mjs';
import { FERRETDB, startFerretDb, startStandIn } from './support/stores.mjs';
import { countsBetween, printCounts, printTrace } from './support/trace-report.mjs';

const DELAY_MS = Number(process.env.TRACE_DELAY_MS ?? 10);
/** Timers are a little early. */
const ROUND_TRIP_MS = Math.max(0, 2 * (DELAY_MS - 1));
const ROUNDS = 15;
const WARMUP_ROUNDS = 60;
/** A batch is many sends. */
const BATCHES = 5;
/** Longer than the documents of a send are on their way. */
const SETTLED_MS = 600;
const IDLE_MS = 5_000;
const CLIENTS = 64;
const PER_SECOND = 200;
const SECONDS = 5;
const SENDER = 4;
const RECEIVER = 5;

/** By name: makes the request, and tells from when until when it was one. */
const requests = { send: sendOne, read: readOne, poll: pollOne, batch: sendMany };

export async function trace(kind) {
  if (!(kind in requests)) throw new Error(`--trace takes one of: ${Object.keys(requests).join(', ')}.`);
  const data = temporaryFolder();
  const ends = [() => data.remove()];
  try {
    await traceOn(await startAll(data.folder, ends), kind);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function traceOn(deployment, kind) {
  const { stores, api, longestChain } = deployment;
  await closedLoop({ port: api.port, clients: 1, seconds: 2, makeRequest: (_, round) => sendRequest(round) });
  const [wanted, warmup] = kind === 'batch' ? [BATCHES, BATCHES] : [ROUNDS, WARMUP_ROUNDS];
  for (let count = 0; count < warmup; count++) await requests[kind](deployment);
  await pause(SETTLED_MS);
  stores.delay(DELAY_MS);
  for (let count = 0; count < 3; count++) await requests[kind](deployment);
  await pause(SETTLED_MS);
  const rounds = [];
  for (let count = 0; count < wanted; count++) {
    const { fromMs, untilMs } = await requests[kind](deployment);
    await pause(SETTLED_MS);
    const chain = longestChain(stores.calls, 'api', fromMs, untilMs, ROUND_TRIP_MS);
    rounds.push({ fromMs, untilMs, chain });
  }
  rounds.sort((a, b) => a.chain.length - b.chain.length || a.untilMs - a.fromMs - (b.untilMs - b.fromMs));
  const lengths = rounds.map(({ chain }) => chain.length).join(', ');
  const took = rounds.map(({ fromMs, untilMs }) => untilMs - fromMs).sort((a, b) => a - b);
  console.log(`A ${kind}, ${wanted} times, each call with ${2 * DELAY_MS} ms on its way:`);
  console.log(`answered after ${took[0].toFixed(1)} ms, p50 ${percentile(took, 0.5).toFixed(1)} ms`);
  console.log(`longest chain: ${rounds[0].chain.length} calls (all rounds: ${lengths})\n`);
  printTrace(stores.calls, rounds[0], SETTLED_MS);
  stores.delay(0);
  await pause(SETTLED_MS);
  await countCalls(deployment, kind, wanted);
  if (kind === 'batch') await countUnderLoad(deployment);
}

/** Without a delay, and without the calls of a deployment that does nothing. */
async function countCalls(deployment, kind, rounds) {
  const { stores } = deployment;
  const idleFromMs = performance.now();
  await pause(IDLE_MS);
  const fromMs = performance.now();
  const took = [];
  for (let count = 0; count < rounds; count++) {
    const made = await requests[kind](deployment);
    took.push(made.untilMs - made.fromMs);
    await pause(SETTLED_MS);
  }
  const untilMs = performance.now();
  const idle = countsBetween(stores.calls, idleFromMs, fromMs, (fromMs - idleFromMs) / (untilMs - fromMs));
  const sends = kind === 'batch' ? rounds * CLIENTS : rounds;
  const each = kind === 'batch' ? `send, ${CLIENTS} at once` : `${kind} alone`;
  const p50 = percentile(
    took.sort((a, b) => a - b),
    0.5,
  );
  printCounts(
    `Calls a ${each} (without a delay, p50 ${p50.toFixed(1)} ms)`,
    countsBetween(stores.calls, fromMs, untilMs, 1),
    idle,
    sends,
  );
}

async function countUnderLoad({ stores, api, projector }) {
  const idleFromMs = performance.now();
  await pause(IDLE_MS);
  const idleMs = performance.now() - idleFromMs;
  const idleCalls = [...stores.calls];
  const load = { port: api.port, clients: CLIENTS, seconds: SECONDS };
  const loads = {
    [`send at ${PER_SECOND}/s`]: async () => {
      const latencies = await openLoop({ ...load, perSecond: PER_SECOND, makeRequest: sendRequest });
      return {
        sends: latencies.length,
        text: `p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms`,
      };
    },
    [`send, ${CLIENTS} clients`]: async () => {
      const { latencies, perSecond } = await closedLoop({ ...load, warmupSeconds: 0, makeRequest: sendRequest });
      return { sends: latencies.length, text: `${Math.round(perSecond)}/s` };
    },
  };
  for (const [name, make] of Object.entries(loads)) {
    const cpu = () => [cpuMs(api.pid), cpuMs(projector.pid)];
    const before = cpu();
    const fromMs = performance.now();
    const { sends, text } = await make();
    await pause(SETTLED_MS);
    const untilMs = performance.now();
    const spent = cpu().map((ms, index) => ((ms - before[index]) / sends).toFixed(2));
    const idle = countsBetween(idleCalls, idleFromMs, idleFromMs + idleMs, idleMs / (untilMs - fromMs));
    const title = `Calls a ${name} (${text}; CPU of the api ${spent[0]} ms, of the projector ${spent[1]} ms)`;
    printCounts(title, countsBetween(stores.calls, fromMs, untilMs, 1), idle, sends);
  }
}

function sendRequest(client, round = 0) {
  return formRequest('POST', '/api/v1/messages', authorizationOf(SENDER + (client % 10)), {
    type: 'channel',
    to: 'few',
    topic: `topic ${client % 7}`,
    content: `message ${client} of ${round}`,
  });
}

/** Each on a new connection: the server closes those that are idle. */
async function timed(port, request) {
  const client = await RawClient.open(port);
  const fromMs = performance.now();
  const { status, body } = await client.request(request);
  const untilMs = performance.now();
  client.close();
  if (status !== 200) throw new Error(`HTTP ${status}: ${body}`);
  return { fromMs, untilMs, body: JSON.parse(body) };
}

async function sendOne({ api }) {
  return timed(api.port, sendRequest(0));
}

async function readOne({ api }) {
  const query = new URLSearchParams({ anchor: 'newest', num_before: '50', num_after: '0' });
  return timed(api.port, getRequest(`/api/v1/messages?${query}`, authorizationOf(SENDER)));
}

/** From when a message is appended until it has reached a poll that waits for it. */
async function pollOne(deployment) {
  const { port } = deployment.api;
  const authorization = authorizationOf(RECEIVER);
  deployment.queue ??= (
    await timed(port, formRequest('POST', '/api/v1/register', authorization, { event_types: '["message"]' }))
  ).body;
  const { queue } = deployment;
  const query = new URLSearchParams({ queue_id: queue.queue_id, last_event_id: queue.last_event_id });
  const polled = timed(port, getRequest(`/api/v1/events?${query}`, authorization));
  await pause(50);
  const sent = await sendOne(deployment);
  const { untilMs, body } = await polled;
  const append = deployment.stores.calls.find(({ name, beganMs }) => name === 'append' && beganMs >= sent.fromMs);
  queue.last_event_id = Math.max(...body.events.map(({ id }) => id));
  return { fromMs: append.beganMs, untilMs };
}

/** As many at once as there are clients. */
async function sendMany({ api: { port } }) {
  const sent = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => timed(port, sendRequest(index))));
  return {
    fromMs: Math.min(...sent.map(({ fromMs }) => fromMs)),
    untilMs: Math.max(...sent.map(({ untilMs }) => untilMs)),
  };
}

/** One api and one projector, each behind proxies of its own, and an organization that is seeded directly to the log. */
async function startAll(folder, ends) {
  const { EVENT_STORE_URL, READ_STORE_URL } = process.env;
  if (READ_STORE_URL === undefined && !existsSync(FERRETDB))
    throw new Error('It needs FERRETDB_BIN or READ_STORE_URL.');
  const own = async (starting) => {
    const started = await starting;
    ends.push(() => started.stop());
    return started;
  };
  const asMongo = READ_STORE_URL === undefined && process.env.TRACE_FERRETDB !== '1';
  const eventStoreUrl = EVENT_STORE_URL ?? (await own(startStandIn())).said;
  const readStoreUrl = READ_STORE_URL ?? (await own(startFerretDb(join(folder, 'ferretdb')))).url;
  const store = await openEventStore(eventStoreUrl, registry);
  const subscribers = Array.from({ length: 10 }, (_, index) => index + SENDER);
  await seedOrganization(store, { users: 103, channels: [{ name: 'few', subscribers }] });
  await store.close();
  const test = await compiled('eventstoredb', 'mongodb', 'round-trips');
  const { TracedStores } = await import(new URL('round-trips/traced-stores.js', test).href);
  const { longestChain } = await import(new URL('round-trips/chain.js', test).href);
  const bulkWrites = process.env.TRACE_BULK_WRITES === '1' ? true : undefined;
  const addresses = { eventStoreUrl, readStoreUrl, asMongo, bulkWrites };
  const stores = await own(TracedStores.start(addresses, ['api', 'projector']));
  writeFileSync(join(folder, 'secret.key'), SECRET);
  const common = { SECRET_KEY: SECRET, DATA_DIR: folder, LOG_LEVEL: 'warn' };
  const environment = { ...common, ...stores.environmentOf('projector'), PORT: '0' };
  const projector = await own(
    run(['dist/bin/projector.js'], /health checks on \S+:(\d+)/, process.execPath, environment),
  );
  const api = await own(startServer(folder, { ...common, ...stores.environmentOf('api'), PROJECTOR: 'off' }));
  return { stores, api, projector, longestChain };
}
