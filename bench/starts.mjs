// Time until a server serves again over a long log: after SIGTERM, after SIGKILL under load, and without read models
// (which are then rebuilt from the log).
import { cpuMs, startServer, temporaryFolder } from './support/processes.mjs';
import { formRequest, RawClient } from './support/raw-client.mjs';
import { prose } from './support/prose.mjs';
import { authorizationOf, openLog, seedMessages, seedOrganization } from './support/seed.mjs';

const MESSAGES = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const OWNER_ID = 4;
const [USERS, CHANNELS] = [50, 20];
/** Sends before a kill: several checkpoints of the read models, and more than a snapshot of the directory may lack. */
const SENDS = 20_000;
const CLIENTS = 64;
const ROUNDS = 3;
const LIMIT_MS = 2_000;

export async function measureStarts() {
  const data = temporaryFolder();
  try {
    await seed(data.folder);
    const first = await started(data.folder);
    await first.stop();
    const afterTerm = [];
    for (let round = 0; round < ROUNDS; round++) {
      const server = await started(data.folder);
      afterTerm.push(server);
      await server.stop();
    }
    const afterKill = [];
    let server = await started(data.folder);
    for (let round = 0; round < ROUNDS; round++) {
      await send(server.port, SENDS);
      await kill(server);
      afterKill.push((server = await started(data.folder)));
    }
    await server.stop();
    return [
      figure('start after SIGTERM', afterTerm, LIMIT_MS),
      figure('start after SIGKILL under load', afterKill, LIMIT_MS),
      figure('start without read models', [first]),
    ];
  } finally {
    data.remove();
  }
}

function figure(what, starts, limitMs) {
  const worstMs = Math.max(...starts.map(({ tookMs }) => tookMs));
  const cpu = Math.max(...starts.map(({ startCpuMs }) => startCpuMs));
  const bar = limitMs === undefined ? {} : { bar: `≤ ${limitMs}`, met: worstMs <= limitMs };
  return {
    what: `${what}, ${MESSAGES.toLocaleString('en')} messages, the longest of ${starts.length} (CPU ${cpu} ms)`,
    value: worstMs,
    unit: 'ms',
    ...bar,
  };
}

async function seed(folder) {
  const store = openLog(folder);
  const subscribers = Array.from({ length: USERS }, (_, index) => OWNER_ID + index);
  const channels = Array.from({ length: CHANNELS }, (_, index) => ({ name: `channel ${index}`, subscribers }));
  await seedOrganization(store, { users: USERS + 3, channels });
  const contentOf = (index) => prose(index).slice(0, 100);
  await seedMessages(store, { count: MESSAGES, users: USERS, channels: CHANNELS, contentOf });
  await store.close();
}

/** A ready server, and its start time. */
async function started(folder) {
  const startedAt = performance.now();
  const server = await startServer(folder);
  return { ...server, tookMs: performance.now() - startedAt, startCpuMs: cpuMs(server.pid) };
}

async function kill({ pid, stop }) {
  process.kill(pid, 'SIGKILL');
  await stop();
}

async function send(port, count) {
  const one = async () => {
    const client = await RawClient.open(port);
    for (let sent = 0; sent < count / CLIENTS; sent++) {
      const fields = { type: 'stream', to: '1', topic: `topic ${sent % 7}`, content: prose(sent) };
      const { status, body } = await client.request(
        formRequest('POST', '/api/v1/messages', authorizationOf(OWNER_ID), fields),
      );
      if (status !== 200) throw new Error(body);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: CLIENTS }, one));
}
