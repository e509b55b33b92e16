/** Push notifications of new messages, through a push service on a socket. */
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '#testing';
import type { ApiClient } from '../../support/client.js';
import { later } from '../../support/later.js';
import { channelOf } from '../../support/people.js';
import { json, jsonError, PushBouncer, type PushRequest } from '../../support/push-bouncer.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { loadSodium } from '../../support/sodium.js';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

let sodium: any;
let bouncer: PushBouncer;
let server: TestServer;
let ann: ApiClient, ben: ApiClient, cleo: ApiClient;
let keys: { publicKey: Uint8Array; privateKey: Uint8Array };
let channelId: number;
const lines: string[] = [];

beforeAll(async () => {
  sodium = await loadSodium();
  keys = sodium.crypto_box_keypair();
  bouncer = await PushBouncer.start();
  server = await startTestServer({ PUSH_BOUNCER_URL: bouncer.url }, (line) => lines.push(line));
  ann = await server.user('Ann Archer');
  ben = await server.user('Ben Baker');
  cleo = await server.user('Cleo Cole');
  channelId = await channelOf('kitchen', ann, ben, cleo);
  await ben.ok('POST', '/mobile_push/register', {
    token_kind: 'fcm',
    push_account_id: 7,
    push_public_key: base64(keys.publicKey),
    bouncer_public_key: base64(Buffer.alloc(32, 9)),
    encrypted_push_registration: base64(Buffer.alloc(100, 7)),
  });
  await until(() => bouncer.devices.length === 1);
  await until(async () => {
    const { state } = await ben.register({ event_types: [], fetch_event_types: ['push_device'] });
    return state.push_devices[7].status === 'active';
  });
  await cleo.ok('POST', '/users/me/apns_device_token', { token: 'ab'.repeat(32), appid: 'org.chat.App' });
});
afterAll(async () => {
  await server.stop();
  await bouncer.stop();
});
afterEach(() => {
  bouncer.answering = undefined;
  bouncer.taken.clear();
});

/** What a device of Ben's reads, and what Cleo's is told in the clear. */
const payloadOf = ({ path, body }: PushRequest): any => {
  if (!path.includes('/e2ee/')) return { ...body.gcm_payload, to: body.user_id };
  const sealed = Buffer.from(body.push_requests[0].payload.encrypted_data, 'base64');
  return JSON.parse(sodium.crypto_box_seal_open(sealed, keys.publicKey, keys.privateKey, 'text'));
};
const told = (): any[] => [...bouncer.taken.values()].map(payloadOf);
const untilTold = async (count: number): Promise<any[]> => {
  await until(() => bouncer.taken.size >= count);
  return told();
};
/** A message after which everything before it has been considered. */
const settle = async (): Promise<void> => {
  const id = await ann.sendTo([ben], 'the end');
  await until(() => told().some(({ message_id }) => message_id === id));
};

test('a direct message and a mention are told, encrypted or in the clear; other messages are not', async () => {
  await ann.send('kitchen', 'soup', 'nothing for anybody');
  const direct = await ann.sendTo([ben, cleo], 'Hello *both*');
  const mention = await ann.send('kitchen', 'soup', 'for @**Ben Baker**');
  await until(() => told().length >= 3);
  const all = told();
  expect(all).toHaveLength(3);
  expect(all.find(({ message_id }) => message_id === direct)).toEqual({
    type: 'message',
    realm_url: server.url,
    realm_name: 'Scrollback',
    user_id: ben.userId,
    message_id: direct,
    sender_id: ann.userId,
    sender_full_name: 'Ann Archer',
    recipient_type: 'direct',
    recipient_user_ids: [ann.userId, ben.userId, cleo.userId].sort((a, b) => a - b),
    trigger: 'direct_message',
    content: 'Hello *both*',
    time: expect.any(Number),
  });
  expect(all.find(({ message_id }) => message_id === mention)).toMatchObject({
    recipient_type: 'channel',
    channel_id: channelId,
    channel_name: 'kitchen',
    topic: 'soup',
    trigger: 'mentioned',
  });
  expect(all.find(({ to }) => to === cleo.userId)).toMatchObject({
    event: 'message',
    zulip_message_id: direct,
    recipient_type: 'private',
    content: 'Hello *both*',
    sender_full_name: 'Ann Archer',
  });
  const { body, key } = [...bouncer.taken.values()].find(({ path }) => !path.includes('/e2ee/'))!;
  expect(key).toBe(`m${direct}:${cleo.userId}:plain`);
  expect(body).toMatchObject({
    apple_devices: [{ token: 'ab'.repeat(32), ios_app_id: 'org.chat.App' }],
    android_devices: [],
  });
});

test('settings of the user, the channel and the organization decide', async () => {
  await ben.ok('PATCH', '/settings', { enable_offline_push_notifications: false });
  await ann.sendTo([ben], 'not told');
  await ben.ok('PATCH', '/settings', { enable_offline_push_notifications: true });
  const property = { stream_id: channelId, property: 'push_notifications', value: true };
  await ben.ok('POST', '/users/me/subscriptions/properties', { subscription_data: [property] });
  const inChannel = await ann.send('kitchen', 'plain', 'told by the channel');
  await ben.ok('POST', '/user_topics', { stream_id: channelId, topic: 'quiet', visibility_policy: 1 });
  await ann.send('kitchen', 'quiet', 'muted');
  await ben.ok('POST', '/users/me/subscriptions/properties', { subscription_data: [{ ...property, value: false }] });
  await ben.ok('POST', '/user_topics', { stream_id: channelId, topic: 'loud', visibility_policy: 3 });
  const followed = await ann.send('kitchen', 'loud', 'followed');
  await ben.ok('POST', `/users/me/muted_users/${cleo.userId}`);
  await cleo.sendTo([ben], 'not told either');
  await ben.ok('DELETE', `/users/me/muted_users/${cleo.userId}`);
  await ben.ok('POST', '/users/me/presence', { status: 'active', ping_only: true });
  await ben.ok('PATCH', '/settings', { enable_online_push_notifications: false });
  await ann.sendTo([ben], 'online');
  await ben.ok('PATCH', '/settings', { enable_online_push_notifications: true });
  await server.owner.ok('PATCH', '/realm', { require_e2ee_push_notifications: true });
  const hidden = await ann.sendTo([cleo], 'a secret');
  await until(() => told().some(({ zulip_message_id: id }) => id === hidden));
  await settle();
  await server.owner.ok('PATCH', '/realm', { require_e2ee_push_notifications: false });
  const contents = told().map(({ content, trigger, message_id }) => [content, trigger, message_id]);
  expect(contents).toEqual(
    expect.arrayContaining([
      ['told by the channel', 'stream', inChannel],
      ['followed', 'followed_topic', followed],
      ['New message', 'direct_message', undefined],
    ]),
  );
  expect(contents).toHaveLength(4);
});

test('what was read is not told, and vanishes where it was', async () => {
  const shown = await ann.sendTo([ben, cleo], 'shown');
  await untilTold(2);
  bouncer.taken.clear();
  for (const reader of [ben, cleo])
    await reader.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [shown] });
  await until(() => told().some(({ type, message_ids: ids }) => type === 'remove' && ids.includes(shown)));
  await until(() => told().some(({ event, zulip_message_ids: ids }) => event === 'remove' && ids === String(shown)));
  bouncer.taken.clear();
  bouncer.answering = (_, response) => jsonError(response, 503, 'X');
  const before = bouncer.requests.length;
  const read = await ann.sendTo([ben], 'read before');
  await until(() => bouncer.requests.length > before);
  await ben.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [read] });
  bouncer.answering = undefined;
  await later(30, settle);
  expect(told().map(({ content }) => content)).not.toContain('read before');
});

test('a mention of somebody who is not subscribed is not told once it was taken out of the message', async () => {
  await channelOf('attic', ann);
  bouncer.taken.clear();
  bouncer.answering = (_, response) => jsonError(response, 503, 'X');
  const before = bouncer.requests.length;
  const called = await ann.send('attic', 'plans', `@**${ben.fullName}** by mistake`);
  await until(() => bouncer.requests.length > before);
  await ann.ok('PATCH', `/messages/${called}`, { content: 'for nobody' });
  bouncer.answering = undefined;
  await later(30, settle);
  expect(told().map(({ message_id }) => message_id)).not.toContain(called);
});

test('what is deleted or moved out of sight vanishes where it was', async () => {
  const removed = async (id: number): Promise<void> => {
    await until(() => told().some(({ type, message_ids: ids }) => type === 'remove' && ids.includes(id)));
  };
  const deleted = await server.owner.sendTo([ben], 'soon deleted');
  await until(() => told().some(({ message_id }) => message_id === deleted));
  await server.owner.ok('DELETE', `/messages/${deleted}`);
  await removed(deleted);
  const closed = await channelOf('pantry', ann);
  await server.owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'pantry' }] });
  await server.owner.ok('PATCH', `/streams/${closed}`, { is_private: true });
  const moved = await ann.send('kitchen', 'plans', `@**${ben.fullName}** look`);
  await until(() => told().some(({ message_id }) => message_id === moved));
  await server.owner.ok('PATCH', `/messages/${moved}`, { stream_id: closed, propagate_mode: 'change_one' });
  await removed(moved);
});

test('a push service that is away, stalls or answers nonsense is told later, once; no request waits', async () => {
  const attempts: NonNullable<PushBouncer['answering']>[] = [
    (_, response) => response.destroy(),
    (_, response) => response.end('<html>'),
    (_, response) => jsonError(response, 429, 'RATE_LIMIT_HIT'),
  ];
  const tried = new Map<string | undefined, number>();
  bouncer.answering = (request, response) => {
    const count = tried.get(request.key) ?? 0;
    tried.set(request.key, count + 1);
    attempts[count % attempts.length]?.(request, response);
  };
  const key = `m${await ann.sendTo([ben], 'in spite of all')}:${ben.userId}`;
  const triedAgain = (count: number): boolean => (tried.get(key) ?? 0) >= count;
  await until(() => triedAgain(1));
  await later(60, () => until(() => triedAgain(2)));
  await server.restart();
  await later(240, () => until(() => triedAgain(3)));
  const { port } = bouncer;
  await bouncer.stop();
  bouncer = await PushBouncer.start(port);
  // The last failure may be recorded at the next time to which the clock is set, and the attempt after it is due later still.
  for (let seconds = 20_000; !bouncer.taken.has(key); seconds *= 2) await later(seconds, () => pause(1_000));
  expect(bouncer.requests.filter((request) => request.key === key)).toHaveLength(1);
  const stalled: { destroy(): unknown }[] = [];
  bouncer.answering = (_, response) => void stalled.push(response);
  await ann.sendTo([ben], 'stalled');
  await until(() => stalled.length === 1);
  const { messages } = await ben.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
  expect(messages[0].content).toBe('<p>stalled</p>');
  bouncer.answering = undefined;
  for (const response of stalled) response.destroy();
  expect(lines.join('')).not.toMatch(/in spite of all|Hello|ababab/);
});

test('devices that are gone are forgotten', async () => {
  bouncer.answering = (request, response) => {
    bouncer.taken.set(String(request.key), request);
    json(response, {
      delete_device_ids: [1],
      deleted_devices: { android_devices: [], apple_devices: ['ab'.repeat(32)] },
    });
  };
  await ann.sendTo([ben, cleo], 'last');
  await untilTold(2);
  await until(async () => {
    const { state } = await ben.register({ event_types: [], fetch_event_types: ['push_device'] });
    return state.push_devices[7].status === 'failed';
  });
  await until(async () => {
    const { status } = await cleo.call('DELETE', '/users/me/apns_device_token', { token: 'ab'.repeat(32) });
    return status === 400;
  });
});
