// Writes an organization in which every route has a worst input: topics of every size, one member with the maximum of
// everything, and words that are in nearly every message.
import { randomUUID } from 'node:crypto';
import { streams } from '#event-store';
import { hash } from './hash.mjs';
import { openLog, seedOrganization } from './seed.mjs';

/** Has the maximum of everything that an ordinary member can have. */
export const WORST = 10;
/** The member whose requests are timed during the worst requests. */
export const OBSERVER = 11;
/** Subscribed to one channel with few messages: their searches go far back. */
export const QUIET = 12;
/** Writes the large messages. */
const WRITER = 13;

export const CHANNELS = 1_000;
export const USERS = 10_000;
/** By their contents. */
export const CHANNEL = {
  observed: 1,
  crowded: 2,
  /** The first of twenty with the traffic of a hundred users. */
  common: 3,
  topics: 23,
  protected: 24,
  moving: 25,
  large: 26,
  quiet: 27,
  /** These are empty. */
  empty: 28,
};
const COMMON_CHANNELS = 20;
const PEOPLE_FIRST = 100;
const PEOPLE = 100;

const STARRED_EVERY = 5;
const POLICIES = 5_000;
const CONVERSATIONS = 5_000;
const LARGE_MESSAGES = 675;
const LARGE_LENGTH = 10_000;

/** Each is in one of three messages; none is a stop word. */
export const FREQUENT_WORDS = (
  'apple bread chair dance earth flute grape house island juice kitten lemon mango night ocean paper queen river ' +
  'stone table umbrella violin water xylophone yellow zebra anchor bridge candle desert engine forest'
).split(' ');

const EVENTS_PER_APPEND = 500;
const APPENDS_AT_ONCE = 20;

/** A day ago: nothing is too old to be moved or edited. */
const AT = Math.floor(Date.now() / 1000) - 86_400;

export async function writeWorstHistory(folder, size) {
  const store = openLog(folder);
  const everybody = Array.from({ length: USERS - 3 }, (_, index) => index + 4);
  await seedOrganization(store, {
    users: USERS,
    channels: Array.from({ length: CHANNELS }, (_, index) => ({
      name: `channel ${index + 1}`,
      subscribers: subscribersOf(index + 1, everybody),
      ...(index + 1 === CHANNEL.protected ? { inviteOnly: true, historyPublicToSubscribers: false } : {}),
    })),
  });
  await sendMessages(store, size);
  // A separate append for each: together they are too large.
  for (const fact of starred(size)) await append(store, streams.flags(WORST), [fact]);
  await append(store, streams.user(WORST), policies());
  await store.close();
}

function subscribersOf(channelId, everybody) {
  if (channelId === CHANNEL.observed) return [WORST, OBSERVER];
  if (channelId === CHANNEL.crowded) return everybody;
  if (channelId === CHANNEL.quiet) return [WORST, QUIET];
  return [WORST, WRITER];
}

/** A third of the frequent words, a different third for each number. */
function text(index) {
  let words = `Message ${index}`;
  for (let word = index % 3; word < FREQUENT_WORDS.length; word += 3) words += ` ${FREQUENT_WORDS[word]}`;
  return words;
}

/** As long as a message may be, of words that no other message has. */
function largeText(index) {
  let words = '';
  for (let word = 0; words.length < LARGE_LENGTH - 10; word++) words += `w${hash(index, word).toString(36)} `;
  return words;
}

/** Number of messages in the topics that are moved, for a history of this size. */
export const topicSizes = (size) => ({
  huge: Math.floor(size / 10),
  moving: Math.floor(size / 100),
  protected: Math.floor(size / 25),
  large: LARGE_MESSAGES,
});

/** The message at an index, as in the log; its ID is the index plus one. Every tenth is in one topic. */
function messageAt(index, size) {
  const sender = PEOPLE_FIRST + (hash(index, 1) % PEOPLE);
  const of = (place, more) => ({
    senderId: sender,
    content: text(index),
    client: 'Bench',
    at: AT + Math.floor((index * 3600) / size),
    ...place,
    ...more,
  });
  const to = (channelId, topic) => ({ channelId, topic });
  if (index % 10 === 0) return of(to(CHANNEL.moving, 'huge'));
  if (index % 100 === 1) return of(to(CHANNEL.moving, 'moving'));
  if (index % 25 === 2) return of(to(CHANNEL.protected, 'all of it'));
  if (index % 100 === 3) return of(to(CHANNEL.topics, `topic ${Math.floor(index / 100)}`));
  if (index % 200 === 4)
    return of({ to: [WORST, PEOPLE_FIRST + PEOPLE + (Math.floor(index / 200) % CONVERSATIONS)].sort((a, b) => a - b) });
  if (index % 50 === 5) return of(to(CHANNEL.crowded, 'mentions'), mentionOf(WORST, index));
  if (index % Math.floor(size / LARGE_MESSAGES) === 7)
    return of(to(CHANNEL.large, 'large'), { senderId: WRITER, content: largeText(index) });
  if (index % 5_000 === 8) return of(to(CHANNEL.quiet, 'quiet'));
  return of(to(CHANNEL.crowded + (hash(index, 2) % (COMMON_CHANNELS + 1)), `topic ${hash(index, 3) % 10}`));
}

function mentionOf(userId, index) {
  const mention = `<span class="user-mention" data-user-id="${userId}">@User ${userId}</span>`;
  return {
    content: `@**User ${userId}** ${text(index)}`,
    rendered: `<p>${mention} ${text(index)}</p>`,
    mentions: [userId],
  };
}

async function sendMessages(store, size) {
  let pending = [];
  for (let from = 0; from < size; from += EVENTS_PER_APPEND) {
    const events = [];
    for (let index = from; index < Math.min(size, from + EVENTS_PER_APPEND); index++)
      events.push({ type: 'message.sent.v1', data: messageAt(index, size) });
    // Large messages fill an append sooner.
    for (const part of inParts(events)) pending.push(append(store, streams.messages, part));
    if (pending.length < APPENDS_AT_ONCE) continue;
    await Promise.all(pending);
    pending = [];
  }
  await Promise.all(pending);
}

function* inParts(events) {
  for (let from = 0; from < events.length; from += 100) yield events.slice(from, from + 100);
}

function append(store, stream, events) {
  return store.append(
    stream,
    'any',
    events.map((event) => ({ id: randomUUID(), ...event })),
  );
}

function starred(size) {
  const facts = [];
  for (let from = 1; from <= size; from += 20_000 * STARRED_EVERY) {
    const ids = [];
    for (let id = from; id < Math.min(size, from + 20_000 * STARRED_EVERY); id += STARRED_EVERY) ids.push([id, id]);
    facts.push({
      type: 'flags.changed.v1',
      data: { userId: WORST, op: 'add', flag: 'starred', ids, at: AT },
    });
  }
  return facts;
}

/** Every second topic is muted, and the others are followed. */
function policies() {
  return Array.from({ length: POLICIES }, (_, index) => ({
    type: 'topic-policy.set.v1',
    data: { userId: WORST, channelId: CHANNEL.topics, topic: `topic ${index}`, policy: 1 + 2 * (index % 2), at: AT },
  }));
}
