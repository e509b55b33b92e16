import type { Directory } from '#people';
import { SampleEvents, settingsOf } from '../feed.fixture.js';
import { EventQueue } from '../queues/event-queue.js';
import { FeedCatalogue } from '../log/feed-catalogue.js';
import { HeldPolls } from '../queues/held-polls.js';
import { LiveDelivery } from './live-delivery.js';
import { Presenter } from './presenter.js';

const POLLS = 40;
/** Time that presenting takes: many of them exceed one slice. */
const PRESENT_MS = 2;

/** Numbers of entries that were prepared together. */
let prepared: number[];

/** Needs no preparation, and is slow to present. */
class SlowEvents extends SampleEvents {
  override async prepare(entries: Parameters<SampleEvents['prepare']>[0]) {
    prepared.push(entries.length);
    return new Set(entries);
  }

  override present(...given: Parameters<SampleEvents['present']>) {
    const untilMs = performance.now() + PRESENT_MS;
    while (performance.now() < untilMs);
    return super.present(...given);
  }
}

const directory = {
  position: 0,
  user: (userId: number) => ({ userId, isActive: true }),
} as unknown as Directory;

let polls: HeldPolls;
let delivery: LiveDelivery;
/** Answers of polls, and the turns of the event loop until then. */
let answers: { readonly events: any[]; readonly turn: number }[];
let turn: number;
let turning: NodeJS.Immediate;
const errors: unknown[] = [];
/** Times of the events of which polls were told. */
let delivered: number[];

beforeEach(() => {
  polls = new HeldPolls({ heartbeatMs: 60_000, nowMs: () => 0, deliveredUpTo: () => delivery.deliveredUpTo });
  const presenter = new Presenter(new FeedCatalogue([new SlowEvents()]));
  delivery = new LiveDelivery({
    directory,
    presenter,
    polls,
    onError: (error) => errors.push(error),
    onDelivered: (recordedAtMs) => delivered.push(recordedAtMs),
  });
  answers = [];
  delivered = [];
  prepared = [];
  turn = 0;
  const next = (): void => {
    turn++;
    turning = setImmediate(next);
  };
  next();
});
afterEach(() => {
  clearImmediate(turning);
  polls.releaseAll();
  expect(errors).toEqual([]);
});

/** @param from position up to which the poll has searched */
function hold(userId: number, from = 0): void {
  const queue = new EventQueue(`queue ${userId}`, userId, settingsOf(), 60_000, 0, 0, 0);
  queue.polls = 1;
  polls.hold(queue, from, false).onAnswer((events) => {
    answers.push({ events: JSON.parse(events), turn });
  });
}

const publish = (position: number): void => {
  const entries = [{ type: 'message', audience: { to: 'everyone' }, body: { n: position, times: 1 } } as const];
  delivery.publish([{ position, at: 1_000 + position, entries }], position);
};

const whenTold = async (position: number): Promise<void> => {
  while (delivery.deliveredUpTo < position) await new Promise((next) => setImmediate(next));
};

test('the command is answered before waiting polls', async () => {
  for (let userId = 1; userId <= POLLS; userId++) hold(userId);
  const before = turn;
  publish(1);
  // Microtasks of a request that waited for the event, until it is answered.
  for (let step = 0; step < 100; step++) await Promise.resolve();
  expect(answers).toEqual([]);
  await whenTold(1);
  expect(answers).toHaveLength(POLLS);
  expect(answers[0]!.turn).toBeGreaterThan(before);
});

test('others have their turns between the answers', async () => {
  for (let userId = 1; userId <= POLLS; userId++) hold(userId);
  publish(1);
  await whenTold(1);
  expect(answers.map(({ events }) => events[0].message.n)).toEqual(answers.map(() => 1));
  // A slice of 20 ms has room for eleven at most.
  expect(new Set(answers.map((answer) => answer.turn)).size).toBeGreaterThanOrEqual(Math.ceil(POLLS / 11));
});

test('what is recorded meanwhile is told afterwards, to who waits by then', async () => {
  for (let userId = 1; userId <= POLLS; userId++) hold(userId);
  publish(1);
  while (answers.length === 0) await new Promise((next) => setImmediate(next));
  hold(POLLS + 1, 1);
  publish(2);
  await whenTold(2);
  const told = answers.map(({ events }) => events.map(({ message }: any) => message.n));
  expect(told).toEqual([...Array.from({ length: POLLS }, () => [1]), [2]]);
  expect(delivered).toEqual([...Array.from({ length: POLLS }, () => 1_001), 1_002]);
});

test('of many events at once only some are loaded, and who waits for the others is told of them', async () => {
  hold(1);
  hold(2, 150);
  const entries = [{ type: 'message', audience: { to: 'everyone' }, body: { n: 1, times: 1 } } as const];
  const records = Array.from({ length: 200 }, (_, index) => ({ position: index + 1, at: 0, entries }));
  delivery.publish(records, 200);
  await whenTold(200);
  expect(Math.max(...prepared)).toBeLessThanOrEqual(64);
  expect(answers.map(({ events }) => events.length)).toEqual([64, 42]);
});
