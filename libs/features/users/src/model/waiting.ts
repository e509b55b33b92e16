import type { UserBook } from './user-book.js';
import type { WaitingChanged } from './user.events.js';
import type { User } from './user.js';

const DAY_SECONDS = 86_400;
/** Users of one event: some 100 kB. */
const USERS_PER_EVENT_MAX = 10_000;

type Members = Pick<UserBook, 'all' | 'get' | 'waitingIds'>;

/** Whether the account is as many whole days old as a full member's (rules.md §3). */
function isOldEnough({ joinedAt }: User, thresholdDays: number, at: number): boolean {
  return at - joinedAt >= thresholdDays * DAY_SECONDS;
}

/** Who waits, and waits no more, when the threshold becomes this. Looks at all users. */
export function waitingAfter(users: Members, thresholdDays: number, at: number): readonly WaitingChanged[] {
  const over: number[] = [];
  const begun: number[] = [];
  for (const user of users.all()) {
    if (user.systemBot !== undefined) continue;
    const waits = !isOldEnough(user, thresholdDays, at);
    if (waits !== (user.isWaiting === true)) (waits ? begun : over).push(user.userId);
  }
  return waitingEvents(over, begun, at);
}

/** Those whose waiting has ended by now. Looks at those alone who wait. */
export function waitingOver(users: Members, thresholdDays: number, at: number): readonly WaitingChanged[] {
  const over = [...users.waitingIds].filter((userId) => {
    const user = users.get(userId);
    return user !== undefined && isOldEnough(user, thresholdDays, at);
  });
  return waitingEvents(over, [], at);
}

function waitingEvents(over: readonly number[], begun: readonly number[], at: number): readonly WaitingChanged[] {
  const events: WaitingChanged[] = [];
  for (let from = 0; from < Math.max(over.length, begun.length); from += USERS_PER_EVENT_MAX) {
    const until = from + USERS_PER_EVENT_MAX;
    const data = { over: over.slice(from, until), begun: begun.slice(from, until), at };
    events.push({ type: 'user.waiting-changed.v1', data });
  }
  return events;
}
