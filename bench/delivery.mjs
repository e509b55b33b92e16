// Latency of one send to the last of many held long polls, and to its sender, beside a bare server that answers as many
// held requests.
import { percentile } from './support/load.mjs';
import { residentBytes, start, startServer, temporaryFolder } from './support/processes.mjs';
import { formRequest, getRequest, RawClient } from './support/raw-client.mjs';
import { authorizationOf, openLog, seedOrganization } from './support/seed.mjs';

/** Number of held polls, and the maximum latency of the last of them, in ms. */
const CROWDS = [
  { polls: 200, barMs: 15 },
  { polls: 1_000, barMs: 100 },
  { polls: 10_000, barMs: 500 },
];
const ROUNDS = 20;
/** Not counted: cold code is not compiled yet. */
const WARMUP_ANSWERS = 5_000;
const warmupRounds = (polls) => Math.max(3, Math.ceil(WARMUP_ANSWERS / polls));

export async function measureDelivery() {
  const results = [];
  const polls = Number(process.env.BENCH_POLLS ?? Infinity);
  for (const crowd of CROWDS.filter((one) => one.polls <= polls)) results.push(...(await measureCrowd(crowd)));
  return results;
}

async function measureCrowd({ polls, barMs }) {
  const data = temporaryFolder();
  try {
    const store = openLog(data.folder);
    const subscribers = Array.from({ length: polls }, (_, index) => index + 4);
    await seedOrganization(store, { users: polls + 3, channels: [{ name: 'all', subscribers }] });
    await store.close();
    const server = await startServer(data.folder);
    const floor = await start('bench/floors/held-polls.mjs');
    try {
      const base = await floorRounds(floor, polls);
      const ours = await serverRounds(server, polls);
      const p99 = percentile(ours.last, 0.99);
      const crowd = `${polls.toLocaleString('en')} held polls`;
      return [
        {
          what: `a send to the last of ${crowd}`,
          value: percentile(ours.last, 0.5),
          p99,
          floor: percentile(base.last, 0.5),
          unit: 'ms',
          bar: `p99 ≤ ${barMs}`,
          met: p99 <= barMs,
        },
        {
          what: `a send to its sender's answer with ${crowd}`,
          value: percentile(ours.answered, 0.5),
          p99: percentile(ours.answered, 0.99),
          floor: percentile(base.answered, 0.5),
          unit: 'ms',
        },
        {
          what: `resident memory of one of ${crowd}`,
          value: ours.bytesPerPoll,
          unit: 'bytes',
          bar: '≤ 8192',
          met: ours.bytesPerPoll <= 8192,
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

async function floorRounds(floor, held) {
  const clients = await open(floor, held);
  const sender = await RawClient.open(floor.port);
  const get = getRequest('/', 'none');
  const post = formRequest('POST', '/', 'none', { content: 'x' });
  const took = new Took();
  const first = -warmupRounds(held);
  for (let round = first; round < ROUNDS; round++) {
    const polls = clients.map((client) => client.request(get));
    await settle(held);
    await took.measure(round, () => sender.request(post), polls);
  }
  for (const client of [...clients, sender]) client.close();
  return took.sorted();
}

async function serverRounds(server, held) {
  const clients = await open(server, held);
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
  const took = new Took();
  const first = -warmupRounds(held);
  for (let round = first; round < ROUNDS; round++) {
    const polls = clients.map((client, index) => {
      const { queueId, lastEventId } = queues[index];
      return client.request(
        getRequest(`/api/v1/events?queue_id=${queueId}&last_event_id=${lastEventId}`, authorizationOf(index + 4)),
      );
    });
    await settle(held);
    if (round === first) bytesPerPoll = Math.max(0, residentBytes(server.pid) - before) / held;
    const message = { type: 'channel', to: 'all', topic: 'news', content: `Round ${round} for everybody` };
    const request = formRequest('POST', '/api/v1/messages', authorizationOf(4), message);
    const replies = await took.measure(round, () => sender.request(request), polls);
    replies.forEach(({ body }, index) => {
      const { events } = JSON.parse(body);
      if (events[0]?.type !== 'message') throw new Error(`Not the message: ${body}`);
      queues[index].lastEventId = events.at(-1).id;
    });
  }
  for (const client of [...clients, sender]) client.close();
  return { ...took.sorted(), bytesPerPoll };
}

/** Latency from a send to its sender's answer, and to the last of the polls, in ms. */
class Took {
  answered = [];
  last = [];

  /** @returns the answers of the polls */
  async measure(round, send, polls) {
    const sentAt = performance.now();
    const answered = send().then(({ status, body }) => {
      if (status !== 200) throw new Error(`HTTP ${status}: ${body}`);
      return performance.now() - sentAt;
    });
    const replies = await Promise.all(polls);
    const lastMs = performance.now() - sentAt;
    const answeredMs = await answered;
    if (round >= 0) {
      this.answered.push(answeredMs);
      this.last.push(lastMs);
    }
    return replies;
  }

  sorted() {
    const sort = (list) => list.sort((a, b) => a - b);
    return { answered: sort(this.answered), last: sort(this.last) };
  }
}

/** Opens connections to a server, some at a time. */
async function open({ port }, count) {
  const clients = [];
  while (clients.length < count) {
    const some = Math.min(500, count - clients.length);
    clients.push(...(await Promise.all(Array.from({ length: some }, () => RawClient.open(port)))));
  }
  return clients;
}

/** Waits until all polls are held. */
const settle = (held) => new Promise((resolve) => setTimeout(resolve, 300 + held / 5));
