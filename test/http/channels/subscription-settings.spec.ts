import { expectRefusal } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

const MODERN = { client_capabilities: { notification_settings_null: true } };
const SWITCHES = [
  'is_muted',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
];

let server: TestServer;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let lunch: number;
let dinner: number;
let secret: number;
let guest: ApiClient;

beforeAll(async () => {
  let owner: ApiClient;
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  lunch = await channelOf('lunch', ann, ben);
  dinner = await channelOf('dinner', ann);
  await ben.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], invite_only: true });
  secret = (await ben.ok('GET', '/get_stream_id', { stream: 'secret' })).stream_id;
  guest = await server.user('Gail Guest');
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'lunch' }],
    principals: [guest.userId],
  });
  await owner.ok('PATCH', `/users/${guest.userId}`, { role: 600 });
});
afterAll(() => server.stop());

const subscriptionOf = async (client: ApiClient, channelId: number): Promise<any> =>
  (await client.ok('GET', '/users/me/subscriptions')).subscriptions.find(
    ({ stream_id }: any) => stream_id === channelId,
  );
const setAll = (client: ApiClient, subscription_data: readonly object[]) =>
  client.call('POST', '/users/me/subscriptions/properties', { subscription_data });
const set = (client: ApiClient, channelId: number, property: string, value: unknown) =>
  client.call('PATCH', `/users/me/subscriptions/${channelId}`, { property, value });
const toldTo = async (queue: TestQueue): Promise<any[]> => {
  const events = await queue.pending();
  return events.map(({ id: _, ...event }) => event);
};
const updated = (stream_id: number, property: string, value: unknown) => {
  return { type: 'subscription', op: 'update', stream_id, property, value };
};

describe('one setting', () => {
  test.each(SWITCHES.slice(1))('%s is switched off and on, and told to the subscriber alone', async (property) => {
    const [mine, others] = [await ann.register(MODERN), await ben.register(MODERN)];
    for (const value of [false, true, false]) {
      const { body, status } = await set(ann, lunch, property, value);
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
      expect((await subscriptionOf(ann, lunch))[property]).toBe(value);
    }
    const values = property === 'pin_to_top' ? [true, false] : [false, true, false];
    expect(await toldTo(mine)).toEqual(values.map((value) => updated(lunch, property, value)));
    expect(await toldTo(others)).toEqual([]);
    expect((await subscriptionOf(ben, lunch))[property]).toBe(property === 'pin_to_top' ? false : null);
  });

  test.each([
    ['is_muted', true],
    ['in_home_view', true],
    ['in_home_view', false],
    ['is_muted', false],
  ])('%s %j is told in both forms', async (property, value) => {
    const queue = await ann.register(MODERN);
    expect((await set(ann, lunch, property, value)).status).toBe(200);
    const isMuted = property === 'is_muted' ? value : !value;
    expect(await subscriptionOf(ann, lunch)).toMatchObject({ is_muted: isMuted, in_home_view: !isMuted });
    expect(await toldTo(queue)).toEqual([
      updated(lunch, 'in_home_view', !isMuted),
      updated(lunch, 'is_muted', isMuted),
    ]);
  });

  test.each([
    ['#AbCdEf', '#abcdef'],
    ['#1234', '#112233'],
    ['#F0a', '#ff00aa'],
    ['"#012345"', '#012345'],
  ])('colour %s is kept as %s', async (value, kept) => {
    const queue = await ann.register(MODERN);
    expect((await set(ann, lunch, 'color', value)).status).toBe(200);
    expect((await subscriptionOf(ann, lunch)).color).toBe(kept);
    expect(await toldTo(queue)).toEqual([updated(lunch, 'color', kept)]);
  });

  test('as it is already changes nothing and tells nothing', async () => {
    const queue = await ann.register(MODERN);
    const { color } = await subscriptionOf(ann, lunch);
    expect((await set(ann, lunch, 'color', color.toUpperCase())).status).toBe(200);
    expect(await toldTo(queue)).toEqual([]);
  });

  test('guests have settings too', async () => {
    expect((await set(guest, lunch, 'pin_to_top', true)).status).toBe(200);
    expect((await subscriptionOf(guest, lunch)).pin_to_top).toBe(true);
  });
});

describe('many settings', () => {
  test('of several channels, in their order', async () => {
    const queue = await ann.register(MODERN);
    const answer = await setAll(ann, [
      { stream_id: dinner, property: 'pin_to_top', value: true },
      { stream_id: lunch, property: 'color', value: '#123' },
      { stream_id: dinner, property: 'in_home_view', value: false },
    ]);
    expect([answer.status, answer.body]).toEqual([200, { result: 'success', msg: '' }]);
    expect(await toldTo(queue)).toEqual([
      updated(dinner, 'pin_to_top', true),
      updated(lunch, 'color', '#112233'),
      updated(dinner, 'in_home_view', false),
      updated(dinner, 'is_muted', true),
    ]);
    expect(await subscriptionOf(ann, dinner)).toMatchObject({ pin_to_top: true, is_muted: true });
  });

  test.each([
    ['an unknown property', { property: 'size', value: true }],
    ['a bad colour', { property: 'color', value: 'red' }],
    ['a number for a switch', { property: 'is_muted', value: 1 }],
    ['null for a switch', { property: 'push_notifications', value: null }],
    ['no value', { property: 'is_muted' }],
    ['no property', { value: true }],
    ['a channel without a subscription', { stream_id: 1_000_000, property: 'is_muted', value: true }],
    ['an ID that is none', { stream_id: '1', property: 'is_muted', value: true }],
  ])('with %s are refused, and none is changed', async (_, wrong) => {
    const queue = await ann.register(MODERN);
    const before = await subscriptionOf(ann, lunch);
    const answer = await setAll(ann, [
      { stream_id: lunch, property: 'pin_to_top', value: !before.pin_to_top },
      { stream_id: lunch, ...wrong },
    ]);
    expectRefusal(answer, 'BAD_REQUEST');
    expect(await subscriptionOf(ann, lunch)).toEqual(before);
    expect(await toldTo(queue)).toEqual([]);
  });

  test('must be there', async () => {
    const answer = await ann.call('POST', '/users/me/subscriptions/properties');
    expect(expectRefusal(answer, 'REQUEST_VARIABLE_MISSING').var_name).toBe('subscription_data');
    const malformed = await ann.call('POST', '/users/me/subscriptions/properties', { subscription_data: '[' });
    expectRefusal(malformed, 'REQUEST_VARIABLE_INVALID');
  });
});

test('a private channel is refused as an unknown one is, and a public one by its name', async () => {
  const refusals = [await set(ann, secret, 'is_muted', true), await set(ann, 1_000_000, 'is_muted', true)];
  expect(refusals.map((answer) => expectRefusal(answer, 'BAD_REQUEST').msg)).toEqual(
    Array(2).fill('Invalid channel ID'),
  );
  const listed = [secret, 1_000_000].map((stream_id) =>
    setAll(ann, [{ stream_id, property: 'is_muted', value: true }]),
  );
  expect((await Promise.all(listed)).map(({ body }) => body)).toEqual(refusals.map(({ body }) => body));
  expect(expectRefusal(await set(cleo, lunch, 'is_muted', true), 'BAD_REQUEST').msg).toBe(
    `Not subscribed to channel ID ${lunch}`,
  );
});

test.each(['property', 'value'])('%s must be there', async (missing) => {
  const given: Record<string, unknown> = { property: 'is_muted', value: true };
  const { [missing]: _, ...rest } = given;
  const answer = await ann.call('PATCH', `/users/me/subscriptions/${lunch}`, rest);
  expect(expectRefusal(answer, 'REQUEST_VARIABLE_MISSING').var_name).toBe(missing);
});

test('settings come back with the subscription', async () => {
  await set(ben, lunch, 'color', '#010203');
  await set(ben, lunch, 'push_notifications', true);
  await ben.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['lunch'] });
  expectRefusal(await set(ben, lunch, 'is_muted', true), 'BAD_REQUEST');
  const queue = await ben.register(MODERN);
  expect(queue.state.unsubscribed.find(({ name }: any) => name === 'lunch').color).toBe('#010203');
  await ben.subscribe('lunch');
  const added = (await queue.pending()).find(({ op }) => op === 'add');
  expect(added.subscriptions[0]).toMatchObject({ color: '#010203', push_notifications: true });
});

test('clients that do not know null get the settings that apply', async () => {
  await ann.ok('PATCH', '/settings', { enable_stream_email_notifications: true });
  await set(ann, dinner, 'desktop_notifications', true);
  const own = { desktop_notifications: true, email_notifications: null, wildcard_mentions_notify: null };
  const inDinner = (queue: TestQueue) => queue.state.subscriptions.find(({ name }: any) => name === 'dinner');
  const legacy = await ann.register();
  expect(inDinner(legacy)).toMatchObject({ ...own, email_notifications: true, wildcard_mentions_notify: true });
  expect(inDinner(legacy)).toMatchObject({ audible_notifications: false, push_notifications: false });
  expect(inDinner(await ann.register(MODERN))).toMatchObject(own);
  await ann.subscribe('supper');
  const added = (await legacy.pending()).find(({ op }) => op === 'add');
  expect(added.subscriptions[0]).toMatchObject({ email_notifications: true, push_notifications: false });
});

test('a muted channel does not count as unread', async () => {
  const counts = async () => (await cleo.register({ fetch_event_types: ['message', 'update_message_flags'] })).state;
  await cleo.subscribe('noise');
  const noise = (await subscriptionOf(cleo, (await cleo.ok('GET', '/get_stream_id', { stream: 'noise' })).stream_id))
    .stream_id;
  await ann.send('noise', 'loud', '@**all** listen');
  const before = (await counts()).unread_msgs;
  await set(cleo, noise, 'is_muted', true);
  const after = (await counts()).unread_msgs;
  expect(after.count).toBe(before.count - 1);
  expect(before.mentions).toHaveLength(1);
  expect(after.mentions).toEqual([]);
  expect(after.streams).toEqual(before.streams);
});

describe('joining and leaving in one request', () => {
  const change = (client: ApiClient, parameters: Record<string, unknown>) =>
    client.call('PATCH', '/users/me/subscriptions', parameters);

  test('answers as both do', async () => {
    await cleo.subscribe('old', 'kept');
    const asked = {
      add: [{ name: 'new', color: '#0F0', description: 'Fresh' }, { name: 'kept' }],
      delete: ['old', 'LUNCH'],
    };
    const { status, body } = await change(cleo, asked);
    expect([status, body]).toEqual([
      200,
      {
        result: 'success',
        msg: '',
        subscribed: { [cleo.userId]: ['new'] },
        already_subscribed: { [cleo.userId]: ['kept'] },
        new_subscription_messages_sent: true,
        removed: ['old'],
        not_removed: ['lunch'],
      },
    ]);
    const { subscriptions } = await cleo.ok('GET', '/users/me/subscriptions');
    expect(subscriptions.map(({ name }: any) => name)).toEqual(expect.arrayContaining(['new', 'kept']));
    expect(subscriptions.map(({ name }: any) => name)).not.toContain('old');
    expect(subscriptions.find(({ name }: any) => name === 'new')).toMatchObject({
      color: '#00ff00',
      description: 'Fresh',
    });
  });

  test('may be one of both', async () => {
    expect((await change(cleo, { delete: ['new'] })).body).toMatchObject({ subscribed: {}, removed: ['new'] });
    expect((await change(cleo, { add: [{ name: 'new' }] })).body).toMatchObject({ removed: [], not_removed: [] });
  });

  test.each([
    ['nothing', {}],
    ['two empty lists', { add: [], delete: [] }],
    ['an unknown channel to leave', { add: [{ name: 'never made' }], delete: ['nowhere'] }],
    ['a private channel to leave', { add: [{ name: 'never made' }], delete: ['secret'] }],
    ['a private channel to join', { add: [{ name: 'secret' }], delete: ['kept'] }],
    ['no name', { add: [{ color: '#000' }] }],
  ])('with %s is refused, and nothing is done', async (_, parameters) => {
    expectRefusal(await change(cleo, parameters), 'BAD_REQUEST');
    expectRefusal(await cleo.call('GET', '/get_stream_id', { stream: 'never made' }), 'BAD_REQUEST');
    expect((await cleo.ok('GET', '/users/me/subscriptions')).subscriptions.map(({ name }: any) => name)).toContain(
      'kept',
    );
  });
});
