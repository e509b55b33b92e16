// What concerns everybody in an organization of 10,000 users and 1,000 channels: how long each request takes, how long others wait
// meanwhile, and how much memory the server has after it. What a request leaves to be done afterwards counts for the others' wait,
// as far as it is done within some seconds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Others } from './support/others.mjs';
import { residentBytes, startServer, temporaryFolder } from './support/processes.mjs';
import { formRequest, getRequest, RawClient } from './support/raw-client.mjs';
import { authorizationOf, openLog, seedMessages, seedOrganization } from './support/seed.mjs';

const [OWNER, OBSERVER, FIRST] = [4, 5, 6];
const [USERS, CHANNELS] = [10_003, 1_000];
/** By their places in the seed; the long one has all seeded messages, the crowded one all users. */
const [LONG, OBSERVED, CROWDED] = [1, 2, 3];
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 100_000);
/** Unread by everybody in the crowded channel. */
const UNREAD = 20;
const OTHERS_BAR_MS = 100;
const AFTERMATH_MS = 5_000;

const EVERYBODY = Array.from({ length: USERS - FIRST + 1 }, (_, index) => FIRST + index);

export async function measureCrowds() {
  const data = temporaryFolder();
  const scratch = temporaryFolder();
  const portFile = join(scratch.folder, 'port');
  let server;
  try {
    await seed(data.folder);
    const watching = ['--import', './bench/support/loop-watch.mjs'];
    server = await startServer(data.folder, { LOOP_WATCH_FILE: portFile }, watching);
    return await walk(server, `http://127.0.0.1:${readFileSync(portFile, 'utf8')}`);
  } finally {
    await server?.stop();
    data.remove();
    scratch.remove();
  }
}

async function seed(folder) {
  const store = openLog(folder);
  const few = [OWNER, ...EVERYBODY.slice(0, 200)];
  const special = [
    { name: 'long', subscribers: [OWNER] },
    { name: 'observed', subscribers: [OWNER, OBSERVER] },
    { name: 'crowded', subscribers: [OWNER, ...EVERYBODY] },
  ];
  const usual = Array.from({ length: CHANNELS - special.length }, (_, index) => ({
    name: `channel ${index}`,
    subscribers: few,
  }));
  await seedOrganization(store, { users: USERS, channels: [...special, ...usual] });
  await seedMessages(store, { count: MESSAGES, users: 100, channels: 1, contentOf: (index) => `message ${index}` });
  await store.close();
}

async function walk({ port, pid }, watch) {
  const client = await RawClient.open(port);
  const others = await Others.open(port, OBSERVER, OBSERVED);
  const form = (method, path, fields = {}, userId = OWNER) =>
    formRequest(method, `/api/v1${path}`, authorizationOf(userId), fields);
  const send = { type: 'stream', to: CROWDED, topic: 'news', content: 'to everybody' };
  for (let index = 0; index < UNREAD; index++) await client.request(form('POST', '/messages', send));
  const names = (name) => ({ subscriptions: JSON.stringify([{ name }]), principals: JSON.stringify(EVERYBODY) });
  const leave = { subscriptions: JSON.stringify(['everybody']), principals: JSON.stringify(EVERYBODY) };
  const requests = [
    ['GET /streams of 1,000 channels', getRequest('/api/v1/streams?include_all=true', authorizationOf(OWNER))],
    ['GET /users of 10,000', getRequest('/api/v1/users', authorizationOf(OWNER))],
    ['POST /register', form('POST', '/register', {}, FIRST)],
    ['subscribing 10,000 users to a new channel', form('POST', '/users/me/subscriptions', names('everybody'))],
    ['unsubscribing 10,000 users', form('DELETE', '/users/me/subscriptions', leave)],
    [
      `a channel of ${MESSAGES.toLocaleString('en')} messages turned private`,
      form('PATCH', `/streams/${LONG}`, { is_private: 'true' }),
    ],
    [
      `a channel of ${MESSAGES.toLocaleString('en')} messages turned public`,
      form('PATCH', `/streams/${LONG}`, { is_private: 'false' }),
    ],
    ['archiving a channel of 10,000 subscribers', form('DELETE', `/streams/${CROWDED}`)],
  ];
  const figures = [];
  await pause(2_000);
  await others.longest();
  await pause(2_000);
  const floor = (await others.longest()).othersMs;
  for (const [what, request] of requests) {
    await others.longest();
    await fetch(watch);
    const sentAt = performance.now();
    const { status, body } = await client.request(request);
    const value = performance.now() - sentAt;
    if (status !== 200) throw new Error(`${what}: ${body.slice(0, 500)}`);
    await pause(AFTERMATH_MS);
    const { othersMs } = await others.longest();
    const { cpuMs } = await fetch(watch).then((answer) => answer.json());
    const memory = Math.round(residentBytes(pid) / 1024 / 1024);
    console.error(
      `  ${what}: ${Math.round(value)} ms, others ${Math.round(othersMs)} ms, loop ${Math.round(cpuMs)} ms of CPU, ` +
        `${(body.length / 1e6).toFixed(2)} MB, memory ${memory} MB`,
    );
    figures.push({ what, value, unit: 'ms' });
    const bar = { bar: `≤ ${OTHERS_BAR_MS}`, met: othersMs <= OTHERS_BAR_MS };
    figures.push({ what: `${what}: others wait`, value: othersMs, floor, unit: 'ms', ...bar });
    figures.push({ what: `${what}: memory after it`, value: memory, unit: 'MB' });
  }
  await others.close();
  client.close();
  return figures;
}
