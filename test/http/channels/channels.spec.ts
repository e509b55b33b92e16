import { channelId, expectRefusal, messagesIn, NOTIFICATION_BOT_ID } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople(undefined, { RETENTION: 'on' }));
});
afterAll(() => server.stop());

const subscribe = (client: ApiClient, names: string[], parameters: Record<string, unknown> = {}): Promise<any> =>
  client.ok('POST', '/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })), ...parameters });

const namesOf = (channels: readonly { name: string }[]): string[] => channels.map(({ name }) => name).sort();

const subscriptionsOf = async (client: ApiClient): Promise<any[]> =>
  (await client.ok('GET', '/users/me/subscriptions')).subscriptions;

const channelOf = async (client: ApiClient, name: string): Promise<any> =>
  (await client.ok('GET', '/streams', { include_all: true })).streams.find((one: any) => one.name === name);

describe('creating', () => {
  test('a public channel, for oneself', async () => {
    const before = Math.floor(Date.now() / 1000);
    const body = await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'garden', description: 'All that **grows**' }],
    });
    expect(body.subscribed).toEqual({ [ann.userId]: ['garden'] });
    expect(body.already_subscribed).toEqual({});
    expect(body).not.toHaveProperty('unauthorized');
    const channel = await channelOf(ann, 'garden');
    expect(channel).toMatchObject({
      name: 'garden',
      description: 'All that **grows**',
      rendered_description: '<p>All that <strong>grows</strong></p>',
      creator_id: ann.userId,
      invite_only: false,
      is_web_public: false,
      is_archived: false,
      is_announcement_only: false,
      stream_post_policy: 1,
      history_public_to_subscribers: true,
      message_retention_days: null,
      topics_policy: 'inherit',
      folder_id: null,
      is_recently_active: true,
    });
    expect(channel.date_created).toBeGreaterThanOrEqual(before - 1);
    for (const name of [
      'can_add_subscribers_group',
      'can_remove_subscribers_group',
      'can_delete_any_message_group',
      'can_delete_own_message_group',
      'can_send_message_group',
      'can_subscribe_group',
      'can_move_messages_out_of_channel_group',
      'can_move_messages_within_channel_group',
      'can_resolve_topics_group',
    ])
      expect([name, typeof channel[name]]).toEqual([name, 'number']);
    expect(channel.can_administer_channel_group).toEqual({ direct_members: [ann.userId], direct_subgroups: [] });
  });

  test('again is reported as such, regardless of case', async () => {
    const body = await subscribe(ann, ['GARDEN']);
    expect(body.subscribed).toEqual({});
    expect(body.already_subscribed).toEqual({ [ann.userId]: ['garden'] });
  });

  test('for others, by ID and by address', async () => {
    expect((await subscribe(ann, ['garden'], { principals: [ben.userId] })).subscribed).toEqual({
      [ben.userId]: ['garden'],
    });
    const body = await subscribe(ann, ['garden', 'kitchen'], { principals: [cleo.email, ben.email] });
    expect(body.subscribed[cleo.userId].sort()).toEqual(['garden', 'kitchen']);
    expect(body.subscribed[ben.userId]).toEqual(['kitchen']);
    expect(body.already_subscribed).toEqual({ [ben.userId]: ['garden'] });
    expect(namesOf(await subscriptionsOf(ann))).not.toContain('kitchen');
  });

  test.each([
    ['an unknown ID', [999_999]],
    ['an unknown address', ['nobody@example.test']],
  ])('%s among the principals is refused, and nothing is created', async (_, principals) => {
    const subscriptions = [{ name: 'never made' }];
    const answer = await ann.call('POST', '/users/me/subscriptions', { subscriptions, principals });
    expectRefusal(answer, 'BAD_REQUEST');
    expect(await channelOf(owner, 'never made')).toBeUndefined();
  });

  test('every parameter is accepted and kept', async () => {
    const groups = {
      can_add_subscribers_group: { direct_members: [ann.userId, ben.userId], direct_subgroups: [] },
      can_remove_subscribers_group: { direct_members: [ben.userId], direct_subgroups: [] },
      can_administer_channel_group: { direct_members: [ann.userId], direct_subgroups: [] },
      can_delete_any_message_group: { direct_members: [ann.userId], direct_subgroups: [] },
      can_delete_own_message_group: { direct_members: [ben.userId], direct_subgroups: [] },
      can_send_message_group: { direct_members: [ann.userId], direct_subgroups: [] },
      can_subscribe_group: { direct_members: [cleo.userId], direct_subgroups: [] },
      can_move_messages_out_of_channel_group: { direct_members: [ann.userId], direct_subgroups: [] },
      can_move_messages_within_channel_group: { direct_members: [ben.userId], direct_subgroups: [] },
      can_resolve_topics_group: { direct_members: [ann.userId], direct_subgroups: [] },
    };
    const body = await owner.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'rich', description: 'x', color: '#A1B2C3' }],
      announce: false,
      authorization_errors_fatal: true,
      invite_only: true,
      history_public_to_subscribers: true,
      is_web_public: false,
      is_default_stream: false,
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
      send_new_subscription_messages: true,
      ...groups,
    });
    expect(body).not.toHaveProperty('ignored_parameters_unsupported');
    const channel = await channelOf(owner, 'rich');
    expect(channel).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: true,
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
      ...groups,
    });
    const mine = (await subscriptionsOf(owner)).find(({ name }) => name === 'rich');
    expect(mine).toMatchObject({ color: '#a1b2c3', ...groups });
  });

  test.each([
    ['realm_default', null],
    ['unlimited', -1],
    [7, 7],
  ])('retention %j is kept as %j', async (message_retention_days, kept) => {
    await subscribe(owner, [`keeps ${message_retention_days}`], { message_retention_days });
    expect((await channelOf(owner, `keeps ${message_retention_days}`)).message_retention_days).toBe(kept);
  });

  test('the topics policy may be a JSON string', async () => {
    await subscribe(owner, ['quoted'], { topics_policy: '"allow_empty_topic"' });
    expect((await channelOf(owner, 'quoted')).topics_policy).toBe('allow_empty_topic');
  });

  test('retention is a number of days or one of two words', async () => {
    const given = { subscriptions: [{ name: 'kept' }], message_retention_days: 'forever' };
    const answer = await owner.call('POST', '/users/me/subscriptions', given);
    expect(expectRefusal(answer, 'BAD_REQUEST').msg).toBe('message_retention_days has an invalid value');
  });

  test('a default channel is listed as one', async () => {
    await subscribe(owner, ['for all'], { is_default_stream: true });
    const { streams } = await ann.ok('GET', '/streams', { include_default: true });
    expect(streams.find(({ name }: any) => name === 'for all').is_default).toBe(true);
    expect(streams.find(({ name }: any) => name === 'garden').is_default).toBe(false);
    const alone = { include_public: false, include_subscribed: false, include_default: true };
    const listed: string[] = (await ann.ok('GET', '/streams', alone)).streams.map(({ name }: any) => name);
    expect(listed).toContain('for all');
    expect(listed).not.toContain('garden');
  });

  test('private history is hidden from newcomers unless it is shared', async () => {
    await subscribe(ann, ['protected'], { invite_only: true });
    expect((await channelOf(ann, 'protected')).history_public_to_subscribers).toBe(false);
  });

  test('an announcement links to the channel', async () => {
    await subscribe(ann, ['announced'], { announce: true });
    const notices = await messagesIn(ben, [
      ['channels', 'public'],
      ['topic', 'new channels'],
    ]);
    expect(notices.at(-1)).toMatchObject({ sender_full_name: 'Notification Bot' });
    const announced = await channelId(ann, 'announced');
    expect(notices.at(-1).content).toContain(`<a class="stream" data-stream-id="${announced}"`);
    expect(notices.at(-1).content).toContain(`data-user-id="${ann.userId}"`);
  });

  test('a channel knows its first message', async () => {
    await subscribe(ann, ['begins']);
    const id = await ann.send('begins', 't', 'x');
    const first = await channelOf(ann, 'begins');
    expect(first.first_message_id).toBeLessThanOrEqual(id);
    expect((await messagesIn(ann, [['channel', 'begins']]))[0].id).toBe(first.first_message_id);
  });

  test.each([
    ['an empty name', { subscriptions: [{ name: '' }] }],
    ['a blank name', { subscriptions: [{ name: '   ' }] }],
    ['an endless name', { subscriptions: [{ name: 'x'.repeat(61) }] }],
    ['a control character', { subscriptions: [{ name: 'a\u0000b' }] }],
    ['an endless description', { subscriptions: [{ name: 'fine', description: 'x'.repeat(1025) }] }],
    ['a web-public channel', { subscriptions: [{ name: 'fine' }], is_web_public: true }],
    ['an unknown folder', { subscriptions: [{ name: 'fine' }], folder_id: 999_999 }],
    ['an unknown group', { subscriptions: [{ name: 'fine' }], can_send_message_group: 999_999 }],
    ['a bad colour', { subscriptions: [{ name: 'fine', color: 'red' }] }],
    ['retention by a member', { subscriptions: [{ name: 'fine' }], message_retention_days: 'for ever' }],
  ])('%s is refused', async (_, parameters) => {
    const answer = await ann.call('POST', '/users/me/subscriptions', parameters);
    expect([400, answer.body.result]).toEqual([answer.status, 'error']);
    expect(await channelOf(owner, 'fine')).toBeUndefined();
  });

  test.each([
    ['not a list', { subscriptions: 'garden' }, 'REQUEST_VARIABLE_INVALID'],
    ['a list of names', { subscriptions: ['garden'] }, 'BAD_REQUEST'],
    ['no name', { subscriptions: [{ description: 'x' }] }, 'BAD_REQUEST'],
    ['an unknown policy', { subscriptions: [{ name: 'fine' }], topics_policy: 'none' }, 'BAD_REQUEST'],
  ])('%s is malformed', async (_, parameters, code) => {
    const answer = await ann.call('POST', '/users/me/subscriptions', parameters);
    expect(answer.status).toBe(400);
    expect(['BAD_REQUEST', 'REQUEST_VARIABLE_INVALID']).toContain(answer.body.code);
    if (code === 'REQUEST_VARIABLE_INVALID') expectRefusal(answer, code);
  });

  test('without subscriptions it is named', async () => {
    const answer = await ann.call('POST', '/users/me/subscriptions');
    expect(expectRefusal(answer, 'REQUEST_VARIABLE_MISSING').var_name).toBe('subscriptions');
  });

  test('a newline in a description becomes a blank', async () => {
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'lines', description: 'one\ntwo' }] });
    expect((await channelOf(ann, 'lines')).description).toBe('one two');
  });

  test('two creators at the same moment make one channel', async () => {
    await Promise.all([ann, ben, cleo].map((client) => subscribe(client, ['at once'])));
    const { streams } = await owner.ok('GET', '/streams', { include_all: true });
    expect(streams.filter(({ name }: any) => name === 'at once')).toHaveLength(1);
    expect((await channelOf(ann, 'at once')).subscriber_count).toBe(3);
  });
});

describe('POST /channels/create', () => {
  const create = (client: ApiClient, parameters: Record<string, unknown>) =>
    client.call('POST', '/channels/create', { subscribers: [], ...parameters });

  test('creates a channel with its settings and subscribers', async () => {
    const { body } = await create(ann, {
      name: ' workshop ',
      description: 'All that is **made**\nhere',
      subscribers: [ann.userId, ben.userId],
      invite_only: true,
      history_public_to_subscribers: true,
      topics_policy: 'disable_empty_topic',
      can_send_message_group: { direct_members: [ann.userId], direct_subgroups: [] },
    });
    expect(body).toEqual({ result: 'success', msg: '', id: expect.any(Number) });
    const { stream } = await ben.ok('GET', `/streams/${body.id}`);
    expect(stream).toMatchObject({
      name: 'workshop',
      rendered_description: '<p>All that is <strong>made</strong> here</p>',
      creator_id: ann.userId,
      invite_only: true,
      history_public_to_subscribers: true,
      topics_policy: 'disable_empty_topic',
      can_send_message_group: { direct_members: [ann.userId], direct_subgroups: [] },
      can_administer_channel_group: { direct_members: [ann.userId], direct_subgroups: [] },
    });
    const { subscribers } = await ann.ok('GET', `/streams/${body.id}/members`);
    expect(subscribers).toEqual([ann.userId, ben.userId].sort((a, b) => a - b));
  });

  test('a channel without subscribers is announced and introduced all the same', async () => {
    await owner.ok('PATCH', '/realm', { send_channel_events_messages: true });
    const { body } = await create(ann, { name: 'empty room', announce: true });
    await owner.ok('PATCH', '/realm', { send_channel_events_messages: false });
    expect((await ann.ok('GET', `/streams/${body.id}/members`)).subscribers).toEqual([]);
    const [introduction] = await messagesIn(ann, [{ operator: 'channel', operand: body.id }]);
    expect(introduction).toMatchObject({ subject: 'channel events', sender_full_name: 'Notification Bot' });
    const announced = await messagesIn(ben, [
      ['channels', 'public'],
      ['topic', 'new channels'],
    ]);
    expect(announced.at(-1).content).toContain(`data-stream-id="${body.id}"`);
  });

  test.each(['taken room', 'TAKEN Room'])('a name in use (%s) is a conflict', async (name) => {
    await create(ben, { name: 'taken room', invite_only: true });
    const answer = await create(ann, { name });
    expect(expectRefusal(answer, 'CHANNEL_ALREADY_EXISTS', 409).channel_name).toBe(name);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no name', { name: ' ' }, 'BAD_REQUEST'],
    ['a name that is too long', { name: 'x'.repeat(61) }, 'BAD_REQUEST'],
    ['an unknown subscriber', { name: 'never', subscribers: [999_999] }, 'BAD_REQUEST'],
    ['a private default channel', { name: 'never', invite_only: true, is_default_stream: true }, 'BAD_REQUEST'],
    ['a retention by a member', { name: 'never', message_retention_days: 3 }, 'UNAUTHORIZED_PRINCIPAL'],
    ['an unknown folder', { name: 'never', folder_id: 999_999 }, 'BAD_REQUEST'],
    ['a web-public channel', { name: 'never', is_web_public: true }, 'BAD_REQUEST'],
    ['a group that the setting may not name', { name: 'never', can_subscribe_group: 6 }, 'BAD_REQUEST'],
    ['an unknown group', { name: 'never', can_send_message_group: 999_999 }, 'BAD_REQUEST'],
  ])('%s is refused, and nothing is created', async (_, parameters, code) => {
    expectRefusal(await create(ann, parameters), code);
    expect(await channelOf(owner, 'never')).toBeUndefined();
  });

  test('a public channel has its history for all, whatever is asked', async () => {
    await ann.ok('POST', '/channels/create', {
      ...{ name: 'open history', subscribers: [ann.userId], history_public_to_subscribers: false },
    });
    await ann.ok('POST', '/users/me/subscriptions', {
      ...{ subscriptions: [{ name: 'open too' }], history_public_to_subscribers: false },
    });
    for (const name of ['open history', 'open too'])
      expect(await channelOf(ann, name)).toMatchObject({ invite_only: false, history_public_to_subscribers: true });
  });

  test('name and subscribers are needed', async () => {
    const missing = async (parameters: Record<string, unknown>): Promise<string> =>
      expectRefusal(await ann.call('POST', '/channels/create', parameters), 'REQUEST_VARIABLE_MISSING').var_name;
    expect(await missing({ subscribers: [] })).toBe('name');
    expect(await missing({ name: 'never' })).toBe('subscribers');
  });
});

describe('the e-mail address of a channel', () => {
  const address = (client: ApiClient, id: number, parameters = {}) =>
    client.call('GET', `/streams/${id}/email_address`, parameters);

  test('stays the same for a sender, and is for those who may send there', async () => {
    await subscribe(ann, ['by mail'], { invite_only: true });
    const id = await channelId(ann, 'by mail');
    const { body } = await address(ann, id);
    expect(body.email).toMatch(/^by-mail\.[0-9a-f]{32}@/);
    expect((await address(ann, id, { sender_id: ann.userId })).body.email).toBe(body.email);
    const [hidden, none] = [await address(ben, id), await address(ben, 999_999)];
    expectRefusal(hidden, 'BAD_REQUEST');
    expect(hidden.text).toBe(none.text);
    expectRefusal(await address(ann, id, { sender_id: ben.userId }), 'BAD_REQUEST');
    await ann.ok('PATCH', `/streams/${id}`, { can_send_message_group: { new: 8 } });
    expectRefusal(await address(ann, id), 'BAD_REQUEST');
  });
});

describe('telling people that they were subscribed', () => {
  /** By the notification bot: the welcome bot has greeted them. */
  const told = (client: ApiClient): Promise<any[]> =>
    messagesIn(client, [
      ['is', 'dm'],
      ['sender', NOTIFICATION_BOT_ID],
    ]);

  test('each of them once, about existing channels, without the actor', async () => {
    const others: ApiClient[] = [];
    for (let n = 0; n < 20; n++) others.push(await server.user());
    await subscribe(owner, ['attic', 'cellar']);
    const { user_id } = await owner.ok('GET', '/users/me');
    const principals = [user_id, ...others.map(({ userId }) => userId)];
    const body = await subscribe(owner, ['attic', 'cellar', 'roof'], { principals });
    expect(body.new_subscription_messages_sent).toBe(true);
    for (const other of others) {
      const contents = (await told(other)).map(({ content }) => content);
      expect(contents).toEqual([expect.stringMatching(/subscribed you to the following channels: .*attic.*cellar/)]);
      expect(contents[0]).not.toContain('roof');
    }
    expect((await told(owner)).filter(({ content }) => content.includes('subscribed you'))).toEqual([]);
  });

  test.each([
    ['when that is not wanted', { send_new_subscription_messages: false }, undefined],
    ['when they were there already', {}, true],
  ])('not %s', async (_, wish, sent) => {
    const other = await server.user();
    if (sent) await subscribe(other, ['attic']);
    const body = await subscribe(owner, ['attic'], { principals: [other.userId], ...wish });
    expect(body.new_subscription_messages_sent).toBe(sent);
    expect(await told(other)).toEqual([]);
  });
});

describe('listing subscriptions', () => {
  test('has what clients read', async () => {
    for (const subscription of await subscriptionsOf(ann)) {
      expect(subscription).toMatchObject({
        stream_id: expect.any(Number),
        name: expect.any(String),
        color: expect.stringMatching(/^#[0-9a-f]{6}$/),
        is_muted: false,
        in_home_view: true,
        pin_to_top: false,
      });
      expect(subscription).not.toHaveProperty('subscribers');
      for (const name of ['desktop', 'audible', 'push', 'email'])
        expect(subscription).toHaveProperty(`${name}_notifications`);
      expect(subscription).toHaveProperty('wildcard_mentions_notify');
    }
  });

  test.each(['true', 'partial'])('with subscribers (%s)', async (include_subscribers) => {
    const { subscriptions } = await ann.ok('GET', '/users/me/subscriptions', { include_subscribers });
    const garden = subscriptions.find(({ name }: any) => name === 'garden');
    expect(garden.subscribers).toEqual([ann.userId, ben.userId, cleo.userId].sort((a, b) => a - b));
  });
});

describe('private channels', () => {
  let secret: number;

  beforeAll(async () => {
    await subscribe(ann, ['secret'], { invite_only: true, principals: [ann.userId, ben.userId] });
    secret = await channelId(ann, 'secret');
    await ann.send('secret', 'plans', 'nobody else knows');
  });

  test('insiders see them', async () => {
    for (const client of [ann, ben]) {
      expect(await channelId(client, 'secret')).toBe(secret);
      expect((await client.ok('GET', `/streams/${secret}`)).stream.name).toBe('secret');
      expect((await client.ok('GET', `/users/me/${secret}/topics`)).topics[0].name).toBe('plans');
    }
  });

  test('outsiders see them on no route', async () => {
    const id = (await ann.ok('GET', `/users/me/${secret}/topics`)).topics[0].max_id;
    const refused: [string, string, Record<string, unknown>?][] = [
      ['GET', '/get_stream_id', { stream: 'secret' }],
      ['GET', `/streams/${secret}`],
      ['GET', `/streams/${secret}/members`],
      ['GET', `/users/${ann.userId}/subscriptions/${secret}`],
      ['GET', `/users/me/${secret}/topics`],
      ['GET', '/messages', { narrow: [['channel', 'secret']], anchor: 'newest', num_before: 1, num_after: 0 }],
      [
        'GET',
        '/messages',
        { narrow: [{ operator: 'channel', operand: secret }], anchor: 0, num_before: 0, num_after: 1 },
      ],
      ['GET', `/messages/${id}`],
      ['GET', `/messages/${id}/history`],
      ['PATCH', `/messages/${id}`, { content: 'x' }],
      ['DELETE', `/messages/${id}`],
      ['POST', `/messages/${id}/reactions`, { emoji_name: 'smile' }],
      ['POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' }],
      ['POST', '/mark_topic_as_read', { stream_id: secret, topic_name: 'plans' }],
      ['POST', '/messages', { type: 'channel', to: 'secret', topic: 't', content: 'x' }],
      ['POST', '/messages', { type: 'channel', to: secret, topic: 't', content: 'x' }],
      ['POST', '/users/me/subscriptions', { subscriptions: [{ name: 'secret' }] }],
      ['DELETE', '/users/me/subscriptions', { subscriptions: ['secret'] }],
    ];
    for (const [method, path, parameters] of refused) {
      const answer = await cleo.call(method, path, parameters);
      expect([method, path, answer.status, answer.body.result]).toEqual([method, path, 400, 'error']);
      expect(answer.text).not.toContain('nobody else knows');
    }
    const { streams } = await cleo.ok('GET', '/streams', { include_all: true, include_can_access_content: true });
    expect(namesOf(streams)).not.toContain('secret');
    const { state } = await cleo.register({ include_subscribers: 'true' });
    const { realm_name: _, ...visible } = state;
    expect(JSON.stringify(visible)).not.toContain('"secret"');
  });

  test('an unknown and a hidden channel look alike', async () => {
    const routes = (id: number, name: string): [string, string, Record<string, unknown>?][] => [
      ['GET', '/get_stream_id', { stream: name }],
      ['GET', `/streams/${id}`],
      ['GET', `/users/me/${id}/topics`],
      ['POST', '/messages', { type: 'channel', to: id, topic: 't', content: 'x' }],
    ];
    const unknown = routes(987_654, 'sekret');
    for (const [index, [method, path, parameters]] of routes(secret, 'secret').entries()) {
      const hidden = await cleo.call(method, path, parameters);
      const [unknownMethod, unknownPath, unknownParameters] = unknown[index]!;
      const missing = await cleo.call(unknownMethod, unknownPath, unknownParameters);
      const alike = (text: string): string => text.replaceAll('987654', String(secret)).replaceAll('sekret', 'secret');
      expect([path, hidden.status, hidden.text]).toEqual([path, missing.status, alike(missing.text)]);
    }
  });

  test('administrators see that they are there, and not what is in them', async () => {
    expect(await channelId(owner, 'secret')).toBe(secret);
    expect((await owner.ok('GET', `/streams/${secret}/members`)).subscribers.sort()).toEqual(
      [ann.userId, ben.userId].sort(),
    );
    expectRefusal(await owner.call('GET', `/users/me/${secret}/topics`), 'BAD_REQUEST');
    const narrow = [{ operator: 'channel', operand: secret }];
    const fetched = await owner.call('GET', '/messages', { narrow, anchor: 0, num_before: 0, num_after: 9 });
    expect(fetched.text).not.toContain('nobody else knows');
  });

  test('guests join nothing, not even what they are in', async () => {
    const guest = await server.user('Gail Guest');
    await owner.ok('PATCH', `/users/${guest.userId}`, { role: 600 });
    const principals = [ann.userId, guest.userId];
    await subscribe(ann, ['guests too'], { principals });
    const join = (name: string) => guest.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }] });
    expectRefusal(await join('guests too'), 'BAD_REQUEST');
    expect(namesOf(await subscriptionsOf(guest))).toContain('guests too');
  });

  test('when errors are not fatal, the channels are listed', async () => {
    const body = await subscribe(cleo, ['secret', 'open house'], { authorization_errors_fatal: false });
    expect(body.unauthorized).toEqual(['secret']);
    expect(body.subscribed).toEqual({ [cleo.userId]: ['open house'] });
  });

  test('when they are, nothing is done', async () => {
    const answer = await cleo.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'half done' }, { name: 'secret' }],
    });
    expectRefusal(answer, 'BAD_REQUEST');
    expect(answer.body.msg).toContain('secret');
    expect(await channelOf(owner, 'half done')).toBeUndefined();
  });

  test('a subscriber may leave, and is an outsider then', async () => {
    const body = await ben.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'] });
    expect([body.removed, body.not_removed]).toEqual([['secret'], []]);
    expectRefusal(await ben.call('GET', `/users/me/${secret}/topics`), 'BAD_REQUEST');
    const narrowed = async (operator: string, operand: unknown): Promise<unknown> => {
      const window = { narrow: [{ operator, operand }], anchor: 'newest', num_before: 10, num_after: 0 };
      return (await ben.call('GET', '/messages', window)).body;
    };
    // Messages that were received there are no more to be found than the channel.
    const refused = { result: 'error', code: 'BAD_NARROW', msg: expect.stringMatching(/\S/) };
    expect(await narrowed('channel', 'nowhere')).toMatchObject(refused);
    expect(await narrowed('channel', 'secret')).toEqual(await narrowed('channel', 'nowhere'));
    expect(await narrowed('channel', secret)).toEqual(await narrowed('channel', 99_999));
    expect(await narrowed('search', 'else knows')).toMatchObject({ result: 'success', messages: [] });
    expectRefusal(
      await ben.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'secret' }] }),
      'BAD_REQUEST',
    );
  });
});

describe('unsubscribing', () => {
  beforeAll(() => subscribe(ann, ['leaving', 'staying'], { principals: [ann.userId, ben.userId, cleo.userId] }));

  test('oneself, and a second time', async () => {
    const parameters = { subscriptions: ['Leaving'] };
    const first = await ben.ok('DELETE', '/users/me/subscriptions', parameters);
    expect([first.removed, first.not_removed]).toEqual([['leaving'], []]);
    const second = await ben.ok('DELETE', '/users/me/subscriptions', parameters);
    expect([second.removed, second.not_removed]).toEqual([[], ['leaving']]);
    expect(namesOf(await subscriptionsOf(ben))).toContain('staying');
    expect(namesOf(await subscriptionsOf(ben))).not.toContain('leaving');
  });

  test('coming back finds the old colour', async () => {
    const colorOf = async (): Promise<string> =>
      (await subscriptionsOf(cleo)).find(({ name }) => name === 'leaving').color;
    const before = await colorOf();
    await cleo.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['leaving'] });
    await subscribe(cleo, ['leaving']);
    expect(await colorOf()).toBe(before);
  });

  test('others: not by a member, but by an administrator and by who runs the channel', async () => {
    const parameters = { subscriptions: ['staying'], principals: [cleo.userId] };
    expectRefusal(await ben.call('DELETE', '/users/me/subscriptions', parameters), 'BAD_REQUEST');
    expect((await owner.ok('DELETE', '/users/me/subscriptions', parameters)).removed).toEqual(['staying']);
    await subscribe(cleo, ['staying']);
    expect((await ann.ok('DELETE', '/users/me/subscriptions', parameters)).removed).toEqual(['staying']);
    const byAddress = { subscriptions: ['staying'], principals: [ben.email] };
    expect((await owner.ok('DELETE', '/users/me/subscriptions', byAddress)).removed).toEqual(['staying']);
  });

  test('an unknown channel is named, and nothing is done', async () => {
    const subscriptions = ['staying', 'no such channel'];
    const answer = await ann.call('DELETE', '/users/me/subscriptions', { subscriptions });
    expect(expectRefusal(answer, 'BAD_REQUEST').msg).toContain('no such channel');
    expect(namesOf(await subscriptionsOf(ann))).toContain('staying');
  });

  test('names separated by commas are read, as one client sends them', async () => {
    await subscribe(ben, ['comma one', 'comma two']);
    const answer = await ben.call('DELETE', '/users/me/subscriptions?subscriptions=comma one,comma two');
    expect(answer.body.removed?.sort()).toEqual(['comma one', 'comma two']);
  });

  test.each([
    ['too many names', Array.from({ length: 1001 }, (_, index) => index).join(',')],
    ['a name that is too long', `comma one,${'x'.repeat(1001)}`],
  ])('text with %s is refused like a list', async (_, subscriptions) => {
    const { msg } = expectRefusal(
      await ben.call('DELETE', '/users/me/subscriptions', { subscriptions }),
      'BAD_REQUEST',
    );
    expect(msg).toBe('subscriptions has more than 1000 names, or one that is too long');
  });
});

describe('GET /streams', () => {
  const listed = async (client: ApiClient, parameters: Record<string, unknown> = {}): Promise<string[]> =>
    namesOf((await client.ok('GET', '/streams', parameters)).streams);

  test('lists public and subscribed channels', async () => {
    expect(await listed(cleo)).toContain('garden');
    expect(await listed(ann)).toContain('secret');
    expect(await listed(cleo)).not.toContain('secret');
  });

  test('only those subscribed to', async () => {
    const names = await listed(cleo, { include_public: false });
    expect(names).toEqual(namesOf(await subscriptionsOf(cleo)));
  });

  test('only public ones', async () => {
    const names = await listed(ann, { include_subscribed: false });
    expect(names).toContain('lines');
    expect(names).not.toContain('secret');
  });

  test('none, or web-public ones of which there are none', async () => {
    const none = { include_public: false, include_subscribed: false };
    expect(await listed(cleo, { ...none, include_web_public: true })).toEqual([]);
  });

  test('everything an administrator knows of', async () => {
    expect(await listed(owner, { include_all: true })).toContain('secret');
    expect(await listed(owner, { include_all_active: true })).toContain('secret');
    expect(await listed(owner)).not.toContain('secret');
    expectRefusal(await ann.call('GET', '/streams', { include_all_active: true }), 'BAD_REQUEST');
  });

  test('content that may be read', async () => {
    const none = { include_public: false, include_subscribed: false };
    const names = await listed(ann, { ...none, include_can_access_content: true });
    expect(names).toEqual(expect.arrayContaining(['garden', 'secret']));
    expect(await listed(owner, { ...none, include_can_access_content: true })).not.toContain('secret');
  });

  test('in the order of the register response', async () => {
    await subscribe(ann, ['Upper', 'lower', 'under_score', 'two words']);
    const { state } = await ann.register({ fetch_event_types: ['stream', 'subscription'] });
    const named = (list: any[]): string[] => list.map(({ name }) => name);
    expect(named((await ann.ok('GET', '/streams', { include_all: true })).streams)).toEqual(named(state.streams));
    expect(named(await subscriptionsOf(ann))).toEqual(named(state.subscriptions));
    expect(named(state.streams)).toEqual(named(state.streams).sort());
  });

  test('what is no boolean is refused', async () => {
    const answer = await ann.call('GET', '/streams', { include_public: 'maybe' });
    expect(expectRefusal(answer, 'REQUEST_VARIABLE_INVALID').var_name).toBe('include_public');
  });
});

describe('topics', () => {
  let id: number;
  beforeAll(async () => {
    await subscribe(ann, ['topical'], { principals: [ann.userId, ben.userId] });
    id = await channelId(ann, 'topical');
    for (const topic of ['one', 'two', '', 'ONE']) await ann.send('topical', topic, `about ${topic}`);
  });

  test('newest first, spelled as last', async () => {
    const { topics } = await ben.ok('GET', `/users/me/${id}/topics`, { allow_empty_topic_name: true });
    expect(topics.map(({ name }: any) => name)).toEqual(['ONE', '', 'two', ...topics.slice(3).map((t: any) => t.name)]);
    const ids = topics.map(({ max_id }: any) => max_id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(topics.map(({ name }: any) => name)).not.toContain('one');
  });

  test('the empty topic has its display name for those who do not know it', async () => {
    const { topics } = await ben.ok('GET', `/users/me/${id}/topics`);
    expect(topics[1].name).toBe('general chat');
  });

  test('of a public channel for those outside', async () => {
    expect((await cleo.ok('GET', `/users/me/${id}/topics`)).topics[0].name).toBe('ONE');
  });

  test('of a protected channel start where the user came in', async () => {
    await subscribe(ann, ['vault'], { invite_only: true, history_public_to_subscribers: false });
    const vault = await channelId(ann, 'vault');
    await ann.send('vault', 'before', 'early');
    await subscribe(ann, ['vault'], { principals: [ben.userId] });
    await ann.send('vault', 'after', 'late');
    const { topics } = await ben.ok('GET', `/users/me/${vault}/topics`);
    expect(topics.map(({ name }: any) => name)).toEqual(['after']);
    expect((await messagesIn(ben, [['channel', 'vault']])).map(({ content }) => content)).toEqual(['<p>late</p>']);
  });

  test.each(['999999', '0', 'x', '99999999999999999999'])('of channel %s: there is none', async (none) => {
    const answer = await ann.call('GET', `/users/me/${none}/topics`);
    expect([400, 404]).toContain(answer.status);
    expect(answer.body.result).toBe('error');
  });
});

test('channels and subscriptions survive a restart', async () => {
  const read = async (): Promise<string[]> =>
    Promise.all(
      [owner, ann, ben, cleo].flatMap((client) => [
        client.call('GET', '/streams', { include_all: true }).then(({ text }) => text),
        client.call('GET', '/users/me/subscriptions', { include_subscribers: 'true' }).then(({ text }) => text),
      ]),
    );
  const before = await read();
  await server.restart();
  expect(await read()).toEqual(before);
});

describe('what clients are told of channels', () => {
  const told = async (queue: { pending(): Promise<any[]> }): Promise<any[]> =>
    (await queue.pending()).map(({ id: _, ...event }) => event);

  test('the first message, by nothing else', async () => {
    await subscribe(ann, ['news']);
    const [outside, inside] = [await ben.register({ event_types: ['stream'] }), await ann.register()];
    const first = await ann.send('news', 't', 'one');
    expect((await channelOf(ann, 'news')).first_message_id).toBe(first);
    expect(await told(outside)).toEqual([]);
    expect((await told(inside)).map(({ type }) => type)).not.toContain('stream');
  });

  test('nothing of one that the receiver has been put out of by then, but that they are out', async () => {
    const [queue, watching] = [await ben.register(), await ben.register()];
    await subscribe(ann, ['crypt'], { invite_only: true, principals: [ann.userId, ben.userId] });
    const isToldOfCrypt = (event: any): boolean => JSON.stringify(event).includes('crypt');
    expect((await told(watching)).filter(isToldOfCrypt).map(({ type, op }) => [type, op])).toEqual(
      expect.arrayContaining([
        ['stream', 'create'],
        ['subscription', 'add'],
      ]),
    );
    await owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['crypt'], principals: [ben.userId] });
    for (const each of [queue, watching])
      expect((await told(each)).filter(isToldOfCrypt).map(({ type, op }) => [type, op])).toEqual([
        ['subscription', 'remove'],
      ]);
  });
});

describe('a new channel is told what it is', () => {
  beforeAll(() => owner.ok('PATCH', '/realm', { send_channel_events_messages: true }));
  afterAll(() => owner.ok('PATCH', '/realm', { send_channel_events_messages: false }));

  const noticesIn = (client: ApiClient, channel: string): Promise<any[]> => messagesIn(client, [['channel', channel]]);

  test('once, in a topic of its own, which its creator has read', async () => {
    const queue = await ben.register({ event_types: ['message'] });
    const own = await ann.register({ event_types: ['message', 'update_message_flags'] });
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'harbour', description: 'Ships, ```` and @**Ben Baker**' }],
      principals: [ann.userId, ben.userId],
    });
    await subscribe(cleo, ['harbour']);
    const [notice, ...more] = await noticesIn(ben, 'harbour');
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ subject: 'channel events', sender_full_name: 'Notification Bot', flags: [] });
    expect(notice.content).toMatch(
      /<strong>Public<\/strong> channel created by .*Ann Archer.*<blockquote>\s*<p>Ships, ```` and /s,
    );
    expect((await noticesIn(ann, 'harbour'))[0].flags).toEqual(['read']);
    expect((await own.pending()).map(({ type, flags }) => [type, flags])).toEqual([['message', ['read']]]);
    expect((await queue.pending()).map(({ message }) => message.id)).toContain(notice.id);
    expect((await channelOf(ann, 'harbour')).first_message_id).toBe(notice.id);
  });

  test.each([
    [{ invite_only: true }, 'Private protected history', 'channel events'],
    [{ invite_only: true, history_public_to_subscribers: true }, 'Private shared history', 'channel events'],
    [{ topics_policy: 'empty_topic_only' }, 'Public', ''],
  ])('with %j', async (parameters, policy, topic) => {
    const name = `quay ${JSON.stringify(parameters).length}`;
    await subscribe(ann, [name], parameters);
    const [notice] = await noticesIn(ann, name);
    expect(notice.subject).toBe(topic);
    expect(notice.content).toContain(`<strong>${policy}</strong>`);
    expect(notice.content).toContain('No description.');
  });

  test('unless the organization does not want it', async () => {
    await owner.ok('PATCH', '/realm', { send_channel_events_messages: false });
    await subscribe(ann, ['silent harbour']);
    expect(await noticesIn(ann, 'silent harbour')).toEqual([]);
  });
});

describe('names of channels', () => {
  test('that cannot be told from others are refused', async () => {
    for (const name of ['gen\u200beral', '\u202elareneg', 'general\ufeff.']) {
      const answer = await ann.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }] });
      expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
      expect(answer.body.msg).toMatch(/^Invalid character in channel name, at position \d+\.$/);
    }
  });

  test('are found however they are composed', async () => {
    await subscribe(ann, ['Cafe\u0301 noir']);
    const { name, stream_id } = await channelOf(ann, 'Caf\u00e9 noir');
    expect(name).toBe('Caf\u00e9 noir');
    for (const stream of ['cafe\u0301 noir', 'CAF\u00c9\u00a0NOIR'])
      expect((await ann.ok('GET', '/get_stream_id', { stream })).stream_id).toBe(stream_id);
    const queue = await ann.register({ event_types: ['message'], narrow: [['channel', 'cafe\u0301 noir']] });
    const id = await ann.send('cafe\u0301 noir', 'cups', 'Two, please.');
    expect((await queue.pending()).map(({ message }) => message.id)).toEqual([id]);
  });
});

describe('names of users', () => {
  test.each(['Ann\u200b Archer', '\u202erehcrA nnA', 'Notification Bot', 'Wеlcome Bot'])(
    '%j is refused',
    async (full_name) => {
      const account = { email: 'spoof@example.test', password: 'correct horse battery', full_name };
      expect(await owner.call('POST', '/users', account)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    },
  );
});
