// Writes a long history directly to a log: users, channels, topics and direct conversations. Whatever a narrow may
// select exists both in proportion to all messages, and in a constant number.
import { randomUUID } from 'node:crypto';
import { streams } from '#event-store';
import { hash } from './hash.mjs';
import { openLog, seedOrganization } from './seed.mjs';
import { prose } from './prose.mjs';

/** Reads 20 of 40 channels, and has read all but the newest messages. */
export const VIEWER = 10;
/** Subscribed to one channel, to which few write. */
export const OUTSIDER = 11;
/** Subscribed to all channels, each with `UNREAD` unread messages. */
export const BEHIND = [12, 13, 14, 15, 16, 17, 18];
/** Writes to the viewer directly. */
export const PARTNER = 20;
export const THIRD = 21;
/** Sends a few messages. */
export const SELDOM = 103;
/** One of seventy who send nearly all messages. */
export const OFTEN = 40;
/** Sends as often, nearly only to channel 2. */
export const ELSEWHERE = 41;

export const CHANNELS = 40;
export const QUIET_CHANNEL = 40;
export const MOVING_CHANNEL = 39;
export const MOVING_TOPIC = 'moving';
const VIEWERS_CHANNELS = 20;
const TOPICS = 10;
const USERS = 103;
const AT = 1_790_000_000;
const LATEST_UNREAD = 400;

const EVENTS_PER_APPEND = 500;
const APPENDS_AT_ONCE = 20;

export const unreadIn = (size) => Math.min(50_000, Math.floor(size / 2));
export const movedIn = (size) => Math.min(10_000, Math.floor(size / 10));

/** @returns when it is written: what the measurements need to know of it */
export async function writeHistory(folder, size) {
  const store = openLog(folder);
  const everybody = Array.from({ length: USERS - 3 }, (_, index) => index + 4);
  await seedOrganization(store, {
    users: USERS,
    channels: Array.from({ length: CHANNELS }, (_, index) => ({
      name: `channel ${index + 1}`,
      subscribers: everybody.filter((userId) => subscribes(userId, index + 1)),
    })),
  });
  await sendMessages(store, size);
  await flag(store, VIEWER, 'starred', starredIds(size));
  await flag(store, VIEWER, 'read', [[1, size - LATEST_UNREAD]]);
  const lastRead = unreadBelow(size);
  for (const userId of BEHIND) await flag(store, userId, 'read', [[1, lastRead]]);
  await setTopicPolicies(store);
  await react(store, size);
  await store.close();
}

function subscribes(userId, channelId) {
  if (userId === VIEWER) return channelId <= VIEWERS_CHANNELS;
  if (userId === OUTSIDER) return channelId === QUIET_CHANNEL;
  return true;
}

/** Whether the message is one of `total`, evenly spread over the whole history. */
const isOneOf = (index, size, total, offset) => index % Math.floor(size / total) === offset;

/** The message at an index, as in the log; its ID is the index plus one. */
function messageAt(index, size) {
  const one = (total, offset) => isOneOf(index, size, total, offset);
  const of = (senderId, content, more) => ({ senderId, content, client: 'Bench', at: AT + (index >> 4), ...more });
  const text = prose(index).slice(0, 120);
  const sender = 30 + (hash(index, 1) % 70);
  const seen = { channelId: 1 + (hash(index, 2) % VIEWERS_CHANNELS), topic: `topic ${hash(index, 3) % TOPICS}` };
  if (one(movedIn(size), 7)) return of(sender, text, { channelId: MOVING_CHANNEL, topic: MOVING_TOPIC });
  if (one(300, 12)) return of(index % 2 === 0 ? PARTNER : VIEWER, text, { to: [VIEWER, PARTNER] });
  if (one(150, 13)) return of(THIRD, text, { to: [VIEWER, PARTNER, THIRD] });
  if (one(150, 1)) return of(sender, `${text} quokka`, seen);
  if (one(150, 2)) return of(sender, `${text} budget harvest`, seen);
  if (one(200, 5)) return of(sender, text, { channelId: 3, topic: '✔ done' });
  if (one(200, 6)) return of(sender, text, { channelId: 4, topic: 'followed' });
  if (one(200, 8)) return of(sender, `@**User ${VIEWER}** ${text}`, { ...seen, ...mentionOf(VIEWER, text) });
  if (one(200, 9)) return of(sender, `${text} alert`, { ...seen, alerted: [VIEWER] });
  if (one(200, 10)) return of(SELDOM, text, seen);
  if (hash(index, 4) % 400 === 0) return of(sender, text, { channelId: QUIET_CHANNEL, topic: 'quiet' });
  if (hash(index, 5) % 20 === 0)
    return of(sender, text, { to: [sender, 30 + ((sender + 1) % 70)].sort((a, b) => a - b) });
  if (hash(index, 6) % 50 === 0)
    return of(sender, `${text} https://example.org/${index}`, { ...seen, ...linkTo(text, index) });
  // Each of the two words is in a tenth of all messages, never in the same one.
  const word = ['', '', '', '', '', '', '', '', ' budget', ' harvest'][hash(index, 7) % 10];
  const channelId = sender === ELSEWHERE ? 2 : 1 + (hash(index, 8) % (CHANNELS - 1));
  return of(sender, `${text}${word}`, { channelId, topic: seen.topic });
}

function mentionOf(userId, text) {
  const mention = `<span class="user-mention" data-user-id="${userId}">@User ${userId}</span>`;
  return { rendered: `<p>${mention} ${text}</p>`, mentions: [userId] };
}

function linkTo(text, index) {
  const address = `https://example.org/${index}`;
  return { rendered: `<p>${text} <a href="${address}">${address}</a></p>` };
}

async function sendMessages(store, size) {
  let pending = [];
  for (let from = 0; from < size; from += EVENTS_PER_APPEND) {
    const events = [];
    for (let index = from; index < Math.min(size, from + EVENTS_PER_APPEND); index++)
      events.push({ id: randomUUID(), type: 'message.sent.v1', data: messageAt(index, size) });
    pending.push(store.append(streams.messages, 'any', events));
    if (pending.length < APPENDS_AT_ONCE) continue;
    await Promise.all(pending);
    pending = [];
  }
  await Promise.all(pending);
}

const STARRED = 300;
const REACTED = 200;

function starredIds(size) {
  const ids = [];
  for (let index = 0; index < size; index++)
    if (isOneOf(index, size, STARRED, 4) && messageAt(index, size).channelId <= VIEWERS_CHANNELS)
      ids.push([index + 1, index + 1]);
  return ids;
}

/** Last message that may be read so that `unreadIn` messages of channels stay unread. */
function unreadBelow(size) {
  let left = unreadIn(size);
  for (let index = size - 1; index >= 0; index--)
    if (messageAt(index, size).channelId !== undefined && --left === 0) return index;
  return 0;
}

function flag(store, userId, name, ids) {
  const data = { userId, op: 'add', flag: name, ids, at: AT };
  return store.append(streams.flags(userId), 'any', [{ id: randomUUID(), type: 'flags.changed.v1', data }]);
}

function setTopicPolicies(store) {
  const policies = [
    { channelId: 4, topic: 'followed', policy: 3 },
    { channelId: 5, topic: 'topic 1', policy: 1 },
  ];
  const events = policies.map((policy) => ({
    id: randomUUID(),
    type: 'topic-policy.set.v1',
    data: { userId: VIEWER, ...policy, at: AT },
  }));
  return store.append(streams.user(VIEWER), 'any', events);
}

async function react(store, size) {
  const emoji = { emojiName: 'smile', emojiCode: '1f604', reactionType: 'unicode_emoji' };
  for (let index = 0; index < size; index++) {
    if (!isOneOf(index, size, REACTED, 3)) continue;
    const { channelId, topic } = messageAt(index, size);
    if (channelId === undefined || channelId > VIEWERS_CHANNELS) continue;
    const messageId = index + 1;
    const data = { messageId, userId: PARTNER, ...emoji, place: { channelId, topic }, at: AT };
    await store.append(streams.message(messageId), 'none', [{ id: randomUUID(), type: 'reaction.added.v1', data }]);
  }
}
