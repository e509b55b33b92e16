import { OpenGate, until } from '#testing';
import { BackgroundRunner, type BackgroundRunnerParts } from './background-runner.js';
import type { BackgroundWork, GatedWork } from './background-work.js';
import type { ReadSidePass } from './read-side-gate.js';
import { type Lease, Leases } from './sharing.js';

/** Leases of several processes, which a test can give to somebody else. */
class SomeLeases extends Leases {
  readonly #holders = new Map<string, Lease>();

  override async acquire(name: string, holder: string): Promise<Lease | undefined> {
    if (this.#holders.has(name)) return undefined;
    const lease = { name, holder, term: 1 };
    this.#holders.set(name, lease);
    return lease;
  }

  override async renew(lease: Lease): Promise<boolean> {
    return this.#holders.get(lease.name) === lease;
  }

  override async sign(): Promise<undefined> {
    // Nobody asks.
  }

  override async release({ name }: Lease): Promise<void> {
    this.#holders.delete(name);
  }

  take(name: string): void {
    this.#holders.set(name, { name, holder: 'somebody else', term: 2 });
  }
}

const told: [string, unknown][] = [];
const gate = new OpenGate();
let runners: BackgroundRunner[] = [];

beforeEach(() => {
  told.length = 0;
  gate.isWhole = true;
});
afterEach(async () => {
  for (const runner of runners) await runner.stop();
  runners = [];
});

function process(leases?: Leases, more: Partial<BackgroundRunnerParts> = {}): BackgroundRunner {
  const onError = ({ name }: BackgroundWork, error: unknown): unknown => told.push([name, error]);
  const runner = new BackgroundRunner({ gate, leases, onError, ...more });
  runners.push(runner);
  return runner;
}

const named = { name: 'tidying', complaint: '', everyMs: 1, isDue: true } as const;
const work = (turn: GatedWork['turn'], options: Partial<GatedWork> = {}): GatedWork => ({ ...named, ...options, turn });

test('turns follow each other, one at a time, until the runner stops after the one in progress', async () => {
  let [atOnce, most, turns] = [0, 0, 0];
  const runner = process();
  runner.start([
    work(async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce--;
      turns++;
    }),
  ]);
  await until(() => turns > 3);
  await runner.stop();
  const done = turns;
  await new Promise((resolve) => setImmediate(resolve));
  expect([most, atOnce, turns]).toEqual([1, 0, done]);
  expect(runner.status()).toEqual([
    { name: 'tidying', isRunning: false, turns: done, failures: 0, retryMaxMs: expect.any(Number) },
  ]);
});

test('nothing is done while the read side is not whole; that is told, and seen in the status', async () => {
  gate.isWhole = false;
  let turns = 0;
  const runner = process();
  runner.start([
    work(async () => {
      turns++;
    }),
  ]);
  await until(() => told.length > 2);
  expect(turns).toBe(0);
  expect(told[0]).toEqual(['tidying', expect.objectContaining({ code: 'SERVER_NOT_READY' })]);
  expect(runner.status()[0]?.failures).toBeGreaterThan(2);
  gate.isWhole = true;
  await until(() => turns > 0);
  await until(() => runner.status()[0]?.failures === 0);
});

test('work that is off takes no lease and does not pass the gate, until it is on', async () => {
  const leases = new SomeLeases();
  const asked = jest.spyOn(leases, 'acquire');
  const entered = jest.spyOn(gate, 'enter');
  let [turns, isOff] = [0, true];
  const switched = {
    ...work(
      async () => {
        turns++;
      },
      { isExclusive: true },
    ),
    get isOff() {
      return isOff;
    },
  };
  const runner = process(leases);
  runner.start([switched]);
  await until(() => (runner.status()[0]?.turns ?? 0) > 2);
  expect([asked.mock.calls.length, entered.mock.calls.length, turns]).toEqual([0, 0, 0]);
  isOff = false;
  await until(() => turns > 0);
});

test('a failure is told with its cause, and holds up no other work', async () => {
  const cause = new Error('The disk is full.');
  let others = 0;
  process().start([
    work(() => Promise.reject(cause)),
    {
      ...named,
      name: 'looking',
      look: async () => {
        others++;
      },
    },
  ]);
  await until(() => told.length > 1 && others > 1);
  expect(new Set(told)).toEqual(new Set(told.map(() => ['tidying', cause])));
});

test('pauses that have grown with failures are short again after a success', async () => {
  const begunMs: number[] = [];
  // After so many, a pause would be half a minute at least.
  const [failed, succeeded] = [16, 17];
  // No pause at all, however long it might have been.
  const chance = jest.spyOn(Math, 'random').mockReturnValue(-1);
  process().start([
    work(
      async () => {
        begunMs.push(performance.now());
        if (begunMs.length > failed) chance.mockRestore();
        if (begunMs.length !== succeeded) throw new Error('The disk is full.');
      },
      { retryMaxMs: 60_000 },
    ),
  ]);
  await until(() => begunMs.length > succeeded + 1);
  const [before = 0, after = Infinity] = begunMs.slice(succeeded);
  expect(after - before).toBeLessThan(20_000);
});

test('the longest pause after a failure is told, also of work that is tried again less soon', async () => {
  const runner = process();
  const failing = (): Promise<never> => Promise.reject(new Error('no'));
  const times = [{ everyMs: 60_000 }, { everyMs: 60_000, retryMaxMs: 5_000 }, { everyMs: 5_000, retryMaxMs: 60_000 }];
  runner.start(times.map((options) => work(failing, options)));
  expect(runner.status().map(({ retryMaxMs }) => retryMaxMs)).toEqual([60_000, 60_000, 60_000]);
});

test('what cannot be told holds up nothing', async () => {
  const warned = jest.spyOn(globalThis.process, 'emitWarning').mockImplementation(() => undefined);
  const onError = (): never => {
    throw new Error('not now');
  };
  const runner = new BackgroundRunner({ gate, onError });
  runners.push(runner);
  runner.start([work(() => Promise.reject(new Error('The disk is full.')))]);
  await until(() => (runner.status()[0]?.failures ?? 0) > 1);
  expect(warned).toHaveBeenCalledWith('An error could not be told: not now');
  warned.mockRestore();
});

test('of several processes one does exclusive work', async () => {
  const leases = new SomeLeases();
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const done: string[] = [];
  const by = (name: string): GatedWork =>
    work(
      async () => {
        done.push(name);
        await ended;
      },
      { isExclusive: true },
    );
  const first = process(leases).turn(by('first'));
  await until(() => done.length === 1);
  // It looks for as long as a lease of a process that was killed would last.
  await process(leases, { leaseMs: 20, lookEveryMs: 5 }).turn(by('second'));
  expect(done).toEqual(['first']);
  end();
  await first;
  await process(leases).turn(by('second'));
  expect(done).toEqual(['first', 'second']);
});

test('exclusive work ends when its lease is lost, and may take nothing back', async () => {
  jest.useFakeTimers();
  const leases = new SomeLeases();
  let given: { readonly pass: ReadSidePass; readonly signal: AbortSignal } | undefined;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const turn = process(leases).turn(
    work(
      async (pass, signal) => {
        given = { pass, signal };
        await ended;
      },
      { isExclusive: true },
    ),
  );
  await jest.advanceTimersByTimeAsync(0);
  await given?.pass.assertValid();
  leases.take('work-tidying');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(given?.signal.aborted).toBe(true);
  await expect(given?.pass.assertValid()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  end();
  await turn;
  jest.useRealTimers();
});
