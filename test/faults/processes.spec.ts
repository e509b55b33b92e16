import { setTimeout as pause } from 'node:timers/promises';
import { SEED, seeded, sized, until } from '#testing';
import type { ApiClient, TestQueue } from '../support/client.js';
import { describeShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { fetchSent, hear, sentInLog, type SentMessage } from '../support/sent-messages.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';

const ROUNDS = sized({ nightly: 40, usual: 4 });
/** Handovers from the active projector to the stand-by. */
const HANDOVERS = sized({ nightly: 6, usual: 2 });
const SENDERS = 8;
/** Guards against hanging only. */
const RECOVERS_WITHIN_MS = 120_000;
/** Minimum acknowledged sends before each kill, plus a random number. */
const ACKNOWLEDGED_MIN = 2 * SENDERS;
const ACKNOWLEDGED_SPREAD = 6 * SENDERS;
const random = seeded(SEED);

describeShared('two apis and two projectors', () => {
  let stores: SharedStores;
  let apis: ServerProcess[] = [];
  let projectors: ServerProcess[] = [];
  let owner: ApiClient;
  let isOver = false;
  let ends = 0;
  /** Acknowledged IDs by content. Every content is sent once and never repeated. */
  const acknowledged = new Map<string, number>();

  beforeAll(async () => {
    build();
    stores = await openSharedStores();
    const environment = { ...stores.environment, PROJECTOR: 'off' };
    apis = [new ServerProcess('api', environment), new ServerProcess('api', environment)];
    const talkative = { ...environment, LOG_LEVEL: 'info' };
    projectors = [new ServerProcess('projector', talkative), new ServerProcess('projector', talkative)];
    await Promise.all([...projectors, ...apis].map((process) => process.start()));
    owner = (apis[0] as ServerProcess).owner();
  });

  afterAll(async () => {
    isOver = true;
    for (const process of [...apis, ...projectors]) await process.discard();
    await stores.stop();
  });

  /** The owner at one of the apis. */
  const at = (index: number, name = 'Test/1'): ApiClient => {
    const api = apis[index % apis.length] as ServerProcess;
    return owner.at(() => api.url).as(name);
  };

  async function keepSending(sender: number): Promise<void> {
    for (let count = 0; !isOver; count++) {
      const content = `sender ${sender} message ${count}`;
      try {
        acknowledged.set(
          content,
          await at(sender, `Sender${sender}/1`).send('general', `topic ${sender % 3}`, content),
        );
      } catch {
        await pause(20); // The api is gone, or a store that it waited for. The message may or may not exist, since it was not acknowledged.
      }
    }
  }

  async function moreAcknowledged(count: number): Promise<void> {
    const enough = acknowledged.size + count;
    await until(() => acknowledged.size >= enough);
  }

  /** Polls one queue, at the other api when one does not answer. */
  async function keepPolling(queue: TestQueue, heard: SentMessage[], gaps: number[]): Promise<void> {
    let lastMs = performance.now();
    for (let turn = 0; !isOver; turn++) {
      try {
        const events = await queue.at(at(turn)).poll();
        hear(events, heard);
        if (events.length === 0) continue;
        gaps.push(performance.now() - lastMs);
        lastMs = performance.now();
      } catch (error) {
        if (String(error).includes('BAD_EVENT_QUEUE_ID')) throw error;
        await pause(20);
      }
    }
  }

  async function drainAnywhere(queue: TestQueue, heard: SentMessage[]): Promise<void> {
    for (let turn = 0; ; turn++) {
      try {
        const events = await queue.at(at(turn)).pending();
        if (events.length === 0) return;
        hear(events, heard);
      } catch (error) {
        // A store that does not answer in time on a slow machine.
        if (!String(error).includes('SERVER_NOT_READY')) throw error;
        await pause(20);
      }
    }
  }

  /** The projector that took the lease last. */
  function active(): ServerProcess {
    const termOf = ({ output }: ServerProcess): number =>
      Math.max(0, ...Array.from(output.matchAll(/"term":(\d+).*is the projector now/g), ([, term]) => Number(term)));
    return projectors.reduce((one, other) => (termOf(other) > termOf(one) ? other : one));
  }

  /** Milliseconds until a message sent from now on is acknowledged, at any api. */
  async function untilServed(): Promise<number> {
    const sinceMs = performance.now();
    for (let turn = 0; performance.now() - sinceMs < RECOVERS_WITHIN_MS; turn++) {
      const content = `after ${++ends}, try ${turn}`;
      try {
        acknowledged.set(content, await at(turn, 'Waiting/1').send('general', 'topic 0', content));
        return Math.round(performance.now() - sinceMs);
      } catch {
        await pause(20);
      }
    }
    throw new Error('Nobody was served any more.');
  }

  test(
    `${ROUNDS} times SIGKILL to any of them, and ${HANDOVERS} orderly ends, lose and duplicate nothing`,
    async () => {
      const parameters = { event_types: ['message'], fetch_event_types: [], apply_markdown: false };
      const [watched, slept] = [await at(0).register(parameters), await at(1).register(parameters)];
      const [heard, dreamt]: [SentMessage[], SentMessage[]] = [[], []];
      const gaps: number[] = [];
      const working = [
        ...Array.from({ length: SENDERS }, (_, sender) => keepSending(sender)),
        keepPolling(watched, heard, gaps),
      ];
      const took: Record<'api' | 'projector at work' | 'stand-by' | 'projector told to stop', number[]> = {
        api: [],
        'projector at work': [],
        'stand-by': [],
        'projector told to stop': [],
      };
      for (let round = 0; round < ROUNDS; round++) {
        const victims = round % 2 === 0 ? projectors : apis;
        const victim = victims[Math.floor(random() * victims.length)] as ServerProcess;
        const what = victims === apis ? 'api' : victim === active() ? 'projector at work' : 'stand-by';
        await moreAcknowledged(ACKNOWLEDGED_MIN + random() * ACKNOWLEDGED_SPREAD);
        await victim.end('SIGKILL');
        took[what].push(await untilServed());
        await victim.start();
      }
      for (let round = 0; round < HANDOVERS; round++) {
        await moreAcknowledged(ACKNOWLEDGED_MIN + random() * ACKNOWLEDGED_SPREAD);
        const victim = active();
        const [ms, code] = await Promise.all([untilServed(), victim.end('SIGTERM')]);
        took['projector told to stop'].push(ms);
        if (code !== 0) throw new Error(`A projector told to stop ended with code ${code}:\n${victim.output}`);
        await victim.start();
        expect(active()).not.toBe(victim);
      }
      isOver = true;
      await Promise.all(working);
      await Promise.all([drainAnywhere(watched, heard), drainAnywhere(slept, dreamt)]);

      const logged = await sentInLog(stores.standIn.url);
      expect(acknowledged.size).toBeGreaterThan(ROUNDS * SENDERS);
      expect(new Set(logged.map(({ content }) => content)).size).toBe(logged.length);
      const idOf = new Map(logged.map(({ id, content }) => [content, id]));
      expect([...acknowledged].filter(([content, id]) => idOf.get(content) !== id)).toEqual([]);
      expect(await fetchSent(at(0))).toEqual(logged);
      expect(await fetchSent(at(1))).toEqual(logged);
      expect(heard).toEqual(logged);
      expect(dreamt).toEqual(logged);
      const figures = Object.entries(took).map(([what, times]) => `${what}: ${times.join(' ')}`);
      process.stdout.write(
        `Served again after the end of (ms) ${figures.join('; ')}. ` +
          `Longest silence of a queue under load: ${Math.round(Math.max(...gaps))} ms. ${acknowledged.size} sends.\n`,
      );
    },
    300_000 + (ROUNDS + HANDOVERS) * 60_000,
  );
});
