import { sampleUser } from '#testing';
import type { User } from './user.js';
import { waitingAfter, waitingOver } from './waiting.js';

const DAY = 86_400;
const NOW = 100 * DAY;

/** Users by ID who joined so many seconds ago. */
function organization(members: readonly (Partial<User> & { ago: number })[]) {
  const all = members.map(({ ago, ...change }, index) => sampleUser(index + 1, { joinedAt: NOW - ago, ...change }));
  return {
    all: () => all.values(),
    get: (userId: number) => all[userId - 1],
    waitingIds: new Set(all.filter(({ isWaiting }) => isWaiting).map(({ userId }) => userId)),
  };
}
const waits = { isWaiting: true } as const;

test('whole days count', () => {
  const users = organization([{ ago: 3 * DAY - 1 }, { ago: 3 * DAY }, { ago: 3 * DAY + 1 }]);
  expect(waitingAfter(users, 3, NOW)).toEqual([
    { type: 'user.waiting-changed.v1', data: { over: [], begun: [1], at: NOW } },
  ]);
});

test('a shorter time ends the waiting of some, and none at all ends that of all', () => {
  const users = organization([{ ago: DAY, ...waits }, { ago: 2 * DAY, ...waits }, { ago: 9 * DAY }]);
  expect(waitingAfter(users, 2, NOW)).toMatchObject([{ data: { over: [2], begun: [] } }]);
  expect(waitingAfter(users, 0, NOW)).toMatchObject([{ data: { over: [1, 2], begun: [] } }]);
  expect(waitingAfter(users, 5, NOW)).toEqual([]);
});

test('time alone ends the waiting, and begins none', () => {
  const users = organization([{ ago: DAY, ...waits }, { ago: 3 * DAY, ...waits }, { ago: 1 }]);
  expect(waitingOver(users, 3, NOW)).toMatchObject([{ data: { over: [2], begun: [] } }]);
  expect(waitingOver(users, 4, NOW)).toEqual([]);
});

test("the server's own bots never wait", () => {
  expect(waitingAfter(organization([{ ago: 1, systemBot: 'welcome' }]), 3, NOW)).toEqual([]);
});

test('one event holds a bounded number of users', () => {
  const users = organization(Array.from({ length: 10_001 }, () => ({ ago: 1 })));
  const events = waitingAfter(users, 1, NOW);
  expect(events.map(({ data }) => data.begun.length)).toEqual([10_000, 1]);
});
