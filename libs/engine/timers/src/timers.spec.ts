import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { CommandRunner, EventRegistry, eventType, type RecordedEvent, SqliteEventStore } from '#event-store';
import { BY_SERVER, type Decider } from '#kernel';
import {
  type Collection,
  type Find,
  type Lease,
  Leases,
  ProjectionEngine,
  ShownEvents,
  SqliteReadStore,
} from '#read-store';
import { ManualClock, OpenGate, startedWith, until } from '#testing';
import { dueIndexCollection, dueIndexProjection, type TimerDocument } from './due-index.projection.js';
import { timersOf } from './timer-source.js';
import { Timers } from './timers.js';

type AlarmEvent =
  | { readonly type: 'alarm.set.v1'; readonly data: { readonly name: string; readonly dueAt: number } }
  | { readonly type: 'alarm.rung.v1'; readonly data: { readonly name: string; readonly by: string } };

const alarms = timersOf<AlarmEvent>('alarm', {
  'alarm.set.v1': ({ data: { name, dueAt } }) => [{ subject: name, dueAt }],
  'alarm.rung.v1': ({ data: { name } }) => [{ subject: name, dueAt: undefined }],
});

/** An alarm rings once each time it is set. */
const alarmDecider: Decider<{ isSet: boolean }, { name: string; by: string }, AlarmEvent> = {
  initial: () => ({ isSet: false }),
  decide: ({ isSet }, data) => (isSet ? [{ type: 'alarm.rung.v1', data }] : []),
  evolve: (_, { type }) => ({ isSet: type === 'alarm.set.v1' }),
};

let folder: string;
let store: SqliteEventStore;
let readStore: SqliteReadStore;
let engine: ProjectionEngine;
let runner: CommandRunner;
let clock: ManualClock;
let index: Collection<TimerDocument>;
let errors: unknown[];
let looks: Find[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'timers-'));
  clock = new ManualClock();
  [errors, looks] = [[], []];
  const registry = new EventRegistry([
    eventType('alarm.set.v1', Type.Object({ name: Type.String(), dueAt: Type.Integer() })),
    eventType('alarm.rung.v1', Type.Object({ name: Type.String(), by: Type.String() })),
  ]);
  store = SqliteEventStore.open(join(folder, 'log.db'), registry, { clock });
  readStore = new SqliteReadStore(join(folder, 'read.db'));
  // The tests set the clock, so the engine cannot derive its lag from it.
  const options = { streamPrefixes: ['1.'], lagLimitMs: Number.MAX_SAFE_INTEGER };
  engine = new ProjectionEngine(store, readStore, [dueIndexProjection([alarms])], [], options);
  await engine.start();
  runner = new CommandRunner(store, engine);
  index = await readStore.collection<TimerDocument>(dueIndexCollection);
  const find = index.find.bind(index);
  jest.spyOn(index, 'find').mockImplementation((asked) => {
    looks.push(asked);
    return find(asked);
  });
});

afterEach(async () => {
  await engine.stop();
  await readStore.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

function timersWith(fire: (subject: string) => Promise<void>, changedAt?: () => number | undefined): Timers {
  const onError = (error: unknown): unknown => errors.push(error);
  const gate = new OpenGate(engine);
  const timers = new Timers({
    index,
    kinds: new Set(['alarm']),
    gate,
    clock,
    onError,
    ...(changedAt !== undefined && { changedAt }),
  });
  timers.add('alarm', { fire });
  return timers;
}

/** The timers of one process. */
function timersOfProcess(by: string): Timers {
  const own = new CommandRunner(store, engine);
  return timersWith(async (name) => {
    await own.run(alarmDecider, `1.${name}`, { name, by }, BY_SERVER);
  });
}

const set = (name: string, seconds: number): Promise<unknown> =>
  runner.appendOnly(
    `1.${name}`,
    [{ type: 'alarm.set.v1', data: { name, dueAt: clock.nowSeconds() + seconds } }],
    BY_SERVER,
  );

/** What rang, in the order of the log. */
async function rung(): Promise<string[]> {
  const names: string[] = [];
  for await (const page of store.readAll({ streamPrefixes: ['1.'] }))
    for (const { type, data } of page) if (type === 'alarm.rung.v1') names.push(data.name);
  return names;
}

test('fires what is due, once, and nothing else', async () => {
  await set('now', 0);
  await set('past', -3600);
  await set('later', 1);
  const timers = timersOfProcess('a');
  await timers.fireDue();
  expect((await rung()).sort()).toEqual(['now', 'past']);
  await timers.fireDue();
  clock.atMs += 1000;
  await timers.fireDue();
  expect((await rung()).slice(2)).toEqual(['later']);
});

test('a timer that is set again fires again, and a moved one at its new time', async () => {
  const timers = timersOfProcess('a');
  await set('a', 1);
  await set('a', 10);
  clock.atMs += 5_000;
  await timers.fireDue();
  expect(await rung()).toEqual([]);
  clock.atMs += 5_000;
  await timers.fireDue();
  await set('a', 0);
  await timers.fireDue();
  expect(await rung()).toEqual(['a', 'a']);
});

test('a clock that jumps back fires nothing again', async () => {
  const timers = timersOfProcess('a');
  await set('a', 60);
  clock.atMs += 3_600_000;
  await timers.fireDue();
  clock.atMs -= 3_600_000;
  await timers.fireDue();
  clock.atMs += 3_600_000;
  await timers.fireDue();
  expect(await rung()).toEqual(['a']);
});

test('several processes fire each once, however many are due', async () => {
  const names = Array.from({ length: 250 }, (_, count) => `alarm-${count}`);
  for (const name of names) await set(name, 0);
  await Promise.all(['a', 'b', 'c'].map((by) => timersOfProcess(by).fireDue()));
  expect((await rung()).sort()).toEqual([...names].sort());
});

test('the few of one owner are fired in the order of their times and names, many of one side by side', async () => {
  const fired: string[] = [];
  let [running, most] = [0, 0];
  const onError = (error: unknown): unknown => errors.push(error);
  const timers = new Timers({ index, kinds: new Set(['alarm']), gate: new OpenGate(engine), clock, onError });
  timers.add('alarm', {
    ownerOf: (name) => name.slice(0, name.indexOf('-')),
    async fire(name) {
      most = Math.max(most, ++running);
      await pause(Math.random() * 5);
      running--;
      await runner.run(alarmDecider, `1.${name}`, { name, by: 'a' }, BY_SERVER);
      fired.push(name);
    },
  });
  for (const name of ['ann-4', 'ann-2', 'ann-3', 'ben-2', 'ben-1']) await set(name, 0);
  await set('ann-9', -60);
  await timers.fireDue();
  const of = (owner: string): string[] => fired.filter((name) => name.startsWith(owner));
  expect([of('ann'), of('ben')]).toEqual([
    ['ann-9', 'ann-2', 'ann-3', 'ann-4'],
    ['ben-1', 'ben-2'],
  ]);
  expect(most).toBe(2);
  for (let count = 10; count < 30; count++) await set(`cleo-${count}`, 0);
  await timers.fireDue();
  expect([of('cleo').length, most]).toEqual([20, 10]);
});

test('one that fails keeps nothing else waiting, and is tried again after a while', async () => {
  let isBroken = true;
  const own = timersWith(async (name) => {
    if (name === 'broken' && isBroken) throw new Error('broken');
    await runner.run(alarmDecider, `1.${name}`, { name, by: 'a' }, BY_SERVER);
  });
  for (const name of ['broken', 'a', 'b']) await set(name, 0);
  await own.fireDue();
  expect([(await rung()).sort(), errors]).toEqual([['a', 'b'], [new Error('broken')]]);
  await own.fireDue();
  expect(errors).toHaveLength(1);
  isBroken = false;
  const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  await own.fireDue();
  now.mockRestore();
  expect((await rung()).at(-1)).toBe('broken');
});

test('one whose handler leaves it set is not fired without end', async () => {
  let fired = 0;
  await set('a', 0);
  await timersWith(() => {
    fired++;
    return Promise.resolve();
  }).fireDue();
  expect(fired).toBe(1);
});

test('many that wait cost no more than one: a look reads one page of what is due', async () => {
  const waiting = Array.from({ length: 1_000 }, (_, count) => {
    return { type: 'alarm.set.v1', data: { name: `alarm-${count}`, dueAt: clock.nowSeconds() + 2_592_000 } } as const;
  });
  await runner.appendOnly('1.alarms', waiting, BY_SERVER);
  await set('due', 0);
  await timersOfProcess('a').fireDue();
  expect(await rung()).toEqual(['due']);
  // One look finds what is due, and the next one nothing more.
  expect(looks).toHaveLength(2);
  expect(looks.every(({ limit, sort }) => limit <= 100 && sort?.[0]?.field === 'dueAt')).toBe(true);
});

test('started, it fires what is late at once, and what becomes due; stopped, nothing more', async () => {
  await set('late', -60);
  await set('soon', 60);
  const timers = timersOfProcess('a');
  const runner = startedWith(timers);
  await until(async () => (await rung()).includes('late'));
  clock.atMs += 60_000;
  await until(async () => (await rung()).includes('soon'));
  await runner.stop();
  await set('never', 0);
  const before = looks.length;
  await pause(1_200);
  expect([looks.length - before, await rung()]).toEqual([0, ['late', 'soon']]);
});

test('a look is one read, whatever the number of kinds', async () => {
  const kinds = ['alarm', ...Array.from({ length: 9 }, (_, count) => `idle-${count}`)];
  const onError = (error: unknown): unknown => errors.push(error);
  const timers = new Timers({ index, kinds: new Set(kinds), gate: new OpenGate(engine), clock, onError });
  for (const kind of kinds) timers.add(kind, { fire: () => Promise.reject(new Error(kind)) });
  const runner = startedWith(timers);
  await until(() => looks.length === 3);
  await set('due', 0);
  await until(() => errors.length === 1);
  await runner.stop();
  // The last look finds one, of which the kind is looked at by itself.
  expect(looks.filter(({ where: asked }) => JSON.stringify(asked).includes('idle-0'))).toHaveLength(4);
});

test('while nothing is due and the index is known not to change, it is not read', async () => {
  await set('later', 3600);
  const shown = new ShownEvents();
  const event = (type: string, position: number) =>
    ({ type, position, data: { name: 'a', dueAt: 0 } }) as RecordedEvent;
  const timers = timersWith(
    async (name) => {
      await runner.run(alarmDecider, `1.${name}`, { name, by: 'a' }, BY_SERVER);
    },
    shown.changesOf(dueIndexProjection([alarms])),
  );
  const looksOf = async (count: number): Promise<number> => {
    const before = looks.length;
    for (let look = 0; look < count; look++) await timers.look(new AbortController().signal);
    return looks.length - before;
  };
  // Events are not told yet.
  expect(await looksOf(2)).toBe(2);
  const show = shown.follow();
  expect(await looksOf(3)).toBe(1);
  show(event('other.v1', 2));
  expect(await looksOf(3)).toBe(0);
  // What becomes due within seconds is known ahead, and read when it is.
  await set('soon', 2);
  show(event('alarm.set.v1', 3));
  expect(await looksOf(3)).toBe(1);
  clock.atMs += 2_000;
  await looksOf(1);
  await until(async () => (await rung()).includes('soon'));
  await timers.stop();
});

describe('what is due when it is set', () => {
  let tell: ((event: RecordedEvent) => void) | undefined;
  let timers: Timers;
  let gate: OpenGate;
  beforeEach(() => {
    gate = new OpenGate(engine);
    const atOnce = {
      sources: [alarms],
      listen: (listener: (event: RecordedEvent) => void) => {
        tell = listener;
        return () => (tell = undefined);
      },
      gatherMs: () => 5,
    };
    const onError = (error: unknown): unknown => errors.push(error);
    timers = new Timers({ index, kinds: new Set(['alarm']), gate, clock, onError, atOnce });
    timers.add('alarm', {
      fire: async (name) => {
        await runner.run(alarmDecider, `1.${name}`, { name, by: 'a' }, BY_SERVER);
      },
    });
  });

  const newest = async (name: string): Promise<RecordedEvent> =>
    (await store.readStream(`1.${name}`, { direction: 'backwards', limit: 1 }))[0]!;

  test('does not wait for the next look, and is looked for once', async () => {
    await timers.look(new AbortController().signal);
    const names = Array.from({ length: 20 }, (_, count) => `alarm-${count}`);
    for (const name of names) await set(name, 0);
    await set('later', 60);
    const before = looks.length;
    for (const name of [...names, 'later']) tell?.(await newest(name));
    await until(async () => (await rung()).length === names.length);
    await timers.stop();
    expect((await rung()).sort()).toEqual([...names].sort());
    expect(looks.length - before).toBeLessThan(10);
    expect(tell).toBeUndefined();
  });

  test('is looked for when the read models have the last of what was set in a short time', async () => {
    await timers.look(new AbortController().signal);
    for (const name of ['first', 'last']) await set(name, 0);
    const entered = jest.spyOn(gate, 'enter');
    const [first, last] = await Promise.all([newest('first'), newest('last')]);
    for (const event of [first, last]) tell?.(event);
    await until(() => entered.mock.calls.length > 0);
    await timers.stop();
    expect(entered.mock.calls[0]).toEqual([{ position: last.position }]);
  });

  test('is looked for once more by a loop that is in its last look', async () => {
    await timers.look(new AbortController().signal);
    const find = jest.mocked(index.find).getMockImplementation()!;
    let answer: (() => void) | undefined;
    jest.mocked(index.find).mockImplementation(async (asked) => {
      const found = await find(asked);
      // The first look that finds nothing is answered later.
      if (found.length === 0 && answer === undefined) await new Promise<void>((resolve) => (answer = resolve));
      return found;
    });
    await set('first', 0);
    tell?.(await newest('first'));
    await until(() => answer !== undefined);
    await set('second', 0);
    const entered = jest.spyOn(gate, 'enter');
    tell?.(await newest('second'));
    await until(() => entered.mock.calls.length > 0);
    await entered.mock.results[0]?.value;
    answer?.();
    await until(async () => (await rung()).includes('second'));
    await timers.stop();
  });

  test('waits for the first look of a process that fires nothing, and for none after the last', async () => {
    expect(tell).toBeUndefined();
    await timers.look(new AbortController().signal);
    await set('late', 0);
    tell?.(await newest('late'));
    await timers.stop();
    const before = looks.length;
    await pause(50);
    expect([looks.length, await rung()]).toEqual([before, []]);
  });

  test('is left to the next look where its event cannot be read', async () => {
    await timers.look(new AbortController().signal);
    tell?.({ type: 'alarm.set.v1', position: 1 } as RecordedEvent);
    await set('next', 0);
    await timers.look(new AbortController().signal);
    await until(async () => (await rung()).includes('next'));
    await timers.stop();
    expect(errors).toEqual([]);
  });
});

describe('an exclusive handler', () => {
  /** Of one kind of timers, for several processes. */
  class OneLease extends Leases {
    held: Lease | undefined;
    asked = 0;
    refused = 0;

    override async acquire(name: string, holder: string): Promise<Lease | undefined> {
      this.asked++;
      return this.held === undefined ? (this.held = { name, holder, term: this.asked }) : undefined;
    }

    override async renew(lease: Lease): Promise<boolean> {
      if (this.held !== lease) this.refused++;
      return this.held === lease;
    }

    override async release(lease: Lease): Promise<void> {
      if (this.held === lease) this.held = undefined;
    }

    override async sign(): Promise<undefined> {
      // Nobody asks.
    }
  }

  let leases: OneLease;
  let begun: string[];
  let finish: () => void;
  let processes: Timers[];
  const look = async (): Promise<void> => {
    for (const timers of processes) await timers.look(new AbortController().signal);
  };

  beforeEach(() => {
    leases = new OneLease();
    begun = [];
    const finished = new Promise<void>((resolve) => (finish = resolve));
    processes = ['a', 'b'].map((by) => {
      const onError = (error: unknown): unknown => errors.push(error);
      const timers = new Timers({
        index,
        kinds: new Set(['alarm']),
        gate: new OpenGate(engine),
        clock,
        leases,
        onError,
      });
      const fire = async (name: string): Promise<void> => {
        begun.push(name);
        await finished;
        await runner.run(alarmDecider, `1.${name}`, { name, by }, BY_SERVER);
      };
      timers.add('alarm', { isExclusive: true, fire });
      return timers;
    });
  });
  afterEach(async () => {
    finish();
    await Promise.all(processes.map((timers) => timers.stop()));
  });

  test('acts in one process at a time, and in none when it is done', async () => {
    await set('now', 0);
    await look();
    await until(() => leases.asked === 2 && begun.length > 0);
    finish();
    await until(() => leases.held === undefined);
    await look();
    expect(begun).toEqual(['now']);
    expect(await rung()).toEqual(['now']);
    expect(errors).toEqual([]);
  });

  test('is given what was found before it had the lease, when no other process has acted since', async () => {
    finish();
    const readsFor = async (name: string): Promise<number> => {
      await set(name, 0);
      const before = looks.length;
      await processes[0]!.look(new AbortController().signal);
      await until(async () => (await rung()).includes(name));
      await until(() => leases.held === undefined);
      return looks.length - before;
    };
    // A look at all kinds, one at this kind, one under the lease, and one that finds nothing more.
    expect(await readsFor('first')).toBe(4);
    expect(await readsFor('second')).toBe(3);
    leases.asked++;
    expect(await readsFor('third')).toBe(4);
  });

  test('begins nothing more when another process has its lease', async () => {
    const others = Array.from({ length: 30 }, (_, count) => `alarm-${count}`);
    for (const name of others) await set(name, 0);
    await processes[0]!.look(new AbortController().signal);
    await until(() => begun.length === 10);
    leases.held = { name: 'timers-alarm', holder: 'another', term: 2 };
    await until(() => leases.refused > 0);
    finish();
    await processes[0]!.stop();
    expect(begun).toHaveLength(10);
  });
});

test('a kind without a source is a mistake', () => {
  const timers = timersWith(() => Promise.resolve());
  expect(() => {
    timers.add('bell', { fire: () => Promise.resolve() });
  }).toThrow(/bell/);
});
