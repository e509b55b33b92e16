// Fetches of 100 messages by each kind of narrow, from a long history and one of a tenth of its length in turn: a cost
// that does not grow with the history is equal in both. Each is compared with a bare node:http server that reads the
// same messages by their keys from the same file.
import { percentile } from './support/load.mjs';
import { ELSEWHERE, OFTEN, OUTSIDER, PARTNER, SELDOM, THIRD, VIEWER } from './support/history.mjs';
import { getRequest, postRequest } from './support/raw-client.mjs';
import { authorizationOf } from './support/seed.mjs';

const WANTED = 100;
const WARMUP_ROUNDS = 10;
const ROUNDS = 200;
/** A slow narrow is requested less often. */
const ROUNDS_MIN = 10;
const LIMIT_MS = 4_000;
const P50_BAR_MS = 50;
/**
 * For ten times the history; a cost that follows it grows tenfold, and one that hardly does still meets colder pages.
 */
const GROWTH_BAR = 3;

const is = (operator, operand, negated = false) => ({ operator, operand, negated });
const not = (operator, operand) => is(operator, operand, true);
const TOPIC = [is('channel', 7), is('topic', 'topic 3')];

/** Narrows by name; a following number is the number of matches, otherwise at least `WANTED`. */
const NARROWS = {
  'no narrow': [],
  'no narrow, subscribed to one quiet channel': { narrow: [], as: OUTSIDER },
  'no narrow, from the oldest': { narrow: [], anchor: 'oldest' },
  'no narrow, from the middle': { narrow: [], anchor: 'middle' },
  'no narrow, first unread': { narrow: [], anchor: 'first_unread' },
  channel: [is('channel', 7)],
  'channel, not subscribed': [is('channel', 33)],
  'channel and topic': TOPIC,
  'topic in any channel': [is('topic', 'topic 3')],
  'channels:public': [is('channels', 'public')],
  dm: [is('dm', [PARTNER])],
  'dm, a group': [is('dm', [PARTNER, THIRD])],
  'dm-including': [is('dm-including', [THIRD])],
  'is:dm': [is('is', 'dm')],
  'sender, many messages': [is('sender', OFTEN)],
  'sender, few messages': [is('sender', SELDOM)],
  'sender in a channel': [is('channel', 7), is('sender', OFTEN)],
  'sender in a channel that they seldom write to': [is('channel', 7), is('sender', ELSEWHERE)],
  'sender in a topic': [...TOPIC, is('sender', OFTEN)],
  'is:starred': [is('is', 'starred')],
  'is:mentioned': [is('is', 'mentioned')],
  'is:alerted': [is('is', 'alerted')],
  'is:unread': [is('is', 'unread')],
  'is:followed': [is('is', 'followed')],
  'is:resolved': [is('is', 'resolved')],
  'is:muted': [is('is', 'muted')],
  'in:home': [is('in', 'home')],
  'has:link': [is('has', 'link')],
  'has:reaction': [is('has', 'reaction')],
  'has:link in a channel': [is('channel', 7), is('has', 'link')],
  'search, a word of most messages': [is('search', 'lunch')],
  'search, a word of every tenth message': [is('search', 'budget')],
  'search, a rare word': [is('search', 'quokka')],
  'search, two words often together': [is('search', 'lunch budget')],
  'search, two words seldom together': [is('search', 'budget harvest')],
  'search, a phrase': [is('search', '"talks about lunch"')],
  'search in a channel': [is('channel', 7), is('search', 'budget')],
  'search in a topic': [...TOPIC, is('search', 'lunch')],
  'search by a sender': [is('sender', SELDOM), is('search', 'lunch')],
  'near, in a topic': { narrow: (ids) => [...TOPIC, is('near', ids.near)], anchor: 'near' },
  with: (ids) => [is('with', ids.with)],
  id: (ids) => [is('id', ids.with)],
  'not a channel': [not('channel', 7)],
  'not a topic': [is('channel', 7), not('topic', 'topic 3')],
  'not a sender': [not('sender', OFTEN)],
  'not a dm': [not('dm', [PARTNER])],
  'not dm-including': [not('dm-including', [PARTNER])],
  'not is:dm': [not('is', 'dm')],
  'not is:starred': [not('is', 'starred')],
  'not is:mentioned': [not('is', 'mentioned')],
  'not is:alerted': [not('is', 'alerted')],
  'not is:unread': [not('is', 'unread')],
  'not is:resolved': [not('is', 'resolved')],
  'not has:link': [not('has', 'link')],
  'not has:reaction': [not('has', 'reaction')],
  'not search, a word of every tenth message': [not('search', 'budget')],
};

/**
 * @param sites the same organization with a short and a long history: `{ size, client, floor }`, clients of server and
 * floor
 */
export async function measureNarrows(short, long) {
  const results = [];
  for (const [name, asked] of Object.entries(NARROWS)) {
    const [before, after] = [await questionOf(short, asked), await questionOf(long, asked)];
    if (after.found === 0) throw new Error(`Nothing was found by ${name}.`);
    const took = await inTurn([before.ask, after.ask, after.askFloor]);
    const [shortMs, longMs, floorMs] = took.map((times) => times.sort((a, b) => a - b));
    const [p50, p50Before, floor] = [longMs, shortMs, floorMs].map((times) => percentile(times, 0.5));
    const growth = p50 / p50Before;
    results.push({
      what: `fetch ${after.found} of ${long.size.toLocaleString('en')}: ${name}, p50`,
      value: p50,
      p99: percentile(longMs, 0.99),
      floor,
      unit: 'ms',
      share: p50 / floor,
      growth,
      bar: `≤ ${P50_BAR_MS}, growth ≤ ${GROWTH_BAR}`,
      met: p50 <= P50_BAR_MS && growth <= GROWTH_BAR,
    });
  }
  return results;
}

/**
 * Alternates, so that all have the same conditions.
 * @returns the times of each, in ms
 */
export async function inTurn(asks, { rounds = ROUNDS, warmupRounds = WARMUP_ROUNDS } = {}) {
  const took = asks.map(() => []);
  const startedAt = performance.now();
  for (let round = -warmupRounds; round < rounds; round++) {
    const isLate = performance.now() - startedAt > LIMIT_MS;
    if (isLate && round < 0) round = 0;
    if (isLate && round >= ROUNDS_MIN) break;
    for (const [index, ask] of asks.entries()) {
      const sentAt = performance.now();
      await ask();
      if (round >= 0) took[index].push(performance.now() - sentAt);
    }
  }
  return took;
}

async function questionOf({ size, client, floor }, asked) {
  const {
    narrow,
    anchor = 'newest',
    as = VIEWER,
  } = Array.isArray(asked) || typeof asked === 'function' ? { narrow: asked } : asked;
  const authorization = authorizationOf(as);
  const fetch = async (terms, from, before, after) => {
    const query = new URLSearchParams({
      anchor: from,
      num_before: before,
      num_after: after,
      narrow: JSON.stringify(terms),
    });
    const { status, body } = await client.request(getRequest(`/api/v1/messages?${query}`, authorization));
    if (status !== 200) throw new Error(body);
    return body;
  };
  const idsOf = (body) => JSON.parse(body).messages.map(({ id }) => id);
  const inTopic = idsOf(await fetch(TOPIC, 'newest', WANTED, 0));
  const ids = { with: inTopic[0], near: inTopic[inTopic.length >> 1], middle: size >> 1 };
  const terms = typeof narrow === 'function' ? narrow(ids) : narrow;
  const around = anchor === 'newest' ? [WANTED, 0] : anchor === 'oldest' ? [0, WANTED] : [WANTED / 2, WANTED / 2 - 1];
  const ask = () => fetch(terms, ids[anchor] ?? anchor, ...around);
  const answered = idsOf(await ask());
  const keys = postRequest('/documents', JSON.stringify(answered));
  return { ask, found: answered.length, askFloor: () => floor.request(keys) };
}
