// Unread messages: the registration of a user with 50,000 unread messages, and marking all of them as read.
import { percentile } from './support/load.mjs';
import { BEHIND, unreadIn } from './support/history.mjs';
import { inTurn } from './narrows.mjs';
import { formRequest, postRequest } from './support/raw-client.mjs';
import { authorizationOf } from './support/seed.mjs';

const ROUNDS = 30;

/** @param sites as for `measureNarrows` */
export async function measureUnread(short, long) {
  const [before, after] = [await firstLook(short), await firstLook(long)];
  const floorRequest = postRequest('/bytes', String(after.bytes));
  const took = await inTurn(
    [() => register(short, BEHIND[0]), () => register(long, BEHIND[0]), () => long.floor.request(floorRequest)],
    { rounds: ROUNDS, warmupRounds: 2 },
  );
  const [shortMs, longMs, floorMs] = took.map((times) => times.sort((a, b) => a - b));
  const [marksBefore, marksAfter] = [await markAllRead(short), await markAllRead(long)];
  const unread = unreadIn(long.size).toLocaleString('en');
  const floor = percentile(floorMs, 0.5);
  const row = (what, [was, is], p99, limit) => ({
    what: `${what} of ${unread}`,
    value: is,
    p99,
    floor,
    unit: 'ms',
    share: is / floor,
    growth: is / was,
    bar: `growth ≤ ${limit}`,
    met: is / was <= limit,
  });
  return [
    row('POST /register, first, unread state', [before.ms, after.ms], undefined, 3),
    row(
      'POST /register, again, unread state',
      [percentile(shortMs, 0.5), percentile(longMs, 0.5)],
      percentile(longMs, 0.99),
      2,
    ),
    row('POST /mark_all_as_read', [marksBefore, marksAfter], undefined, 3),
  ];
}

/** Median of several users' first registrations, each of which searches for unread messages without a cache. */
async function firstLook(site) {
  const times = [];
  let bytes = 0;
  for (const userId of BEHIND) {
    const sentAt = performance.now();
    const body = await register(site, userId);
    times.push(performance.now() - sentAt);
    bytes = Buffer.byteLength(body);
    const { count } = JSON.parse(body).unread_msgs;
    if (count !== unreadIn(site.size)) throw new Error(`${count} unread messages instead of ${unreadIn(site.size)}.`);
  }
  return { ms: median(times), bytes };
}

async function register({ client }, userId) {
  const fields = { event_types: '["message"]', fetch_event_types: '["message","update_message_flags"]' };
  const { status, body } = await client.request(
    formRequest('POST', '/api/v1/register', authorizationOf(userId), fields),
  );
  if (status !== 200) throw new Error(body);
  return body;
}

async function markAllRead(site) {
  const times = [];
  for (const userId of BEHIND) {
    const sentAt = performance.now();
    const { status, body } = await site.client.request(
      formRequest('POST', '/api/v1/mark_all_as_read', authorizationOf(userId), {}),
    );
    times.push(performance.now() - sentAt);
    if (status !== 200) throw new Error(body);
    const left = JSON.parse(await register(site, userId)).unread_msgs.count;
    if (left !== 0) throw new Error(`${left} messages are unread after all were marked as read.`);
  }
  return median(times);
}

const median = (values) =>
  percentile(
    values.sort((a, b) => a - b),
    0.5,
  );
