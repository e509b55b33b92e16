import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { badRequest, BY_SERVER, type Decider, type DomainEvent, originFrom, Refusal } from '#kernel';
import { Type } from 'typebox';
import { CommandRunner } from './command-runner.js';
import type { EventStore, ReadStreamOptions, RecordedEvent } from './event-store.js';
import { EventRegistry, eventType } from './registry.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';
import { ReadBarrier } from './read-barrier.js';

type Event =
  | DomainEvent<'guest.came.v1', { name: string; note?: string | undefined }>
  | DomainEvent<'guest.left.v1', { name: string }>;
type Command = { type: 'come' | 'leave' | 'shout' | 'break'; name: string };
interface Party {
  readonly guests: Set<string>;
  readonly notes: unknown[];
}

const GUESTS_MAX = 3;

/** Mutates its state in place, which deciders are allowed to do. */
const party: Decider<Party, Command, Event> = {
  initial: () => ({ guests: new Set(), notes: [] }),
  decide: ({ guests }, { type, name }) => {
    if (type === 'break') throw new TypeError('It broke.');
    if (type === 'shout') return [{ type: 'guest.came.v1', data: { name: 'A'.repeat(1_100_000) } }];
    if (type === 'leave') return guests.has(name) ? [{ type: 'guest.left.v1', data: { name } }] : [];
    if (guests.has(name)) return [];
    if (guests.size >= GUESTS_MAX) throw badRequest('The house is full.');
    return [{ type: 'guest.came.v1', data: { name, note: undefined } }];
  },
  evolve: (state, event) => {
    if (event.type === 'guest.came.v1') {
      if (event.data.name === 'ghost') throw new Error('A ghost cannot be counted.');
      state.guests.add(event.data.name);
      state.notes.push(Object.keys(event.data));
    } else state.guests.delete(event.data.name);
    return state;
  },
};

const registry = new EventRegistry([
  eventType('guest.came.v1', Type.Object({ name: Type.String(), note: Type.Optional(Type.String()) })),
  eventType('guest.left.v1', Type.Object({ name: Type.String() })),
]);

/** Read barrier that is always caught up, records its calls, and can be told to stall or to wait. */
class Watched extends ReadBarrier {
  accepting = true;
  readonly reachedPositions: number[] = [];
  gate: Promise<void> = Promise.resolve();

  assertAccepting(): void {
    if (!this.accepting) throw new Refusal('SERVER_NOT_READY', 'Please try again later.');
  }

  async waitFor(position: number): Promise<void> {
    this.reachedPositions.push(position);
    await this.gate;
  }
}

const STREAM = '1.party';
let directory: string;
let store: SqliteEventStore;
let barrier: Watched;
let commands: CommandRunner;
let commitFails = false;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'command-path-'));
  commitFails = false;
  store = SqliteEventStore.open(join(directory, 'events.db'), registry, {
    beforeCommit: () => {
      if (commitFails) throw new Error('The disk is gone.');
    },
  });
  barrier = new Watched();
  commands = new CommandRunner(store, barrier);
});

afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

const come = (name: string): Command => ({ type: 'come', name });
const leave = (name: string): Command => ({ type: 'leave', name });

async function names(): Promise<string[]> {
  const events = await store.readStream(STREAM, { limit: 10_000 });
  return events.map(
    ({ type, data }: RecordedEvent<{ name: string }>) => `${type === 'guest.came.v1' ? '+' : '-'}${data.name}`,
  );
}

test('what is decided is appended, with who acts, and shown before the answer', async () => {
  const { events, appended } = await commands.run(party, STREAM, come('ann'), originFrom({ userId: 7 }));
  expect(events).toEqual([{ type: 'guest.came.v1', data: { name: 'ann' } }]);
  expect(appended).toEqual({ position: 1, firstRevision: 0, lastRevision: 0 });
  expect(barrier.reachedPositions).toEqual([1]);
  expect(await store.readStream(STREAM, { limit: 1 })).toMatchObject([{ data: { name: 'ann' }, metadata: { o: '7' } }]);
});

test('a command with nothing to do appends nothing, and waits until what it rests on is shown', async () => {
  expect(await commands.run(party, STREAM, leave('ann'), BY_SERVER)).toEqual({ events: [], appended: undefined });
  expect(barrier.reachedPositions).toEqual([]);
  await commands.run(party, STREAM, come('ann'), BY_SERVER);
  expect(await commands.run(party, STREAM, come('ann'), BY_SERVER)).toEqual({ events: [], appended: undefined });
  expect(barrier.reachedPositions).toEqual([1, 1]);
  expect(await names()).toEqual(['+ann']);
});

test('a refusal passes through and leaves the state as it was', async () => {
  for (const name of ['a', 'b', 'c']) await commands.run(party, STREAM, come(name), BY_SERVER);
  await expect(commands.run(party, STREAM, come('d'), BY_SERVER)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(commands.run(party, STREAM, { type: 'break', name: '' }, BY_SERVER)).rejects.toThrow(TypeError);
  await commands.run(party, STREAM, leave('a'), BY_SERVER);
  await commands.run(party, STREAM, come('d'), BY_SERVER);
  expect(await names()).toEqual(['+a', '+b', '+c', '-a', '+d']);
});

test('commands on one stream take turns, so none is decided on a state that has passed', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => commands.run(party, STREAM, come(String(index)), BY_SERVER)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(GUESTS_MAX);
  expect(await names()).toHaveLength(GUESTS_MAX);
  expect(store.counters.conflicts).toBe(0);
});

test('the next command does not wait until the last one is shown', async () => {
  let open = (): void => undefined;
  barrier.gate = new Promise((resolve) => (open = resolve));
  const first = commands.run(party, STREAM, come('ann'), BY_SERVER);
  const second = commands.run(party, STREAM, come('bob'), BY_SERVER);
  while ((await names()).length < 2) await new Promise((resolve) => setImmediate(resolve));
  open();
  expect((await Promise.all([first, second])).map(({ appended }) => appended?.lastRevision)).toEqual([0, 1]);
});

describe('with another writer', () => {
  let others: CommandRunner;

  beforeEach(() => {
    others = new CommandRunner(store, new Watched());
  });

  test('a lost race is decided afresh', async () => {
    await commands.run(party, STREAM, come('ann'), BY_SERVER);
    await others.run(party, STREAM, come('bob'), BY_SERVER);
    const { appended } = await commands.run(party, STREAM, come('eve'), BY_SERVER);
    expect(appended?.lastRevision).toBe(2);
    expect(store.counters.conflicts).toBe(1);
  });

  test('two of them keep the rules between them', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? commands : others).run(party, STREAM, come(String(index)), BY_SERVER),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(GUESTS_MAX);
    expect(await names()).toHaveLength(GUESTS_MAX);
  });

  test('a refusal never rests on a state that has passed', async () => {
    for (const name of ['a', 'b', 'c']) await commands.run(party, STREAM, come(name), BY_SERVER);
    await others.run(party, STREAM, leave('a'), BY_SERVER);
    await commands.run(party, STREAM, come('d'), BY_SERVER);
    expect(await names()).toEqual(['+a', '+b', '+c', '-a', '+d']);
  });

  test('neither does an answer that there is nothing to do', async () => {
    await commands.run(party, STREAM, come('ann'), BY_SERVER);
    await others.run(party, STREAM, leave('ann'), BY_SERVER);
    expect((await commands.run(party, STREAM, come('ann'), BY_SERVER)).events).toHaveLength(1);
  });

  test('a stream that is most likely new is not read, and one that is not new after all is', async () => {
    const reads = jest.spyOn(store, 'readStream');
    await commands.run(party, STREAM, come('ann'), BY_SERVER, { isNew: true });
    expect(reads).not.toHaveBeenCalled();
    const { events } = await others.run(party, STREAM, come('ann'), BY_SERVER, { isNew: true });
    expect(events).toEqual([]);
    expect(store.counters.conflicts).toBe(1);
    expect(await names()).toEqual(['+ann']);
  });

  test('a command that loses every race is refused in the end', async () => {
    let made = 0;
    const unlucky = async (): Promise<Command> => {
      made += 1;
      await others.run(party, STREAM, made % 2 ? come('ann') : leave('ann'), BY_SERVER);
      return come('bob');
    };
    await expect(commands.run(party, STREAM, unlucky, BY_SERVER)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
    expect(made).toBeGreaterThan(2);
    expect(made).toBeLessThan(20);
  });
});

test('several deciders may look at one stream', async () => {
  const doorman = { ...party };
  await commands.run(party, STREAM, come('ann'), BY_SERVER);
  expect((await commands.run(doorman, STREAM, come('ann'), BY_SERVER)).events).toEqual([]);
  await commands.run(doorman, STREAM, come('bob'), BY_SERVER);
  expect((await commands.run(party, STREAM, come('bob'), BY_SERVER)).events).toEqual([]);
  expect(store.counters.conflicts).toBe(0);
});

test('a long stream is read once', async () => {
  const events = Array.from({ length: 1_200 }, (_, index) => ({
    type: index % 2 ? 'guest.left.v1' : 'guest.came.v1',
    data: { name: 'a' },
  }));
  await commands.appendOnly(STREAM, events, BY_SERVER);
  let read = 0;
  const counting = Object.create(store, {
    append: { value: store.append.bind(store) },
    readStream: {
      value: async (stream: string, options: ReadStreamOptions) => {
        const page = await store.readStream(stream, options);
        read += page.length;
        return page;
      },
    },
  }) as EventStore;
  const path = new CommandRunner(counting, barrier);
  await path.run(party, STREAM, come('ann'), BY_SERVER);
  await path.run(party, STREAM, come('ann'), BY_SERVER);
  await path.run(party, STREAM, come('bob'), BY_SERVER);
  expect(read).toBe(1_200);
});

test('a state folded live is the one that a restart would fold', async () => {
  await commands.run(party, STREAM, come('ann'), BY_SERVER);
  let live: unknown;
  let replayed: unknown;
  const spying = (see: (state: Party) => void) => (state: Party, command: Command) => {
    see(state);
    return party.decide(state, command);
  };
  const first = { ...party };
  first.decide = spying((state) => (live = state.notes));
  await commands.run(first, STREAM, come('bob'), BY_SERVER);
  await commands.run(first, STREAM, come('bob'), BY_SERVER);
  await commands.run({ ...party, decide: spying((state) => (replayed = state.notes)) }, STREAM, come('bob'), BY_SERVER);
  expect(live).toEqual([['name'], ['name']]);
  expect(replayed).toEqual(live);
});

test('a fold that breaks fails the commands after it, never the one that succeeded', async () => {
  await commands.run(party, STREAM, come('ann'), BY_SERVER);
  expect((await commands.run(party, STREAM, come('ghost'), BY_SERVER)).events).toHaveLength(1);
  await expect(commands.run(party, STREAM, come('bob'), BY_SERVER)).rejects.toThrow(/ghost/);
  await expect(commands.run(party, STREAM, come('bob'), BY_SERVER)).rejects.toThrow(/ghost/);
});

test('nothing is decided or appended while the read side is stalled', async () => {
  barrier.accepting = false;
  await expect(commands.run(party, STREAM, come('ann'), BY_SERVER)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  await expect(commands.appendOnly(STREAM, [], BY_SERVER)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  expect(await store.head()).toBe(0);
});

test('appendOnly records without asking, and is shown before the answer', async () => {
  const came = { type: 'guest.came.v1', data: { name: 'ann' } };
  expect(await commands.appendOnly(STREAM, [came, came], BY_SERVER, { metadata: { by: 1 } })).toEqual({
    position: 2,
    firstRevision: 0,
    lastRevision: 1,
  });
  expect(barrier.reachedPositions).toEqual([2]);
  const events = await store.readStream(STREAM, { limit: 5 });
  expect(events.map(({ metadata }) => metadata)).toEqual([
    { by: 1, o: 's' },
    { by: 1, o: 's' },
  ]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(2);
});

test('appendOnly of nothing has nothing to wait for', async () => {
  await commands.run(party, STREAM, come('ann'), BY_SERVER);
  barrier.reachedPositions.length = 0;
  expect(await commands.appendOnly(STREAM, [], BY_SERVER)).toEqual({ position: 0, firstRevision: 1, lastRevision: 0 });
  expect(barrier.reachedPositions).toEqual([]);
});

test('events that are too large are refused as such', async () => {
  await expect(commands.run(party, STREAM, { type: 'shout', name: '' }, BY_SERVER)).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
  });
});

test('a log that cannot be written is a refusal to try again, which keeps its cause', async () => {
  commitFails = true;
  await expect(commands.run(party, STREAM, come('ann'), BY_SERVER)).rejects.toMatchObject({
    code: 'SERVER_NOT_READY',
    cause: { name: 'EventStoreUnavailable', cause: { message: 'The disk is gone.' } },
  });
  await expect(commands.appendOnly(STREAM, [], BY_SERVER)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
});

describe('states in memory', () => {
  let reads: string[];
  const limitedTo = (entriesMax: number, weightMax: number): CommandRunner => {
    reads = [];
    const counted = {
      append: store.append.bind(store),
      readStream: (stream: string, options: ReadStreamOptions) => {
        reads.push(stream);
        return store.readStream(stream, options);
      },
    } as unknown as EventStore;
    return new CommandRunner(counted, barrier, { entriesMax, weightMax });
  };

  test('of streams in use stay, however many are used once', async () => {
    commands = limitedTo(10, 1_000_000);
    await commands.run(party, STREAM, come('ann'), BY_SERVER);
    await commands.run(party, STREAM, come('ben'), BY_SERVER);
    for (let n = 0; n < 50; n++) await commands.run(party, `1.once-${n}`, come('ann'), BY_SERVER, { isNew: true });
    reads = [];
    await commands.run(party, STREAM, come('cleo'), BY_SERVER);
    expect(reads).toEqual([]);
    await commands.run(party, '1.once-0', come('ben'), BY_SERVER);
    expect(reads).toEqual(['1.once-0']);
  });

  test('are limited in bytes', async () => {
    commands = limitedTo(1_000, 100_000);
    const large = 'x'.repeat(20_000);
    for (let n = 0; n < 10; n++) {
      await commands.run(party, `1.large-${n}`, come(large), BY_SERVER);
      await commands.run(party, `1.large-${n}`, come('ann'), BY_SERVER);
    }
    reads = [];
    for (let n = 9; n >= 0; n--) await commands.run(party, `1.large-${n}`, come('ben'), BY_SERVER);
    // Five of 20 kB would be too many.
    expect(reads).toEqual([5, 4, 3, 2, 1, 0].map((n) => `1.large-${n}`));
  });

  test('are as large as what is left of their events', async () => {
    commands = limitedTo(1_000, 100_000);
    for (let n = 0; n < 10; n++) {
      const large = `${n}`.repeat(20_000);
      await commands.run(party, STREAM, come(large), BY_SERVER);
      await commands.run(party, STREAM, leave(large), BY_SERVER);
    }
    reads = [];
    await commands.run(party, STREAM, come('ann'), BY_SERVER);
    expect(reads).toEqual([]);
  });
});
