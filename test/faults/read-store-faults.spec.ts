import { setTimeout as pause } from 'node:timers/promises';
import { isNightly, sized, until } from '#testing';
import { type Chosen, type Cut, type ErrorName, type Fault, MongoProxy } from '../mongodb/index.js';
import type { ApiClient, TestQueue } from '../support/client.js';
import { describeShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { drain, fetchSent, sentInLog, type SentMessage } from '../support/sent-messages.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';
import { Traffic } from '../support/traffic.js';

const ROUNDS = sized({ nightly: Number(process.env['ROUNDS'] ?? 10), usual: 1 });
/**
 * Promises of docs/operations.md: for readiness once nothing works, and for sends once the fault is over. The nightly run
 * holds the processes to them; in CI other work slows them down.
 */
const TOLD_WITHIN_MS = 6_000;
const PASSES_WITHIN_MS = 10_000;
/** Maximum interval between sends under load; readiness is judged between two of them. */
const BETWEEN_SENDS_MS = 2_000;
const LOOK_EVERY_MS = 100;
/** Faults that let some commands pass; those that let none pass last until readiness must have reported them. */
const PARTIAL_MS = 2_000;
const TOTAL_MS = 8_000;
const WARM_UP_MS = 300;
/** Guards against hanging only. */
const LIMIT_MS = 240_000;
/** Maximum time of a request: a call to a silent store is abandoned after 8 s, and repeated at most once. */
const ANSWERED_WITHIN_MS = 22_000;
/** FerretDB scans a whole collection for each update, so ten rounds must not send too many messages. */
const PAUSE_BETWEEN_SENDS_MS = sized({ nightly: 200, usual: 100 });

const QUEUE = { event_types: ['message'], fetch_event_types: [], apply_markdown: false };

/** The writes of a commit, a lease and a queue. */
const WRITES: readonly Chosen[] = [
  { command: 'insert', collection: 'journal' },
  { command: 'insert', collection: /@/ },
  { command: 'update', collection: /@/ },
  { command: 'update', collection: 'state' },
  { command: 'update', collection: 'leases' },
];
const ALL_WRITES: readonly Chosen[] = ['insert', 'update', 'delete'].map((command) => ({ command }));
const ALL_READS: readonly Chosen[] = ['find', 'getMore'].map((command) => ({ command }));

/** A fault from beginning to end. A lasting fault ends when the proxy is healed. */
type Misbehave = (proxy: MongoProxy) => unknown;

const partly =
  (begin: Misbehave): Misbehave =>
  async (proxy) => {
    await begin(proxy);
    await pause(PARTIAL_MS);
  };
const wholly =
  (begin: Misbehave): Misbehave =>
  async (proxy) => {
    await begin(proxy);
    await pause(TOTAL_MS);
  };
const cutOften =
  (how: Cut): Misbehave =>
  async (proxy) => {
    for (let cut = 0; cut < 12; cut++) {
      proxy.cut(how);
      await pause(250);
    }
  };
/** Waits until each of the chosen commands has met the fault. */
const struck =
  (order: (proxy: MongoProxy) => readonly Fault[]): Misbehave =>
  async (proxy) => {
    const ordered = order(proxy);
    await until(() => ordered.every((fault) => fault.struck > 0), LIMIT_MS);
  };
const refused = (chosen: readonly Chosen[], error: ErrorName): Misbehave =>
  partly(({ faults }) => chosen.map((each) => faults.refuse({ ...each, times: Infinity }, error)));
const ignored = (command: string, collection: string): Misbehave =>
  struck(({ faults }) => [faults.ignore({ command, collection })]);

/** One of each kind. */
const USUAL: Readonly<Record<string, Misbehave>> = {
  'connections reset, twelve times in three seconds': cutOften('reset'),
  'connections closed, twelve times in three seconds': cutOften('end'),
  'the answers of writes lost, connections reset': struck(({ faults }) =>
    WRITES.map((chosen) => faults.loseAnswer({ ...chosen, times: 2 }, 'reset')),
  ),
  'NotWritablePrimary for all commands': refused([...ALL_WRITES, ...ALL_READS], 'NotWritablePrimary'),
  'cursors lost': partly(({ faults }) => faults.endCursors('lost', { times: Infinity })),
  'the end of a commit never answered': ignored('update', 'state'),
  'answers held': wholly((proxy) => proxy.hold('to client')),
};

const OTHERS: Readonly<Record<string, Misbehave>> = {
  'writes lost, connections closed': struck(({ faults }) =>
    WRITES.map((chosen) => faults.cutBefore({ ...chosen, times: 2 }, 'end')),
  ),
  'WriteConflict for all writes': refused(ALL_WRITES, 'WriteConflict'),
  'InterruptedDueToReplStateChange for all commands': refused(
    [...ALL_WRITES, ...ALL_READS],
    'InterruptedDueToReplStateChange',
  ),
  'MaxTimeMSExpired for all reads': refused(ALL_READS, 'MaxTimeMSExpired'),
  'a read of the position never answered': ignored('find', 'state'),
  'the answers of writes lost, connections closed': struck(({ faults }) =>
    WRITES.map((chosen) => faults.loseAnswer({ ...chosen, times: 2 }, 'end')),
  ),
  'writes lost, connections reset': struck(({ faults }) =>
    WRITES.map((chosen) => faults.cutBefore({ ...chosen, times: 2 }, 'reset')),
  ),
  'WriteConflict for all reads': refused(ALL_READS, 'WriteConflict'),
  'NotWritablePrimary for all writes': refused(ALL_WRITES, 'NotWritablePrimary'),
  'InterruptedDueToReplStateChange for all writes': refused(ALL_WRITES, 'InterruptedDueToReplStateChange'),
  'MaxTimeMSExpired for all writes': refused(ALL_WRITES, 'MaxTimeMSExpired'),
  'cursors ended': partly(({ faults }) => faults.endCursors('exhausted', { times: Infinity })),
  'a commit never answered': ignored('insert', 'journal'),
  'half of the connections silent': partly((proxy) => {
    for (const [index, connection] of proxy.connections.entries()) {
      if (index % 2 === 0) connection.hold('to server', 'to client');
    }
  }),
  'connections slow, 20 kB/s': wholly((proxy) => proxy.slow(20_000)),
  'questions held': wholly((proxy) => proxy.hold('to server')),
  frozen: wholly((proxy) => proxy.freeze()),
  'connections cut and refused': wholly((proxy) => {
    proxy.refuse();
    proxy.cut();
  }),
};

const FAULTS = isNightly ? { ...USUAL, ...OTHERS } : USUAL;

/** Readiness at one moment. */
interface Look {
  readonly api: number;
  readonly atMs: number;
  readonly isReady: boolean;
}

describeShared('two apis and two projectors before a MongoDB that misbehaves', () => {
  let stores: SharedStores;
  let proxy: MongoProxy;
  let apis: ServerProcess[] = [];
  let all: ServerProcess[] = [];
  let owner: ApiClient;
  let traffic: Traffic;

  /** The owner at one of the apis. */
  const at = (index: number, name = 'Test/1'): ApiClient => {
    const api = apis[index % apis.length] as ServerProcess;
    return owner.at(() => api.url).as(name);
  };

  /** Ten rounds of each fault would fill the stores, which makes FerretDB slower and slower: so each has its own. */
  const [before, after] = isNightly ? [beforeEach, afterEach] : [beforeAll, afterAll];

  before(async () => {
    build();
    stores = await openSharedStores();
    proxy = await MongoProxy.start(stores.environment['READ_STORE_URL'] ?? '');
    const environment = { ...stores.environment, READ_STORE_URL: proxy.url, PROJECTOR: 'off' };
    apis = [new ServerProcess('api', environment), new ServerProcess('api', environment)];
    all = [new ServerProcess('projector', environment), new ServerProcess('projector', environment), ...apis];
    await Promise.all(all.map((process) => process.start()));
    owner = (apis[0] as ServerProcess).owner();
    traffic = new Traffic(at, PAUSE_BETWEEN_SENDS_MS);
  });

  after(async () => {
    for (const process of all) await process.discard();
    await proxy.stop();
    await stores.stop();
  });

  /** Polls the readiness of the apis until the signal. */
  async function keepLooking(looks: Look[], signal: AbortSignal): Promise<void> {
    const look = async (process: ServerProcess, api: number): Promise<void> => {
      while (!signal.aborted) {
        const atMs = performance.now();
        looks.push({ api, atMs, isReady: (await process.health()) === 200 });
        await pause(LOOK_EVERY_MS);
      }
    };
    await Promise.all(apis.map(look));
  }

  /** Polls at which an api claimed to be ready while no send succeeded there, neither before nor soon after. */
  function untrue(looks: readonly Look[]): readonly Look[] {
    const acknowledged = traffic.sends.filter(({ isAcknowledged }) => isAcknowledged);
    const [firstMs = 0, lastMs = 0] = [acknowledged[0]?.answeredMs, acknowledged.at(-1)?.answeredMs];
    return looks.filter(({ api, atMs, isReady }) => {
      if (!isReady || atMs < firstMs + TOLD_WITHIN_MS || atMs > lastMs) return false;
      const [fromMs, toMs] = [atMs - TOLD_WITHIN_MS, atMs + BETWEEN_SENDS_MS];
      return !acknowledged.some((send) => send.api === api && send.answeredMs > fromMs && send.answeredMs < toMs);
    });
  }

  /** @returns how long it took at each api from the end of the fault until a send succeeded */
  async function passThrough(round: string, misbehave: Misbehave): Promise<readonly number[]> {
    await pause(WARM_UP_MS);
    await misbehave(proxy);
    const healed = proxy.heal();
    const took = await Promise.all(apis.map((_, api) => traffic.untilSent(round, api, LIMIT_MS)));
    await healed;
    await Promise.all(all.map((process) => process.turns(200, LIMIT_MS)));
    return took;
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

  test.each(Object.keys(FAULTS))(
    `%s: nothing is lost or doubled, readiness tells, and sends pass again`,
    async (name) => {
      const since = (await sentInLog(stores.standIn.url)).length;
      const [watched, slept] = [await at(0).register(QUEUE), await at(1).register(QUEUE)];
      const looks: Look[] = [];
      const enough = new AbortController();
      traffic.start(name, watched);
      const looking = keepLooking(looks, enough.signal);
      const took: (readonly number[])[] = [];
      try {
        for (let round = 0; round < ROUNDS; round++)
          took.push(await passThrough(`${name}, ${round}`, FAULTS[name] as Misbehave));
      } finally {
        enough.abort();
        await looking;
        await traffic.stop();
      }
      const slowest = apis.map((_, api) => Math.max(...took.map((each) => each[api] ?? Infinity)));
      process.stdout.write(
        `${name}: a send passes at each api after ${slowest.join(' ')} ms at most, of ${ROUNDS}; ` +
          `slowest answer ${Math.round(traffic.longestMs)} ms; ${traffic.sends.length} sends.\n`,
      );
      expect(traffic.strange).toEqual([]);
      expect(Math.max(...slowest)).toBeLessThan(Infinity);
      if (isNightly) {
        expect(untrue(looks)).toEqual([]);
        expect(Math.max(...slowest)).toBeLessThan(PASSES_WITHIN_MS);
        expect(traffic.longestMs).toBeLessThan(ANSWERED_WITHIN_MS);
      }
      await expectNothingLost(since, watched, slept);
    },
    ROUNDS * LIMIT_MS + LIMIT_MS,
  );
});
