import { setTimeout as pause } from 'node:timers/promises';
import { GivenMongo } from '#testing';
import { longestChain, type Step } from '../round-trips/chain.js';
import { TracedStores } from '../round-trips/traced-stores.js';
import type { ApiClient } from '../support/client.js';
import { describeShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';

/** Each way: longer than the work between two calls, so that no call that nobody waits for fits between others. */
const DELAY_MS = 25;
/** Timers of a machine are a little early. */
const ROUND_TRIP_MS = 2 * (DELAY_MS - 1);
/**
 * The shortest chain of them counts (see `longestChain`): on a busy machine calls that nobody waits for fit into most of them. The first
 * that is short enough ends them.
 */
const ROUNDS_MAX = 40;
const ROUNDS = 6;
const WARMUP = 20;
/** Longer than the documents of a send are on their way. */
const SETTLED_MS = 500;

/** Barrier, append, journal, and the tail that tells of it: a write with its way to another process is one. */
const SEND_CALLS_MAX = 4;
/** Append, journal and what tells of it: with fewer, calls were not seen. */
const SEND_CALLS_MIN = 3;
/** From the append: that one, journal, and tail. */
const DELIVERY_CALLS_MAX = 3;
/** What a read of messages is made of; beside that it passes the barrier. */
const OWN_OF_READS = ['find messages', 'find user_flags'];
/**
 * Journal, signal, documents of three collections, and how far they are written: each once, and the api asks for the newest entry. From
 * MongoDB 8.0 on the documents are one command.
 */
const COMMANDS_MAX = 7;
const COMMANDS_MAX_OF_BULK = 5;
/** Collections of a deployment that does nothing, or little: of leases, records of processes, and what is due. */
const OF_IDLE_PROCESSES = ['leases', 'side', 'due_timers', 'open_follow_ups'];

describeShared('calls to the stores that wait for one another', () => {
  describe.each([
    ['one collection', false, COMMANDS_MAX],
    ['several collections', true, COMMANDS_MAX_OF_BULK],
  ])('where a command writes to %s', (_where, bulkWrites, commandsMax) => {
    let shared: SharedStores;
    let stores: TracedStores;
    let api: ServerProcess;
    let projector: ServerProcess;
    let owner: ApiClient;
    let sent = 0;

    beforeAll(async () => {
      build();
      shared = await openSharedStores();
      const { EVENT_STORE_URL = '', READ_STORE_URL = '' } = shared.environment;
      stores = await TracedStores.start(
        {
          eventStoreUrl: EVENT_STORE_URL,
          readStoreUrl: READ_STORE_URL,
          asMongo: GivenMongo.url === undefined,
          bulkWrites,
        },
        ['api', 'projector'],
      );
      const started = (app: 'api' | 'projector'): ServerProcess =>
        new ServerProcess(app, { ...shared.environment, ...stores.environmentOf(app), PROJECTOR: 'off' });
      [api, projector] = [started('api'), started('projector')];
      await Promise.all([api.start(), projector.start()]);
      owner = api.owner();
      for (let count = 0; count < WARMUP; count++) {
        await send();
        await read();
      }
      await pause(SETTLED_MS);
      stores.delay(DELAY_MS);
      // What was on its way came without a delay.
      await pause(SETTLED_MS);
    });

    afterAll(async () => {
      for (const process of [api, projector]) await process.discard();
      await stores.stop();
      await shared.stop();
    });

    const send = (): Promise<unknown> => owner.send('general', 'round trips', `message ${++sent}`);
    const read = (): Promise<unknown> =>
      owner.ok('GET', '/messages', { anchor: 'newest', num_before: 50, num_after: 0 });

    /** The shortest chain of a request, by the length that counts. */
    async function shortest(
      act: () => Promise<unknown>,
      enough: number,
      {
        since = (fromMs: number) => fromMs,
        lengthOf = (chain: readonly Step[]) => chain.length,
        rounds = ROUNDS_MAX,
      } = {},
    ): Promise<number> {
      let least = Infinity;
      for (let round = 0; round < rounds && least > enough; round++) {
        const fromMs = performance.now();
        await act();
        const untilMs = performance.now();
        await pause(SETTLED_MS);
        least = Math.min(least, lengthOf(longestChain(stores.calls, 'api', since(fromMs), untilMs, ROUND_TRIP_MS)));
      }
      return least;
    }

    test(`are at most ${SEND_CALLS_MAX} for a send`, async () => {
      const least = await shortest(send, SEND_CALLS_MAX);
      expect(least).toBeGreaterThanOrEqual(SEND_CALLS_MIN);
      expect(least).toBeLessThanOrEqual(SEND_CALLS_MAX);
    });

    test(`are at most ${DELIVERY_CALLS_MAX} from the append of a send until a poll has it`, async () => {
      const queue = await owner.register({ event_types: ['message'] });
      const deliver = async (): Promise<void> => {
        const polled = queue.poll();
        await pause(DELAY_MS);
        const [events] = await Promise.all([polled, send()]);
        expect(events).toHaveLength(1);
      };
      const appended = (fromMs: number): number =>
        stores.calls.find(({ name, beganMs }) => name === 'append' && beganMs >= fromMs)?.beganMs ?? NaN;
      const least = await shortest(deliver, DELIVERY_CALLS_MAX, { since: appended, rounds: ROUNDS });
      expect(least).toBeLessThanOrEqual(DELIVERY_CALLS_MAX);
    });

    test('are one for a read beside its own', async () => {
      const others = (chain: readonly Step[]): number =>
        chain.filter(({ call }) => !OWN_OF_READS.includes(call.name)).length;
      expect(await shortest(read, 1, { lengthOf: others })).toBe(1);
    });

    test(`are at most ${commandsMax} to MongoDB for a send alone, of which the projector reads nothing`, async () => {
      const commands: (readonly string[])[] = [];
      for (let round = 0; round < ROUNDS_MAX && !commands.some(({ length }) => length <= commandsMax); round++) {
        const fromMs = performance.now();
        await send();
        await pause(SETTLED_MS);
        const ofSend = stores.calls.filter(
          ({ store, name, place, beganMs }) =>
            store === 'MongoDB' &&
            beganMs >= fromMs &&
            // Both processes wait for signals all the time, and applied entries are removed now and then.
            !OF_IDLE_PROCESSES.includes(place) &&
            !/^(getMore|delete) /.test(name),
        );
        commands.push(ofSend.map(({ process, name }) => `${process}: ${name}`));
      }
      const fewest = commands.reduce((best, names) => (names.length < best.length ? names : best));
      expect(fewest).toContain('projector: insert journal');
      expect(fewest.filter((name) => name.includes(': find '))).toEqual(['api: find journal']);
      expect(fewest).toHaveLength(commandsMax);
    });
  });
});
