import { randomUUID } from 'node:crypto';
import { until } from '#testing';
import { APPEND_BYTES_MAX, AppendTooLarge, EventStoreUnavailable, RevisionConflict } from '../event-store.js';
import type { PreparedEvent } from '../prepared-event.js';
import { Appends } from './appends.js';
import type { Sending } from './sender.js';
import type { Stored } from './stream-tail.js';

/** Minimal server: stores events, and can be told to refuse. */
class Shelf {
  readonly sent: Sending[] = [];
  readonly #ends = new Map<string, number>();
  #position = 0;
  inFlight = 0;
  inFlightMax = 0;
  /** The server answers when this resolves; soon when undefined. */
  answers: Promise<void> | undefined;
  refuse: (sending: Sending) => Error | undefined = () => undefined;

  readonly send = async (sending: Sending): Promise<Stored> => {
    this.sent.push(sending);
    this.inFlightMax = Math.max(this.inFlightMax, ++this.inFlight);
    await (this.answers ?? new Promise((resolve) => setTimeout(resolve, 1)));
    this.inFlight -= 1;
    const refusal = this.refuse(sending);
    if (refusal !== undefined) throw refusal;
    const lastRevision = (this.#ends.get(sending.stream) ?? -1) + sending.events.length;
    this.#ends.set(sending.stream, lastRevision);
    this.#position += sending.events.length;
    return { lastRevision, position: this.#position, positions: undefined };
  };
}

let shelf: Shelf;
let appends: Appends;
let failure: Error | undefined;

beforeEach(() => {
  shelf = new Shelf();
  failure = undefined;
  appends = new Appends(shelf, () => {
    if (failure !== undefined) throw failure;
  });
});

function events(count: number, bytes = 10): PreparedEvent[] {
  const data = JSON.stringify('x'.repeat(bytes));
  return Array.from({ length: count }, () => ({
    id: randomUUID(),
    type: 'x.v1',
    data,
    metadata: null,
    recordedAtMs: undefined,
  }));
}

test('simultaneous appends at any revision are merged, and each caller gets its own revisions', async () => {
  const answers = await Promise.all([1, 2, 3, 2, 1].map((count) => appends.append('1.a', 'any', events(count))));
  expect(shelf.sent.map((sending) => sending.events.length)).toEqual([9]);
  expect(answers.map(({ firstRevision, lastRevision }) => [firstRevision, lastRevision])).toEqual([
    [0, 0],
    [1, 2],
    [3, 5],
    [6, 7],
    [8, 8],
  ]);
  expect(answers.map(({ position }) => position)).toEqual([9, 9, 9, 9, 9]);
});

test('what comes while another is under way waits for it and then goes together', async () => {
  let answer = (): void => undefined;
  shelf.answers = new Promise((resolve) => (answer = resolve));
  const first = appends.append('1.a', 'any', events(1));
  await until(() => shelf.inFlight === 1);
  const later = Array.from({ length: 30 }, () => appends.append('1.a', 'any', events(1)));
  answer();
  await Promise.all([first, ...later]);
  expect(shelf.sent.map((sending) => sending.events.length)).toEqual([1, 30]);
});

test('exact revisions go alone and in the order of the calls', async () => {
  const expected = ['none', 0, 'any', 'any', 3, 'any'] as const;
  await Promise.all(expected.map((revision) => appends.append('1.a', revision, events(1))));
  expect(shelf.sent.map((sending) => [sending.expected, sending.events.length])).toEqual([
    ['none', 1],
    [0, 1],
    ['any', 2],
    [3, 1],
    ['any', 1],
  ]);
});

test('a group stays below what one append may hold', async () => {
  const third = Math.floor(APPEND_BYTES_MAX / 3) - 200;
  await Promise.all(Array.from({ length: 7 }, () => appends.append('1.a', 'any', events(1, third))));
  expect(shelf.sent.map((sending) => sending.events.length)).toEqual([3, 3, 1]);
  shelf.sent.length = 0;
  await Promise.all(Array.from({ length: 3 }, () => appends.append('1.a', 'any', events(600))));
  expect(shelf.sent.map((sending) => sending.events.length)).toEqual([600, 600, 600]);
});

test('too large is refused before it is sent', async () => {
  await expect(appends.append('1.a', 'any', events(1, APPEND_BYTES_MAX))).rejects.toThrow(AppendTooLarge);
  expect(shelf.sent).toEqual([]);
});

test('when the server finds a group too large, it fails alone who is', async () => {
  const [small, large] = [events(1), events(2)];
  shelf.refuse = ({ stream, events: sent }) =>
    sent.some(({ id }) => id === large[0]?.id) ? new AppendTooLarge(stream) : undefined;
  const outcomes = await Promise.allSettled([
    appends.append('1.a', 'any', small),
    appends.append('1.a', 'any', large),
    appends.append('1.a', 'any', events(1)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: expect.any(AppendTooLarge) as unknown });
  expect(outcomes[2]).toMatchObject({ value: { firstRevision: 1, lastRevision: 1 } });
});

test('a failure concerns the whole group, and no other append', async () => {
  shelf.refuse = ({ stream, expected }) =>
    expected === 'any' ? new EventStoreUnavailable('away') : new RevisionConflict(stream, expected, 7);
  const outcomes = await Promise.allSettled([
    appends.append('1.a', 'any', events(1)),
    appends.append('1.a', 'any', events(1)),
    appends.append('1.a', 5, events(1)),
    appends.append('1.b', 'none', events(1)),
  ]);
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.name : 'stored'))).toEqual([
    'EventStoreUnavailable',
    'EventStoreUnavailable',
    'RevisionConflict',
    'RevisionConflict',
  ]);
  shelf.refuse = () => undefined;
  expect(await appends.append('1.a', 'any', events(1))).toMatchObject({ lastRevision: 0 });
});

test('many streams go side by side, and never more than the client can bear', async () => {
  await Promise.all(Array.from({ length: 200 }, (_, index) => appends.append(`1.s-${index}`, 'none', events(1))));
  expect(shelf.inFlightMax).toBe(15);
  expect(appends.counters).toEqual({ sent: 200, events: 200, waiting: 0 });
});

test('memory is bounded as well', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 80 }, (_, index) =>
      appends.append(`1.s-${index}`, 'none', events(1, APPEND_BYTES_MAX - 1_000)),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(10);
});

test('a server that is known to be away is not waited for', async () => {
  failure = new EventStoreUnavailable('away');
  await expect(appends.append('1.a', 'any', events(1))).rejects.toBe(failure);
  failure = undefined;
  const waiting = appends.append('1.a', 'any', events(1));
  failure = new EventStoreUnavailable('gone while waiting');
  await expect(waiting).rejects.toBe(failure);
  expect(shelf.sent).toEqual([]);
});

test('closing waits for what is under way', async () => {
  const appending = appends.append('1.a', 'any', events(1));
  await appends.finish();
  expect(await appending).toMatchObject({ lastRevision: 0 });
  await expect(appends.append('1.a', 'any', events(1))).rejects.toThrow('closed');
});
