// Messages at a steady rate to receivers that poll again at once: how late each of them is, and what a message costs the server, beside a bare
// server that syncs and answers as many held requests. Floor and server take turns.
import { percentile } from './support/load.mjs';
import { cpuMs, start, startServer, temporaryFolder } from './support/processes.mjs';
import { formRequest, getRequest, RawClient } from './support/raw-client.mjs';
import { authorizationOf, openLog, seedOrganization } from './support/seed.mjs';

/** Receivers, sends per second and sends of a turn, with what of the floor's figures is allowed. */
const LOADS = [
  { receivers: 16, perSecond: 500, sends: 2_500, p50: 2, p99: 4 },
  { receivers: 200, perSecond: 20, sends: 60, p50: 1.6 },
  // More than two cores deliver: how far behind the receivers fall.
  { receivers: 200, perSecond: 500, sends: 250 },
];
const TURNS = Number(process.env.BENCH_TURNS ?? 8);
const SENDERS = 64;
const LATE_MS = 10_000;

export async function measureReceivers() {
  const results = [];
  for (const load of LOADS) results.push(...(await measureLoad(load)));
  return results;
}

async function measureLoad(load) {
  const data = temporaryFolder();
  const scratch = temporaryFolder();
  try {
    const store = openLog(data.folder);
    const subscribers = Array.from({ length: load.receivers }, (_, index) => index + 4);
    await seedOrganization(store, { users: load.receivers + 3, channels: [{ name: 'all', subscribers }] });
    await store.close();
    const server = await startServer(data.folder);
    const floor = await start('bench/floors/held-polls.mjs', [`${scratch.folder}/log`]);
    try {
      const base = await Crowd.open(floor, load, ofFloor);
      const ours = await Crowd.open(server, load, ofServer);
      for (const crowd of [base, ours]) await crowd.turn();
      const turns = [];
      for (let turn = 0; turn < TURNS; turn++) turns.push([await base.turn(), await ours.turn()]);
      base.close();
      ours.close();
      return figures(load, turns);
    } finally {
      await floor.stop();
      await server.stop();
    }
  } finally {
    data.remove();
    scratch.remove();
  }
}

function figures({ receivers, perSecond, ...bars }, turns) {
  const row = (figure, what, unit, bar) => {
    const share = median(turns.map(([base, ours]) => ours[figure] / base[figure]));
    const [floor, value] = [0, 1].map((side) => median(turns.map((turn) => turn[side][figure])));
    return { what, value, floor, unit, share, ...(bar && { bar: `≤ ${bar} × the floor`, met: share <= bar }) };
  };
  const whom = `${receivers} receivers at ${perSecond}/s`;
  return [
    row('p50', `a message to ${whom}, p50`, 'ms', bars.p50),
    row('p99', `a message to ${whom}, p99`, 'ms', bars.p99),
    row('cpuMs', `CPU of a message to ${whom}`, 'ms'),
  ];
}

/** How a side is asked: by the requests of a receiver and of a sender. */
const ofFloor = {
  join: async () => ({ last: 0 }),
  poll: ({ last }) => getRequest(`/?${last}`, 'none'),
  send: (content) => formRequest('POST', '/', 'none', { content }),
};
const ofServer = {
  join: async (client, userId) => {
    const fields = { event_types: '["message"]', fetch_event_types: '[]', apply_markdown: 'true' };
    const { body } = await client.request(formRequest('POST', '/api/v1/register', authorizationOf(userId), fields));
    const { queue_id, last_event_id } = JSON.parse(body);
    return { userId, queueId: queue_id, last: last_event_id };
  },
  poll: ({ queueId, last, userId }) =>
    getRequest(`/api/v1/events?queue_id=${queueId}&last_event_id=${last}`, authorizationOf(userId)),
  send: (content) =>
    formRequest('POST', '/api/v1/messages', authorizationOf(4), { type: 'channel', to: 'all', topic: 'news', content }),
};

/** Receivers of one side, who stay connected, and what is sent to them. */
class Crowd {
  #received = 0;
  #latencies = [];
  /** When each message of the turn was due: a receiver gets them in order. */
  #dueAt = [];
  #clients = [];
  #isOver = false;
  #failure;

  constructor(side, load, requests) {
    Object.assign(this, { side, load, requests });
  }

  static async open(side, load, requests) {
    const crowd = new Crowd(side, load, requests);
    for (let index = 0; index < load.receivers; index++) {
      const client = await RawClient.open(side.port);
      const place = await requests.join(client, index + 4);
      crowd.#clients.push(client);
      crowd.#receive(client, { ...place, count: 0, turn: 0 }).catch((error) => {
        if (!crowd.#isOver) crowd.#failure ??= error;
      });
    }
    return crowd;
  }

  /** Sends at the rate, and waits until everybody has everything. */
  async turn() {
    const { perSecond, sends, receivers } = this.load;
    // A server closes connections on which nothing comes, as between turns.
    const senders = await Promise.all(Array.from({ length: SENDERS }, () => RawClient.open(this.side.port)));
    const before = cpuMs(this.side.pid);
    this.#received = 0;
    this.#latencies = [];
    this.#dueAt = [];
    const startAt = performance.now();
    const free = [...senders];
    const pending = [];
    for (let sent = 0; sent < sends;) {
      const due = Math.min(sends, Math.floor(((performance.now() - startAt) / 1000) * perSecond) + 1);
      for (; sent < due && free.length > 0; sent++) {
        const client = free.shift();
        this.#dueAt.push(startAt + (sent / perSecond) * 1000);
        pending.push(
          client.request(this.requests.send(`Message ${sent} to everybody`)).then(({ status, body }) => {
            if (status !== 200) throw new Error(`HTTP ${status}: ${body}`);
            free.push(client);
          }),
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(pending);
    for (const client of senders) client.close();
    const untilMs = performance.now() + LATE_MS;
    while (this.#received < sends * receivers) {
      if (this.#failure !== undefined) throw this.#failure;
      if (performance.now() > untilMs) throw new Error(`Only ${this.#received} of ${sends * receivers} were received.`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const sorted = this.#latencies.sort((a, b) => a - b);
    const cpu = (cpuMs(this.side.pid) - before) / sends;
    return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), cpuMs: cpu };
  }

  close() {
    this.#isOver = true;
    for (const client of this.#clients) client.close();
  }

  async #receive(client, place) {
    while (!this.#isOver) {
      const { status, body } = await client.request(this.requests.poll(place));
      if (status !== 200) throw new Error(`HTTP ${status}: ${body}`);
      const now = performance.now();
      const { events } = JSON.parse(body);
      if (place.turn !== this.#dueAt) Object.assign(place, { turn: this.#dueAt, count: 0 });
      for (const { type } of events) {
        if (type !== 'message') continue;
        this.#latencies.push(now - this.#dueAt[place.count++]);
        this.#received++;
      }
      place.last = Math.max(place.last, events.at(-1).id);
    }
  }
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
