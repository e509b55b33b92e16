import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, ApiClient, TestQueue } from '../support/client.js';
import { describeShared } from '../support/pairings.js';
import { patiently } from '../support/patience.js';
import { build, ServerProcess } from '../support/process.js';
import { drain, fetchSent, hear, sentInLog, type SentMessage } from '../support/sent-messages.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';

/** How long a store is away: in CI longer than any patience that is built in. */
const AWAY_MS = Number(process.env['AWAY_SECONDS'] ?? 8) * 1000;
const NOT_READY_WITHIN_MS = 7_000;
/** From when on all requests are answered as they will be while the store is away. */
const SETTLED_AFTER_MS = 500;
const READY_WITHIN_MS = 25_000;
/** No request takes longer: what was asked of a store that then says nothing is given up after 20 s. */
const ANSWERED_WITHIN_MS = 22_000;
const SENDERS = 6;
const READERS = 2;

const QUEUE = { event_types: ['message'], fetch_event_types: [], apply_markdown: false };
const NEWEST = { anchor: 'newest', num_before: 5, num_after: 0 };

/** What is asked and answered while stores come and go. */
class Traffic {
  readonly acknowledged = new Map<string, number>();
  readonly heard: SentMessage[] = [];
  /** What was neither a success nor a refusal that a client understands. */
  readonly strange: string[] = [];
  readonly reads: { readonly askedMs: number; readonly status: number }[] = [];
  longestMs = 0;
  #isOver = false;
  #working: Promise<unknown> = Promise.resolve();

  constructor(private readonly at: (index: number, name?: string) => ApiClient) {}

  start(round: string, queue: TestQueue): void {
    this.#isOver = false;
    this.heard.length = this.reads.length = this.strange.length = this.longestMs = 0;
    const senders = Array.from({ length: SENDERS }, (_, sender) => this.#send(round, sender));
    const readers = Array.from({ length: READERS }, (_, reader) => this.#read(reader));
    this.#working = Promise.all([...senders, ...readers, this.#poll(queue)]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    // The poll waits for something. A projector that takes over may be starting.
    let tries = 0;
    await patiently(async () => {
      const content = `the end of ${this.acknowledged.size}, try ${++tries}`;
      this.acknowledged.set(content, await this.at(0).send('general', 'the end', content));
    });
    await this.#working;
  }

  async #send(round: string, sender: number): Promise<void> {
    const client = this.at(sender, `Sender${sender}/1`);
    for (let count = 0; !this.#isOver; count++) {
      const content = `${round}, sender ${sender}, message ${count}`;
      const message = { type: 'channel', to: 'general', topic: `topic ${sender % 3}`, content };
      const answer = await this.#ask(client, 'POST', '/messages', message);
      if (answer.status === 200) this.acknowledged.set(content, answer.body.id);
      else await pause(100);
    }
  }

  async #read(reader: number): Promise<void> {
    while (!this.#isOver) {
      const askedMs = performance.now();
      const { status } = await this.#ask(this.at(reader), 'GET', '/messages', NEWEST);
      this.reads.push({ askedMs, status });
      await pause(50);
    }
  }

  async #poll(queue: TestQueue): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      try {
        hear(await queue.at(this.at(turn)).poll(), this.heard);
      } catch (error) {
        if (!String(error).includes(' 503 ')) throw error;
        await pause(100);
      }
    }
  }

  async #ask(client: ApiClient, method: string, path: string, parameters: Record<string, unknown>): Promise<Answer> {
    const sinceMs = performance.now();
    const answer = await client.call(method, path, parameters);
    this.longestMs = Math.max(this.longestMs, performance.now() - sinceMs);
    if (answer.status !== 200 && !isRefusal(answer))
      this.strange.push(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }
}

function isRefusal({ status, headers, body }: Pick<Answer, 'status' | 'headers' | 'body'>): boolean {
  return status === 503 && body.code === 'SERVER_NOT_READY' && /^[1-9]\d*$/.test(headers.get('retry-after') ?? '');
}

describeShared('stores that go away and come back', () => {
  let stores: SharedStores;
  let apis: ServerProcess[] = [];
  let projectors: ServerProcess[] = [];
  let all: ServerProcess[] = [];
  let owner: ApiClient;
  let traffic: Traffic;

  /** The owner at one of the apis. */
  const at = (index: number, name = 'Test/1'): ApiClient => {
    const api = apis[index % apis.length] as ServerProcess;
    return owner.at(() => api.url).as(name);
  };

  beforeAll(async () => {
    build();
    stores = await openSharedStores();
    // No heartbeat ends a poll before the test does.
    const environment = { ...stores.environment, PROJECTOR: 'off', HEARTBEAT_SECONDS: '600' };
    apis = [new ServerProcess('api', environment), new ServerProcess('api', environment)];
    projectors = [new ServerProcess('projector', environment), new ServerProcess('projector', environment)];
    all = [...projectors, ...apis];
  }, 60_000);

  afterAll(async () => {
    for (const process of all) await process.discard();
    await stores.stop();
  });

  test('away at the start: all wait, and are ready once both are there', async () => {
    await stores.ferretDb.kill('SIGKILL');
    await stores.standIn.stop();
    await Promise.all(all.map((process) => process.launch()));
    await Promise.all(all.map((process) => process.turns(503, READY_WITHIN_MS)));
    await pause(3_000);
    await stores.ferretDb.start();
    await pause(3_000);
    for (const process of all) {
      expect((await process.check('live')).status).toBe(200);
      expect((await process.check('ready')).status).toBe(503);
    }
    await stores.standIn.resume();
    const took = await Promise.all(all.map((process) => process.turns(200, READY_WITHIN_MS)));
    process.stdout.write(`Ready after the last store came up (ms), projectors and apis: ${took.join(' ')}.\n`);
    owner = (apis[0] as ServerProcess).owner();
    traffic = new Traffic(at);
  }, 90_000);

  interface Absence {
    readonly leave: () => void | Promise<void>;
    readonly comeBack: () => void | Promise<void>;
    readonly readsGoOn: boolean;
  }

  const absences: Readonly<Record<string, Absence>> = {
    'the event store is gone': {
      leave: () => stores.standIn.stop(),
      comeBack: () => stores.standIn.resume(),
      readsGoOn: true,
    },
    'the read store is gone': {
      leave: () => stores.ferretDb.kill('SIGKILL'),
      comeBack: () => stores.ferretDb.start(),
      readsGoOn: false,
    },
    'the read store says nothing': {
      leave: () => stores.ferretDb.freeze(),
      comeBack: () => stores.ferretDb.thaw(),
      readsGoOn: false,
    },
  };

  /** What all processes and their clients go through while a store is away. */
  async function expectPatience({ leave, readsGoOn }: Absence): Promise<readonly number[]> {
    const awaySinceMs = performance.now();
    await leave();
    const notReady = await Promise.all(all.map((process) => process.turns(503, NOT_READY_WITHIN_MS)));
    const settledMs = performance.now() + SETTLED_AFTER_MS;
    await pause(Math.max(2 * SETTLED_AFTER_MS, AWAY_MS - (performance.now() - awaySinceMs)));
    for (const process of all) {
      expect((await process.check('live')).status).toBe(200);
      expect(isRefusal(await process.check('ready'))).toBe(true);
    }
    for (const index of apis.keys()) {
      const message = { type: 'channel', to: 'general', topic: 'not now', content: 'not now' };
      expect(isRefusal(await at(index).call('POST', '/messages', message))).toBe(true);
      const read = await at(index).call('GET', '/messages', NEWEST);
      expect(readsGoOn ? read.status === 200 : isRefusal(read)).toBe(true);
    }
    const statuses = traffic.reads.filter(({ askedMs }) => askedMs > settledMs).map(({ status }) => status);
    if (readsGoOn) expect(new Set(statuses)).toEqual(new Set([200]));
    return notReady;
  }

  /** How long the first send after the return took, and how long each process. */
  async function expectReturn({ comeBack }: Absence): Promise<readonly number[]> {
    const before = traffic.acknowledged.size;
    const sinceMs = performance.now();
    await comeBack();
    const serving = (async () => {
      while (traffic.acknowledged.size === before && performance.now() - sinceMs < READY_WITHIN_MS) await pause(10);
      return Math.round(performance.now() - sinceMs);
    })();
    return Promise.all([serving, ...all.map((process) => process.turns(200, READY_WITHIN_MS))]);
  }

  async function expectNothingLost(since: number, watched: TestQueue, slept: TestQueue): Promise<void> {
    const dreamt: SentMessage[] = [];
    await drain(watched, traffic.heard);
    await drain(slept, dreamt);
    const logged = await sentInLog(stores.standIn.url);
    const idOf = new Map(logged.map(({ id, content }) => [content, id]));
    expect(idOf.size).toBe(logged.length);
    expect([...traffic.acknowledged].filter(([content, id]) => idOf.get(content) !== id)).toEqual([]);
    for (const index of apis.keys()) expect(await fetchSent(at(index))).toEqual(logged);
    expect(traffic.heard).toEqual(logged.slice(since));
    expect(dreamt).toEqual(logged.slice(since));
  }

  test.each(Object.keys(absences))(
    `%s for ${AWAY_MS / 1000} s: nothing is lost, and all go on`,
    async (name) => {
      const absence = absences[name] as Absence;
      const before = (await sentInLog(stores.standIn.url)).length;
      const [watched, slept, quiet] = [
        await at(0).register(QUEUE),
        await at(1).register(QUEUE),
        await at(1).register({ event_types: ['realm'], fetch_event_types: [] }),
      ];
      // Nothing concerns this one until the end: it is held all the while.
      let isAnswered = false;
      const held = quiet.poll().finally(() => (isAnswered = true));
      traffic.start(name, watched);
      await pause(1_000);
      const notReady = await expectPatience(absence);
      expect(isAnswered).toBe(false);
      const [served, ...ready] = await expectReturn(absence);
      await pause(1_000);
      await traffic.stop();
      process.stdout.write(
        `${name}: not ready after (ms) ${notReady.join(' ')}; ready again after ${ready.join(' ')}, first send after ${served}; ` +
          `slowest answer ${Math.round(traffic.longestMs)}; ${traffic.acknowledged.size} sends so far.\n`,
      );

      expect(traffic.strange).toEqual([]);
      expect(traffic.longestMs).toBeLessThan(ANSWERED_WITHIN_MS);
      await expectNothingLost(before, watched, slept);
      expect(isAnswered).toBe(false);
      const state = await patiently(() => owner.ok('POST', '/register', { fetch_event_types: ['realm'] }));
      const message_content_edit_limit_seconds = Number(state.realm_message_content_edit_limit_seconds) + 60;
      await patiently(() => at(0).ok('PATCH', '/realm', { message_content_edit_limit_seconds }));
      expect(await held).toMatchObject([{ type: 'realm', data: { message_content_edit_limit_seconds } }]);
    },
    AWAY_MS + 100_000,
  );
});
