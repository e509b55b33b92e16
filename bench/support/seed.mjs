// Writes an organization directly to a log, since creating ten thousand accounts over HTTP would measure argon2.
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteEventStore, streams } from '#event-store';
import { newChannel } from '#channels/model';
import { SYSTEM_GROUPS } from '#groups/model';
import { ApiKeys } from '#users';
import { basic } from './raw-client.mjs';
import { registry } from './registry.mjs';

export const SECRET = 'the secret of the bench, long enough to be one';
const AT = 1_790_000_000;
/** One append holds at most one mebibyte. */
const BATCH_LENGTH = 300_000;
const keys = new ApiKeys(SECRET);

const emailOf = (userId) => `user${userId}@bench.test`;

/** The Authorization header of a seeded user. */
export const authorizationOf = (userId) => basic(emailOf(userId), keys.keyOf(userId, 1));

export function openLog(dataDir) {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'secret.key'), SECRET);
  return SqliteEventStore.open(join(dataDir, 'events.db'), registry);
}

/** @param channels by channel: its name, its subscribers, and what differs from a new channel */
export async function seedOrganization(store, { users, channels }) {
  const events = [
    { type: 'organization.created.v1', data: { uuid: randomUUID(), name: 'Bench', at: AT, groups: SYSTEM_GROUPS } },
    ...Array.from({ length: users }, (_, index) => userEvents(index + 1)).flat(),
    ...channels.flatMap((channel, index) => channelEvents(index + 1, channel)),
  ];
  let revision = 'none';
  let batch = [];
  let length = 0;
  const flush = async () => {
    if (batch.length > 0) revision = (await store.append(streams.organization, revision, batch)).lastRevision;
    batch = [];
    length = 0;
  };
  for (const event of events) {
    batch.push({ id: randomUUID(), ...event });
    length += JSON.stringify(event.data).length;
    if (length > BATCH_LENGTH) await flush();
  }
  await flush();
}

/** Records sends of all users in turn to all channels in turn, as the server would. */
export async function seedMessages(store, { count, users, channels, contentOf }) {
  let pending = [];
  for (let index = 0; index < count; index++) {
    const data = {
      senderId: (index % users) + 1,
      channelId: (index % channels) + 1,
      topic: `topic ${index % 97}`,
      content: contentOf(index),
      client: 'Bench',
      at: AT + Math.floor(index / 10),
    };
    pending.push(store.append(streams.messages, 'any', [{ id: randomUUID(), type: 'message.sent.v1', data }]));
    if (pending.length === 1000) {
      await Promise.all(pending);
      pending = [];
    }
  }
  await Promise.all(pending);
}

const systemBots = { 1: 'notification', 2: 'welcome', 3: 'email-gateway' };

function userEvents(userId) {
  const systemBot = systemBots[userId];
  const data = {
    userId,
    email: emailOf(userId),
    fullName: `User ${userId}`,
    role: userId === 4 ? 100 : 400,
    botType: systemBot === undefined ? null : 1,
    botOwnerId: null,
    timezone: '',
    at: AT,
    ...(systemBot === undefined ? {} : { systemBot }),
  };
  const hash = keys.hashOf(keys.keyOf(userId, 1));
  return [
    { type: 'user.created.v1', data },
    { type: 'user.api-key-issued.v1', data: { userId, generation: 1, hash, at: AT } },
  ];
}

function channelEvents(channelId, { name, subscribers, ...more }) {
  const created = newChannel({ channelId, name, creatorId: 4, at: AT, ...more });
  const subscribed = {
    channelId,
    subscribers: subscribers.map((userId) => ({ userId, color: '#76ce90' })),
    by: null,
    at: AT,
  };
  return [created, ...(subscribers.length === 0 ? [] : [{ type: 'channel.subscribed.v1', data: subscribed }])];
}
