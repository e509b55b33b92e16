// One send to the last of many held long-polls, beside a bare server that answers as many held requests.
import { percentile } from './support/load.mjs';
import { residentBytes, start, startServer, temporaryFolder } from './support/processes.mjs';
import { formRequest, getRequest, RawClient } from './support/raw-client.mjs';
import { authorizationOf, openLog, seedOrganization } from './support/seed.mjs';

const POLLS = 1_000;
const ROUNDS = 20;
/** Not counted: code that ran once is not compiled yet. */
const WARMUP_ROUNDS = 3;

export async function measureDelivery() {
  const data = temporaryFolder();
  try {
    const store = openLog(data.folder);
    const subscribers = Array.from({ length: POLLS }, (_, index) => index + 4);
    await seedOrganization(store, { users: POLLS + 3, channels: [{ name: 'all', subscribers }] });
    await store.close();
    const server = await startServer(data.folder);
    const floor = await start('bench/floors/held-polls.mjs');
    try {
      const floorMs = await floorRounds(floor);
      const { latencies, bytesPerPoll } = await serverRounds(server);
      const p99 = percentile(latencies, 0.99);
      return [
        {
          what: `a send to the last of ${POLLS} held polls, p99`,
          value: p99,
          floor: percentile(floorMs, 0.99),
          unit: 'ms',
          bar: '≤ 100',
          met: p99 <= 100,
        },
        {
          what: 'resident memory of a held poll',
          value: bytesPerPoll,
          unit: 'bytes',
          bar: '≤ 8192',
          met: bytesPerPoll <= 8192,
        },
      ];
    } finally {
      await floor.stop();
      await server.stop();
    }
  } finally {
    data.remove();
  }
}

async function floorRounds(floor) {
  const clients = await Promise.all(Array.from({ length: POLLS }, () => RawClient.open(floor.port)));
  const sender = await RawClient.open(floor.port);
  const get = getRequest('/', 'none');
  const post = formRequest('POST', '/', 'none', { content: 'x' });
  const took = [];
  for (let round = -WARMUP_ROUNDS; round < ROUNDS; round++) {
    const polls = clients.map((client) => client.request(get));
    await settle();
    const sentAt = performance.now();
    await Promise.all([sender.request(post), ...polls]);
    if (round >= 0) took.push(performance.now() - sentAt);
  }
  for (const client of [...clients, sender]) client.close();
  return took.sort((a, b) => a - b);
}

async function serverRounds(server) {
  const clients = await Promise.all(Array.from({ length: POLLS }, () => RawClient.open(server.port)));
  const sender = await RawClient.open(server.port);
  const queues = [];
  for (const [index, client] of clients.entries()) {
    const request = formRequest('POST', '/api/v1/register', authorizationOf(index + 4), {
      event_types: '["message"]',
      fetch_event_types: '[]',
      apply_markdown: 'true',
    });
    const { body } = await client.request(request);
    const { queue_id, last_event_id } = JSON.parse(body);
    queues.push({ queueId: queue_id, lastEventId: last_event_id });
  }
  const before = residentBytes(server.pid);
  let bytesPerPoll = 0;
  const took = [];
  for (let round = -WARMUP_ROUNDS; round < ROUNDS; round++) {
    const polls = clients.map((client, index) => {
      const { queueId, lastEventId } = queues[index];
      return client.request(
        getRequest(`/api/v1/events?queue_id=${queueId}&last_event_id=${lastEventId}`, authorizationOf(index + 4)),
      );
    });
    await settle();
    if (round === -WARMUP_ROUNDS) bytesPerPoll = Math.max(0, residentBytes(server.pid) - before) / POLLS;
    const message = { type: 'channel', to: 'all', topic: 'news', content: `Round ${round} for everybody` };
    const sentAt = performance.now();
    const [, ...replies] = await Promise.all([
      sender.request(formRequest('POST', '/api/v1/messages', authorizationOf(4), message)),
      ...polls,
    ]);
    if (round >= 0) took.push(performance.now() - sentAt);
    replies.forEach(({ body }, index) => {
      const { events } = JSON.parse(body);
      if (events[0]?.type !== 'message') throw new Error(`Not the message: ${body}`);
      queues[index].lastEventId = events.at(-1).id;
    });
  }
  for (const client of [...clients, sender]) client.close();
  return { latencies: took.sort((a, b) => a - b), bytesPerPoll };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 300));
