import { setTimeout as pause } from 'node:timers/promises';
import { sized } from '#testing';
import type { ApiClient, TestQueue } from '../support/client.js';
import { describeStoppable } from '../support/pairings.js';
import { patiently } from '../support/patience.js';
import { build, ServerProcess } from '../support/process.js';
import { drain, fetchSent, sentInLog, type SentMessage } from '../support/sent-messages.js';
import { openStoppableStores, type StoppableStores } from '../support/shared-stores.js';
import { isRefusal, Traffic } from '../support/traffic.js';

/** How long a store is unavailable: in CI longer than any built-in timeout. */
const AWAY_MS = Number(process.env['AWAY_SECONDS'] ?? 8) * 1000;
/** Promises of docs/operations.md. The nightly run holds the processes to them; in CI other work slows them down. */
const NOT_READY_WITHIN_MS = sized({ nightly: 7_000, usual: 120_000 });
/** After this time, all requests are answered as during the whole outage. */
const SETTLED_AFTER_MS = 500;
const READY_WITHIN_MS = sized({ nightly: 25_000, usual: 120_000 });
/** Guards against hanging only: a busy machine takes long to load four processes. */
const LISTENING_WITHIN_MS = 240_000;
/** Maximum time of a request: a call to a silent store is abandoned after 8 s, and repeated at most once. */
const ANSWERED_WITHIN_MS = sized({ nightly: 22_000, usual: 120_000 });

const QUEUE = { event_types: ['message'], fetch_event_types: [], apply_markdown: false };
const NEWEST = { anchor: 'newest', num_before: 5, num_after: 0 };

describeStoppable('stores that go away and come back', () => {
  let stores: StoppableStores;
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
    stores = await openStoppableStores();
    // No heartbeat ends a poll before the test does.
    const environment = { ...stores.environment, PROJECTOR: 'off', HEARTBEAT_SECONDS: '600' };
    apis = [new ServerProcess('api', environment), new ServerProcess('api', environment)];
    const talkative = { ...environment, LOG_LEVEL: 'info' };
    projectors = [new ServerProcess('projector', talkative), new ServerProcess('projector', talkative)];
    all = [...projectors, ...apis];
  });

  afterAll(async () => {
    for (const process of all) await process.discard();
    await stores.stop();
  });

  test('away at the start: all wait, and are ready once both are there', async () => {
    await stores.ferretDb.kill('SIGKILL');
    await stores.standIn.stop();
    await Promise.all(all.map((process) => process.launch()));
    await Promise.all(all.map((process) => process.turns(503, LISTENING_WITHIN_MS)));
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
  });

  /** How often a projector has taken the lease so far. */
  const takings = (): number =>
    projectors.reduce((sum, { output }) => sum + output.split('This process is the projector now').length - 1, 0);

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

  /** The expected behaviour of all processes and their clients during an outage. */
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

  /** How long the first send after the outage took, and how long each process. */
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
      // This poll has no events until the end: it is held throughout.
      let isAnswered = false;
      const held = quiet.poll().finally(() => (isAnswered = true));
      traffic.start(name, watched);
      await pause(1_000);
      const taken = takings();
      const notReady = await expectPatience(absence);
      expect(isAnswered).toBe(false);
      const [served, ...ready] = await expectReturn(absence);
      await pause(1_000);
      // No other process could take the lease meanwhile, so its holder continues at once, and the processes stay ready.
      expect(takings()).toBe(taken);
      for (const process of all) expect((await process.check('ready')).status).toBe(200);
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
