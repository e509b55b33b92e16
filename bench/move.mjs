// A move of a topic of 10,000 messages, beside a bare transaction that reads and rewrites as many documents.
import { percentile } from './support/load.mjs';
import { MOVING_CHANNEL, MOVING_TOPIC, movedIn } from './support/history.mjs';
import { formRequest, getRequest, postRequest } from './support/raw-client.mjs';
import { authorizationOf } from './support/seed.mjs';

const OWNER = authorizationOf(4);
const MOVES = 5;
const FETCHED_MAX = 5_000;

/** @param sites as for `measureNarrows` */
export async function measureMove(short, long) {
  const before = await movesOf(short);
  const after = await movesOf(long);
  const growth = after.ms / before.ms;
  return [
    {
      what: `a move of ${after.count.toLocaleString('en')} messages of ${long.size.toLocaleString('en')}`,
      value: after.ms,
      floor: after.floorMs,
      unit: 'ms',
      share: after.ms / after.floorMs,
      growth,
      bar: 'growth ≤ 3',
      met: growth <= 3,
    },
  ];
}

/**
 * Moves a topic there and back.
 * @returns the medians of its moves and of the floor's, and the number of moved messages
 */
async function movesOf({ size, client, floor }) {
  let topic = MOVING_TOPIC;
  const ids = await idsIn(client, topic);
  if (ids.length < movedIn(size) * 0.99) throw new Error(`${ids.length} messages instead of ${movedIn(size)}.`);
  const [times, floorTimes] = [[], []];
  for (let round = 0; round < MOVES; round++) {
    topic = round % 2 === 0 ? 'moved' : MOVING_TOPIC;
    const fields = { topic, propagate_mode: 'change_all', send_notification_to_new_thread: 'false' };
    const sentAt = performance.now();
    const { status, body } = await client.request(formRequest('PATCH', `/api/v1/messages/${ids[0]}`, OWNER, fields));
    times.push(performance.now() - sentAt);
    if (status !== 200) throw new Error(body);
    const reply = await floor.request(postRequest('/rewrite', JSON.stringify(ids)));
    floorTimes.push(JSON.parse(reply.body).elapsedMs);
  }
  const moved = await idsIn(client, topic);
  if (moved.length !== ids.length) throw new Error(`Of ${ids.length} messages ${moved.length} moved.`);
  const median = (values) =>
    percentile(
      values.sort((a, b) => a - b),
      0.5,
    );
  return { ms: median(times), floorMs: median(floorTimes), count: ids.length };
}

async function idsIn(client, topic) {
  const narrow = JSON.stringify([
    { operator: 'channel', operand: MOVING_CHANNEL },
    { operator: 'topic', operand: topic },
  ]);
  const ids = [];
  for (let anchor = '0'; ;) {
    const query = new URLSearchParams({
      anchor,
      include_anchor: 'false',
      num_before: 0,
      num_after: FETCHED_MAX,
      narrow,
    });
    const { status, body } = await client.request(getRequest(`/api/v1/messages?${query}`, OWNER));
    if (status !== 200) throw new Error(body);
    const { messages, found_newest } = JSON.parse(body);
    for (const { id } of messages) ids.push(id);
    if (found_newest) return ids;
    anchor = String(messages.at(-1).id);
  }
}
