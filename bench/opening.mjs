// What opening a client costs somebody with a long history unread: the registration, the first unread messages, and the own account, which
// names the newest message. The account is asked for in turn with an organization without messages.
import { percentile } from './support/load.mjs';
import { cpuMs, startServer, temporaryFolder } from './support/processes.mjs';
import { formRequest, getRequest, RawClient } from './support/raw-client.mjs';
import { authorizationOf, openLog, seedMessages, seedOrganization } from './support/seed.mjs';
import { prose } from './support/prose.mjs';

const UNREAD = Number(process.env.BENCH_UNREAD ?? 100_000);
const [USERS, CHANNELS] = [53, 20];
/** They send nothing, so that everything is unread. */
const READERS = [51, 52, 53];
const SENDERS = 50;
const ROUNDS = 30;
const ACCOUNT_ROUNDS = 300;

export async function measureOpening() {
  const sites = [];
  try {
    for (const messages of [0, UNREAD]) sites.push(await openSite(messages));
    const [empty, full] = sites;
    return [
      ...(await measureRegistration(full)),
      ...(await measureFirstUnread(full)),
      ...(await measureAccount(empty, full)),
    ];
  } finally {
    for (const { close } of sites) await close();
  }
}

/** For each part anew: a server closes connections on which nothing comes. */
async function connect(site) {
  site.client?.close();
  site.client = await RawClient.open(site.port);
}

async function openSite(messages) {
  const data = temporaryFolder();
  const store = openLog(data.folder);
  const subscribers = Array.from({ length: USERS - 3 }, (_, index) => index + 4);
  const channels = Array.from({ length: CHANNELS }, (_, index) => ({ name: `channel ${index}`, subscribers }));
  await seedOrganization(store, { users: USERS, channels });
  await seedMessages(store, { count: messages, users: SENDERS, channels: CHANNELS, contentOf: prose });
  await store.close();
  const server = await startServer(data.folder);
  const site = { port: server.port, pid: server.pid };
  site.close = async () => {
    site.client?.close();
    await server.stop();
    data.remove();
  };
  return site;
}

async function measureRegistration(site) {
  await connect(site);
  const register = (userId) => ask(site, formRequest('POST', '/api/v1/register', authorizationOf(userId), {}));
  const [first] = READERS;
  const startedAt = performance.now();
  const { unread_msgs } = JSON.parse(await register(first));
  const firstMs = performance.now() - startedAt;
  if (unread_msgs.count === 0) throw new Error('Nothing is unread.');
  const again = await timed(site, ROUNDS, (round) => register(READERS[round % READERS.length]));
  return [
    figure('POST /register, the first since the start', { p50: firstMs }, 'ms'),
    figure('POST /register, again', again, 'ms', 150),
    figure('CPU of POST /register, again', { p50: again.cpuMs }, 'ms', 30),
  ];
}

async function measureFirstUnread(site) {
  await connect(site);
  const path = '/api/v1/messages?anchor=first_unread&num_before=50&num_after=50';
  const fetched = await timed(site, ROUNDS, (round) =>
    ask(site, getRequest(path, authorizationOf(READERS[round % READERS.length]))),
  );
  return [
    figure('GET /messages at first_unread', fetched, 'ms', 50),
    figure('CPU of GET /messages at first_unread', { p50: fetched.cpuMs }, 'ms', 30),
  ];
}

async function measureAccount(empty, full) {
  const [reader] = READERS;
  const account = (site) => ask(site, getRequest('/api/v1/users/me', authorizationOf(reader)));
  for (const site of [empty, full]) await connect(site);
  const [before, after] = [[], []];
  for (let turn = 0; turn < 8; turn++) {
    before.push(await timed(empty, ACCOUNT_ROUNDS, () => account(empty)));
    after.push(await timed(full, ACCOUNT_ROUNDS, () => account(full)));
  }
  const row = (what, of, bar) => {
    const [was, is] = [before, after].map((turns) => median(turns.map(of)));
    const verdict = bar === undefined ? {} : { bar: `growth ≤ ${bar}`, met: is / was <= bar };
    return { what: `${what}, ${named}, beside none`, value: is, floor: was, unit: 'ms', growth: is / was, ...verdict };
  };
  return [row('GET /users/me', ({ p50 }) => p50, 1.2), row('CPU of GET /users/me', (turn) => turn.cpuMs)];
}

const named = `${UNREAD.toLocaleString('en')} messages`;

function figure(what, { p50, p99 }, unit, limit) {
  const bar = limit === undefined ? {} : { bar: `≤ ${limit}`, met: p50 <= limit };
  return { what: `${what}, ${named} unread`, value: p50, p99, unit, ...bar };
}

/** Latencies of requests that follow each other, and the server's CPU for each. */
async function timed(site, rounds, request) {
  const times = [];
  await request(0);
  const before = cpuMs(site.pid);
  for (let round = 0; round < rounds; round++) {
    const sentAt = performance.now();
    await request(round);
    times.push(performance.now() - sentAt);
  }
  const cpu = (cpuMs(site.pid) - before) / rounds;
  times.sort((a, b) => a - b);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), cpuMs: cpu };
}

async function ask({ client }, request) {
  const { status, body } = await client.request(request);
  if (status !== 200) throw new Error(body);
  return body;
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
