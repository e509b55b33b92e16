import { earlierIn, type EventOrigin, openEventStore, originOf, type RecordedEvent, visitOf } from '#event-store';
import type { Visit } from '#kernel';
import { scrollback } from '#runtime';
import { until } from '#testing';
import { ApiClient } from '../../support/client.js';
import { later } from '../../support/later.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const CLIENTS: ReadonlySet<string> = new Set(['ScrollbackTest', 'ZulipMobile']);

let server: TestServer;
let ann: ApiClient;

interface Found {
  readonly event: RecordedEvent<object>;
  readonly origin: EventOrigin;
  readonly visit: Visit | undefined;
}

/** All events so far, with where they come from. */
async function recorded(): Promise<Found[]> {
  const found: Found[] = [];
  await server.restart(async () => {
    const store = await openEventStore(server.eventStoreUrl, scrollback.registry);
    try {
      for await (const page of store.readAll({}))
        for (const event of page as readonly RecordedEvent<object>[]) {
          const origin = originOf(event);
          const visit = origin.visit === undefined ? undefined : await visitOf(store, origin.visit);
          found.push({ event, origin, visit });
        }
    } finally {
      await store.close();
    }
  });
  return found;
}

const ofType = (found: readonly Found[], type: string): Found[] => found.filter(({ event }) => event.type === type);

beforeAll(async () => {
  server = await startTestServer();
  ann = await server.user('Ann');
});
afterAll(() => server.stop());

test('an event says who acts, with which client and key, from where and in which request', async () => {
  const phone = ann.as('ZulipMobile/30.0.1 (Android 14)');
  const message = { type: 'direct', to: [ann.userId], content: 'hi' };
  const { headers } = await phone.call('POST', '/messages', message);
  const [sent] = ofType(await recorded(), 'message.sent.v1').slice(-1);
  expect(sent?.origin.by).toEqual({ kind: 'user', userId: ann.userId });
  expect(sent?.visit).toEqual({
    client: 'ZulipMobile',
    version: '30.0.1',
    session: 'k1',
    address: '127.0.0.0',
    requests: expect.any(String) as string,
  });
  expect(`${sent?.visit?.requests}-${sent?.origin.request}`).toBe(headers.get('x-request-id'));
});

test('what follows from an event names it', async () => {
  const [other, channel] = [await server.user('Other'), 'causes'];
  await ann.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: channel }],
    principals: [ann.userId, other.userId],
  });
  await ann.send(channel, 'before', 'here');
  const messageId = await ann.send(channel, 'before', 'here');
  await ann.ok('PATCH', `/messages/${messageId}`, { topic: 'after', send_notification_to_new_thread: true });
  const found = await recorded();
  const [moved] = ofType(found, 'messages.moved.v1');
  const notices = ofType(found, 'message.sent.v1').filter(({ origin }) => origin.by.kind === 'server');
  expect(moved?.visit?.client).toBe('ScrollbackTest');
  expect(notices.map(({ origin }) => origin.cause)).toContain(`${moved?.event.stream}@${moved?.event.revision}`);
});

test('a message that was scheduled leads to who scheduled it', async () => {
  await ann.ok('POST', '/scheduled_messages', {
    type: 'direct',
    to: [ann.userId],
    content: 'later',
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3_600,
  });
  const isSent = async (): Promise<boolean> => {
    const { messages } = await ann.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    return (messages as { content: string }[])[0]?.content.includes('later') === true;
  };
  await later(3_601, () => until(isSent));
  const found = await recorded();
  const at = (place: string | undefined): Found | undefined =>
    found.find(({ event }) => `${event.stream}@${event.revision}` === place);
  const [sent] = ofType(found, 'message.sent.v1').slice(-1);
  const due = at(sent?.origin.cause);
  const added = at(due?.origin.cause);
  expect([due?.event.type, added?.event.type]).toEqual(['scheduled-message.due.v1', 'scheduled-message.added.v1']);
  expect(added?.origin.by).toEqual({ kind: 'user', userId: ann.userId });
});

test('every event of the story says who acts, and what people and bots do is in a request', async () => {
  const bot = await ann.ok('POST', '/bots', { full_name: 'Robot', short_name: 'robot', bot_type: 1 });
  const { user } = await ann.ok('GET', `/users/${bot.user_id}`);
  const robot = new ApiClient(() => server.url, user.email as string, bot.api_key as string);
  await robot.sendTo([ann], 'beep');
  const found = await recorded();
  for (const { event, origin, visit } of found) {
    const { by } = origin;
    expect([event.type, by.kind]).not.toEqual([event.type, 'unknown']);
    if (by.kind === 'server' || by.kind === 'operator') continue;
    const isKnown = CLIENTS.has(visit?.client ?? '') && origin.request !== undefined;
    expect([event.type, isKnown]).toEqual([event.type, true]);
  }
  const kinds = new Set(found.map(({ origin }) => origin.by.kind));
  expect([...kinds].sort()).toEqual(['bot', 'operator', 'server', 'user']);
});

test('a change says what there was', async () => {
  const { owner } = server;
  await owner.ok('PATCH', '/realm', { description: 'one' });
  await owner.ok('PATCH', '/realm', { description: 'two', can_create_groups: { new: 2 } });
  await owner.ok('PATCH', `/users/${ann.userId}`, { full_name: 'Ann Other' });
  await ann.ok('PATCH', '/settings', { twenty_four_hour_time: true });
  await ann.subscribe('before');
  const { stream_id: channelId } = await ann.ok('GET', '/get_stream_id', { stream: 'before' });
  await ann.ok('POST', '/user_topics', { stream_id: channelId, topic: 'x', visibility_policy: 3 });
  await ann.ok('POST', '/user_topics', { stream_id: channelId, topic: 'x', visibility_policy: 1 });
  await ann.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channelId, property: 'is_muted', value: true }],
  });
  const { group_id: groupId } = await owner.ok('POST', '/user_groups/create', {
    name: 'cooks',
    description: 'soup',
    members: [ann.userId],
  });
  await owner.ok('PATCH', `/user_groups/${groupId}`, { description: 'bread' });
  await owner.ok('POST', '/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://a.test/{id}' });
  await owner.ok('DELETE', '/realm/filters/1');
  const found = await recorded();
  const was = (type: string) => {
    const [last] = ofType(found, type).slice(-1);
    return last && earlierIn(last.event);
  };
  expect(was('organization.settings-changed.v1')).toMatchObject({
    settings: { description: 'one' },
    permissions: { can_create_groups: expect.anything() as unknown },
  });
  expect(was('user.changed.v1')).toEqual({ fullName: 'Ann' });
  expect(was('user-settings.changed.v1')).toEqual({ settings: { twenty_four_hour_time: false } });
  expect(was('topic-policy.set.v1')).toEqual({ policy: 3 });
  expect(was('subscription.settings-changed.v1')).toEqual({
    changes: [{ channelId, setting: 'is_muted', value: false }],
  });
  expect(was('group.changed.v1')).toEqual({ description: 'soup' });
  expect(was('linkifier.removed.v1')).toMatchObject({ pattern: '#(?P<id>[0-9]+)' });
  expect(was('message.sent.v1')).toBeUndefined();
});

test('and so do changes of what a user plans, and of what a bot keeps', async () => {
  const NEXT_CENTURY = 4_102_444_800;
  const draft = { type: 'private', to: [ann.userId], topic: '', content: 'hello', timestamp: 1 };
  const { ids } = await ann.ok('POST', '/drafts', { drafts: [draft, { ...draft, content: 'long '.repeat(1800) }] });
  await ann.ok('PATCH', `/drafts/${ids[0]}`, { draft: { ...draft, content: 'hello again' } });
  for (const id of ids) await ann.ok('DELETE', `/drafts/${id}`);
  const planned = { type: 'direct', to: [ann.userId], content: 'later', scheduled_delivery_timestamp: NEXT_CENTURY };
  const { scheduled_message_id: scheduledId } = await ann.ok('POST', '/scheduled_messages', planned);
  await ann.ok('PATCH', `/scheduled_messages/${scheduledId}`, { content: 'much later' });
  await ann.ok('DELETE', `/scheduled_messages/${scheduledId}`);
  const message_id = await ann.sendTo([ann], 'a note');
  const reminder = { message_id, note: 'why', scheduled_delivery_timestamp: NEXT_CENTURY };
  const { reminder_id: reminderId } = await ann.ok('POST', '/reminders', reminder);
  await ann.ok('DELETE', `/reminders/${reminderId}`);
  const bot = await ann.ok('POST', '/bots', { full_name: 'Keeper', short_name: 'keeper', bot_type: 1 });
  const { user } = await ann.ok('GET', `/users/${bot.user_id}`);
  const keeper = new ApiClient(() => server.url, user.email as string, bot.api_key as string);
  await keeper.ok('PUT', '/bot_storage', { storage: { a: 'one', b: 'x'.repeat(2000) } });
  await keeper.ok('PUT', '/bot_storage', { storage: { a: 'two', c: 'new' } });
  await keeper.ok('DELETE', '/bot_storage', { keys: ['a', 'b'] });
  const found = await recorded();
  const was = (type: string) => ofType(found, type).map(({ event }) => earlierIn(event));
  const hash = { bytes: expect.any(Number), sha256: expect.stringMatching(/^[\da-f]{64}$/) };
  expect(was('draft.changed.v1')).toMatchObject([{ draft: { content: 'hello' } }]);
  expect(was('draft.removed.v1')).toEqual([
    { draft: expect.objectContaining({ content: 'hello again' }) },
    { draft: hash },
  ]);
  expect(was('scheduled-message.changed.v1')).toMatchObject([{ message: { content: 'later' } }]);
  expect(was('scheduled-message.removed.v1')).toMatchObject([{ message: { content: 'much later' } }]);
  expect(was('reminder.removed.v1')).toMatchObject([{ reminder: { messageId: message_id, note: 'why' } }]);
  expect(was('bot-storage.set.v1')).toEqual([{ values: { a: null, b: null } }, { values: { a: 'one', c: null } }]);
  expect(was('bot-storage.removed.v1')).toEqual([{ values: { a: 'two', b: hash } }]);
});
