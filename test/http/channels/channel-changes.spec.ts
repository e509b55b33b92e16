import { expectRefusal, messagesIn } from '../../support/answers.js';
import type { Answer, ApiClient, TestQueue } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

const [OWNERS, ADMINISTRATORS, MODERATORS, FULL_MEMBERS, MEMBERS, EVERYONE, INTERNET, NOBODY] = [
  1, 2, 3, 4, 5, 6, 7, 8,
];
const TYPES = ['stream', 'subscription', 'default_streams'];
const CAPABLE = { client_capabilities: { archived_channels: true } };
const PERMISSIONS = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_create_topic_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_send_message_group',
  'can_subscribe_group',
];
const GRANTING = ['can_add_subscribers_group', 'can_administer_channel_group', 'can_subscribe_group'];

let server: TestServer;
let owner: ApiClient;
let admin: ApiClient;
/** Creates the channels, and so administers them. */
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let guest: ApiClient;
let made = 0;

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  [admin, guest] = [await server.user('Adam Admin'), await server.user('Gus Guest')];
  await owner.ok('PATCH', '/realm', { send_channel_events_messages: true });
  await owner.ok('PATCH', `/users/${admin.userId}`, { role: 200 });
  await owner.ok('PATCH', `/users/${guest.userId}`, { role: 600 });
});
afterAll(() => server.stop());

const patch = (client: ApiClient, id: number, parameters: Record<string, unknown>): Promise<Answer> =>
  client.call('PATCH', `/streams/${id}`, parameters);
const changed = async (client: ApiClient, id: number, parameters: Record<string, unknown>): Promise<void> => {
  await client.ok('PATCH', `/streams/${id}`, parameters);
};
const channel = async (id: number, client = ann): Promise<any> => (await client.ok('GET', `/streams/${id}`)).stream;
const room = (...others: ApiClient[]): Promise<number> => channelOf(`room ${++made}`, ann, ...others);
const privateRoom = async (settings: Record<string, unknown> = {}, ...others: ApiClient[]): Promise<number> => {
  const name = `private room ${++made}`;
  const principals = [ann, ...others].map(({ userId }) => userId);
  await ann.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals,
    invite_only: true,
    send_new_subscription_messages: false,
    ...settings,
  });
  return (await ann.ok('GET', '/get_stream_id', { stream: name })).stream_id;
};
const queueOf = (client: ApiClient, parameters = CAPABLE as object): Promise<TestQueue> =>
  client.register({ event_types: TYPES, ...parameters });
const told = async (queue: TestQueue): Promise<any[]> =>
  (await queue.pending()).map(({ id: _, ...event }: any) => event);
/** As many events as are awaited. Notices follow the answer when the server is busy. */
const awaited = async (queue: TestQueue, count: number): Promise<any[]> => {
  const events: any[] = [];
  while (events.length < count) events.push(...(await queue.poll()));
  return events;
};
const update = (id: number, name: string, property: string, value: unknown, aside = {}): any => ({
  type: 'stream',
  op: 'update',
  stream_id: id,
  name,
  property,
  value,
  ...aside,
});
const gone = (id: number): any => ({ type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id }] });
const notices = async (id: number, client = ann): Promise<string[]> => {
  const topic = [
    { operator: 'channel', operand: id },
    { operator: 'topic', operand: 'channel events' },
  ];
  const messages = await messagesIn(client, topic, { apply_markdown: false });
  for (const { sender_full_name } of messages) expect(sender_full_name).toBe('Notification Bot');
  return messages.map(({ content }) => content);
};

describe('the name', () => {
  test('changes for all users, with an event that has the former one, and a notice', async () => {
    const id = await room(ben);
    const { name } = await channel(id);
    const queues = await Promise.all([ann, cleo, admin].map((client) => queueOf(client)));
    const outside = await queueOf(guest);
    await changed(ann, id, { new_name: `  Renamed ${made} ` });
    expect((await channel(id)).name).toBe(`Renamed ${made}`);
    for (const queue of queues) expect((await told(queue))[0]).toEqual(update(id, name, 'name', `Renamed ${made}`));
    expect(await told(outside)).toEqual([]);
    expect((await notices(id)).at(-1)).toBe(
      `@_**Ann Archer|${ann.userId}** renamed channel **${name}** to **Renamed ${made}**.`,
    );
    expectRefusal(await ann.call('GET', '/get_stream_id', { stream: name }), 'BAD_REQUEST');
    await ann.send(`Renamed ${made}`, 't', 'x');
    expectRefusal(
      await ann.call('POST', '/messages', { type: 'channel', to: name, topic: 't', content: 'x' }),
      'STREAM_DOES_NOT_EXIST',
    );
  });

  test('may differ in case alone, and is free once it is given up', async () => {
    const [id, other] = [await room(), await room()];
    const { name } = await channel(id);
    await changed(ann, id, { new_name: name.toUpperCase() });
    expect((await channel(id)).name).toBe(name.toUpperCase());
    await changed(ann, id, { new_name: `something ${made}` });
    await changed(ann, other, { new_name: name });
    expect((await ann.ok('GET', '/get_stream_id', { stream: name })).stream_id).toBe(other);
  });

  test.each([
    ['of another channel', 'Taken'],
    ['that it has', 'Mine'],
    ['that is empty', '  '],
    ['that is too long', 'x'.repeat(61)],
    ['with a control character', 'a\u0007b'],
  ])('%s is refused', async (_, new_name) => {
    const [id, other] = [await room(), await room()];
    await changed(ann, id, { new_name: `Mine${new_name === 'Mine' ? '' : made}` });
    if (new_name === 'Taken') await changed(ann, other, { new_name: 'taken' });
    const before = await channel(id);
    expectRefusal(await patch(ann, id, { new_name, description: 'new' }), 'BAD_REQUEST');
    expect(await channel(id)).toEqual(before);
  });
});

describe('the description', () => {
  test('is rendered, of one line, and quoted in the notice', async () => {
    const id = await room();
    await changed(ann, id, { description: 'old' });
    const queue = await queueOf(cleo);
    await changed(ann, id, { description: 'a **bold**\nword' });
    const rendered_description = '<p>a <strong>bold</strong> word</p>';
    expect(await channel(id)).toMatchObject({ description: 'a **bold** word', rendered_description });
    const { name } = await channel(id);
    expect(await told(queue)).toEqual([
      update(id, name, 'description', 'a **bold** word', { rendered_description }),
      // The first messages of the channel are its notices.
    ]);
    const notice = (await notices(id)).at(-1)!;
    expect(notice).toContain('changed the description for this channel.');
    expect(notice).toMatch(/Old description[^]*old[^]*New description[^]*a \*\*bold\*\* word/);
    await changed(ann, id, { description: '' });
    expect(await channel(id)).toMatchObject({ description: '', rendered_description: '' });
    expectRefusal(await patch(ann, id, { description: 'x'.repeat(1025) }), 'BAD_REQUEST');
  });
});

describe('privacy', () => {
  test('a public channel that turns private is gone for those outside, and closed to administrators', async () => {
    const id = await room(ben);
    const messageId = await ann.send(id, 't', 'hello');
    await cleo.ok('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: [messageId] });
    const { name } = await channel(id);
    const [inside, outside, above] = await Promise.all([ben, cleo, admin].map((client) => queueOf(client)));
    await changed(ann, id, { is_private: true });
    expect(await channel(id)).toMatchObject({
      invite_only: true,
      is_web_public: false,
      history_public_to_subscribers: false,
    });
    const event = update(id, name, 'invite_only', true, {
      history_public_to_subscribers: false,
      is_web_public: false,
    });
    expect(await told(inside!)).toEqual([event]);
    expect(await told(above!)).toEqual([event]);
    expect(await told(outside!)).toEqual([gone(id)]);
    expectRefusal(await cleo.call('GET', `/streams/${id}`), 'BAD_REQUEST');
    for (const client of [cleo, admin]) {
      expectRefusal(await client.call('GET', `/messages/${messageId}`), 'BAD_REQUEST');
      expect((await client.register()).state.starred_messages).toEqual([]);
    }
    expect((await notices(id)).at(-1)).toMatch(/from \*\*Public\*\* to \*\*Private protected history\*\*/);
  });

  test('a private channel that turns public appears, with its subscribers', async () => {
    const id = await privateRoom({ history_public_to_subscribers: true }, ben);
    const [inside, outside, visitor] = await Promise.all([ben, cleo, guest].map((client) => queueOf(client)));
    await changed(ann, id, { is_private: false });
    const stream = await channel(id, cleo);
    expect(stream).toMatchObject({ invite_only: false, history_public_to_subscribers: true });
    expect(await told(inside!)).toEqual([
      update(id, stream.name, 'invite_only', false, { history_public_to_subscribers: true, is_web_public: false }),
    ]);
    expect(await told(outside!)).toEqual([
      // Its subscribers are counted as they follow.
      { type: 'stream', op: 'create', streams: [{ ...stream, subscriber_count: 0 }] },
      {
        type: 'subscription',
        op: 'peer_add',
        stream_ids: [id],
        user_ids: [ann.userId, ben.userId].sort((a, b) => a - b),
      },
    ]);
    expect(await told(visitor!)).toEqual([]);
  });

  test('history alone changes as the privacy does, which clients know', async () => {
    const id = await privateRoom({}, ben);
    const early = await ann.send(id, 't', 'before Cleo');
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: (await channel(id)).name }],
      principals: [cleo.userId],
    });
    expectRefusal(await cleo.call('GET', `/messages/${early}`), 'BAD_REQUEST');
    const queue = await queueOf(cleo);
    await changed(ann, id, { history_public_to_subscribers: true });
    const { name } = await channel(id);
    const aside = { history_public_to_subscribers: true, is_web_public: false };
    expect(await told(queue)).toEqual([update(id, name, 'invite_only', true, aside)]);
    await cleo.ok('GET', `/messages/${early}`);
    await changed(ann, id, { is_private: true, history_public_to_subscribers: false });
    expectRefusal(await cleo.call('GET', `/messages/${early}`), 'BAD_REQUEST');
    expect((await notices(id)).at(-1)).toMatch(/Private shared history.*Private protected history/);
  });

  test.each([
    ['public with protected history', { is_private: false, history_public_to_subscribers: false }],
    ['web-public and private', { is_private: true, is_web_public: true }],
    ['web-public with protected history', { is_web_public: true, history_public_to_subscribers: false }],
    ['web-public, where nobody reads without an account', { is_web_public: true }],
  ])('%s is refused', async (_, parameters) => {
    const id = await room();
    const before = await channel(id);
    expectRefusal(await patch(ann, id, { ...parameters, description: 'new' }), 'BAD_REQUEST');
    expectRefusal(await patch(owner, id, parameters), 'BAD_REQUEST');
    expect(await channel(id)).toEqual(before);
  });

  describe('web-public', () => {
    beforeAll(() => owner.ok('PATCH', '/realm', { enable_spectator_access: true }));
    afterAll(() => owner.ok('PATCH', '/realm', { enable_spectator_access: false }));

    test('goes with shared history alone, when it is made and in either order of changes', async () => {
      const protectedHistory = { history_public_to_subscribers: false };
      const made = (name: string, settings: object) =>
        owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }], is_web_public: true, ...settings });
      expectRefusal(await made('Glass', protectedHistory), 'BAD_REQUEST');
      expect((await made('Glass', { history_public_to_subscribers: true })).status).toBe(200);
      const { stream_id: glass } = await owner.ok('GET', '/get_stream_id', { stream: 'Glass' });
      expectRefusal(await patch(owner, glass, protectedHistory), 'BAD_REQUEST');
      expectRefusal(await patch(owner, await room(), { is_web_public: true, ...protectedHistory }), 'BAD_REQUEST');
      const den = await privateRoom(protectedHistory);
      for (const opened of [{}, { is_private: false, ...protectedHistory }])
        expectRefusal(await patch(owner, den, { is_web_public: true, ...opened }), 'BAD_REQUEST');
    });

    test('is for holders of the permission, and shows the channel to guests', async () => {
      const id = await room(ben);
      const [visitor, member] = await Promise.all([guest, cleo].map((client) => queueOf(client)));
      expectRefusal(await patch(ann, id, { is_web_public: true }), 'BAD_REQUEST');
      await changed(owner, id, { is_web_public: true });
      const stream = await channel(id, guest);
      expect(stream).toMatchObject({ is_web_public: true, invite_only: false });
      expect(await told(member!)).toEqual([
        update(id, stream.name, 'invite_only', false, { history_public_to_subscribers: true, is_web_public: true }),
      ]);
      expect((await told(visitor!)).map(({ op }) => op)).toEqual(['create', 'peer_add']);
      await changed(owner, id, { is_web_public: false });
      expect(await told(visitor!)).toEqual([gone(id)]);
      expect((await notices(id)).at(-1)).toMatch(/from \*\*Web-public\*\* to \*\*Public\*\*/);
    });
  });
});

describe('permission settings', () => {
  test.each(PERMISSIONS)('%s changes, is shown and told', async (name) => {
    const id = await room();
    const stream = await channel(id);
    const queue = await queueOf(ann);
    const value = { direct_members: [ben.userId], direct_subgroups: [MODERATORS] };
    await changed(owner, id, { [name]: { new: value, old: stream[name] } });
    expect((await channel(id))[name]).toEqual(value);
    const legacy =
      name === 'can_send_message_group'
        ? [update(id, stream.name, 'stream_post_policy', 1), update(id, stream.name, 'is_announcement_only', false)]
        : [];
    expect((await told(queue)).slice(0, 1 + legacy.length)).toEqual([update(id, stream.name, name, value), ...legacy]);
    await changed(owner, id, { [name]: { new: { direct_members: [], direct_subgroups: [MEMBERS] } } });
    expect((await channel(id))[name]).toBe(MEMBERS);
    await changed(owner, id, { [name]: { new: { direct_members: [], direct_subgroups: [] } } });
    expect((await channel(id))[name]).toBe(NOBODY);
  });

  test('of who may send is told to older clients as their policies, in order', async () => {
    const id = await room();
    const { name } = await channel(id);
    const queue = await queueOf(ann);
    for (const [group, policy] of [
      [ADMINISTRATORS, 2],
      [FULL_MEMBERS, 3],
      [MODERATORS, 4],
      [MEMBERS, 1],
    ]) {
      await changed(ann, id, { can_send_message_group: { new: group } });
      expect(await told(queue)).toEqual([
        update(id, name, 'can_send_message_group', group),
        update(id, name, 'stream_post_policy', policy),
        update(id, name, 'is_announcement_only', policy === 2),
      ]);
    }
    expect((await notices(id)).at(-1)).toMatch(/posting permissions[^]*Moderators[^]*Members/);
  });

  test.each(PERMISSIONS)('%s: which groups it may name is what register says', async (name) => {
    const id = await room();
    const { server_supported_permission_settings: supported } = (await owner.register()).state;
    // One of a later level is not listed.
    const isAllowed = supported.stream[name]?.allow_everyone_group ?? name === 'can_create_topic_group';
    expect(isAllowed).toBe(!GRANTING.includes(name));
    const before = (await channel(id))[name];
    for (const value of [EVERYONE, { direct_members: [ben.userId], direct_subgroups: [EVERYONE] }]) {
      const answer = await patch(owner, id, { [name]: { new: value } });
      if (!isAllowed) expectRefusal(answer, 'BAD_REQUEST');
      else expect(answer.status).toBe(200);
    }
    if (!isAllowed) expect((await channel(id))[name]).toEqual(before);
    expectRefusal(await patch(owner, id, { [name]: { new: INTERNET } }), 'BAD_REQUEST');
    const answer = await owner.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: `for everyone ${name}` }],
      [name]: EVERYONE,
    });
    expect(answer.status).toBe(isAllowed ? 200 : 400);
  });

  test.each<[string, unknown, string]>([
    ['an unknown group', { new: 999_999 }, 'BAD_REQUEST'],
    ['an unknown user', { new: { direct_members: [999_999], direct_subgroups: [] } }, 'BAD_REQUEST'],
    ['another old value', { new: MEMBERS, old: OWNERS }, 'EXPECTATION_MISMATCH'],
    ['no new value', { old: NOBODY }, 'BAD_REQUEST'],
    ['a bare value', MEMBERS, 'BAD_REQUEST'],
  ])('%s is refused, with everything else in the request', async (_, value, code) => {
    const id = await room();
    const before = await channel(id);
    const queue = await queueOf(ann);
    const more = { new_name: `never ${made}`, description: 'never' };
    const answer = await patch(owner, id, { ...more, can_subscribe_group: value });
    expectRefusal(answer, code);
    expect(await channel(id)).toEqual(before);
    expect(await told(queue)).toEqual([]);
  });

  test('a deactivated group holds none', async () => {
    const id = await room();
    const { group_id } = await owner.ok('POST', '/user_groups/create', {
      name: `over ${made}`,
      description: '',
      members: [],
    });
    await owner.ok('POST', `/user_groups/${group_id}/deactivate`);
    expectRefusal(await patch(ann, id, { can_send_message_group: { new: group_id } }), 'BAD_REQUEST');
  });

  test('who deletes is set by who may set it', async () => {
    const id = await room();
    for (const name of ['can_delete_any_message_group', 'can_delete_own_message_group']) {
      expectRefusal(await patch(ann, id, { [name]: { new: MEMBERS } }), 'BAD_REQUEST');
      await changed(admin, id, { [name]: { new: MEMBERS } });
      // What stays as it is needs no permission.
      await changed(ann, id, { [name]: { new: MEMBERS } });
    }
  });

  test('those who gain a private channel by a setting see it, and those who lose it do not', async () => {
    const id = await privateRoom({}, ben);
    const queue = await queueOf(cleo);
    const named = { direct_members: [cleo.userId, guest.userId], direct_subgroups: [] };
    const visitor = await queueOf(guest);
    await changed(ann, id, { can_subscribe_group: { new: named } });
    expect((await told(queue)).map(({ type, op }) => `${type}/${op}`)).toEqual([
      'stream/create',
      'subscription/peer_add',
    ]);
    expect((await channel(id, cleo)).can_subscribe_group).toEqual({
      direct_members: [cleo.userId, guest.userId].sort((a, b) => a - b),
      direct_subgroups: [],
    });
    await changed(ann, id, { can_subscribe_group: { new: NOBODY }, description: 'closed again' });
    expect(await told(queue)).toEqual([gone(id)]);
    expect(await told(visitor)).toEqual([]);
  });
});

describe('other settings', () => {
  test('retention is set by owners', async () => {
    const id = await room();
    const queue = await queueOf(cleo);
    const { name } = await channel(id);
    for (const [given, kept] of [
      [30, 30],
      ['unlimited', -1],
      ['realm_default', null],
    ]) {
      await changed(owner, id, { message_retention_days: given });
      expect((await channel(id)).message_retention_days).toBe(kept);
      expect((await told(queue))[0]).toEqual(update(id, name, 'message_retention_days', kept));
    }
    for (const client of [ann, admin])
      expectRefusal(await patch(client, id, { message_retention_days: 3 }), 'UNAUTHORIZED_PRINCIPAL');
    for (const message_retention_days of [0, -1, 'for ever', 1.5])
      expect((await patch(owner, id, { message_retention_days })).status).toBe(400);
    expect((await notices(id)).at(-1)).toMatch(/retention period[^]*forever[^]*organization's setting/);
  });

  test('the topics policy', async () => {
    const id = await room();
    const queue = await queueOf(cleo);
    const { name } = await channel(id);
    await changed(ann, id, { topics_policy: 'disable_empty_topic' });
    expect(await told(queue)).toEqual([update(id, name, 'topics_policy', 'disable_empty_topic')]);
    const refused = await ann.call('POST', '/messages', { type: 'channel', to: id, topic: '', content: 'x' });
    expect(expectRefusal(refused, 'BAD_REQUEST')).toHaveProperty('empty_topic_display_name');
    await ann.send(id, 'named', 'x');
    expectRefusal(await patch(ann, id, { topics_policy: 'empty_topic_only' }), 'BAD_REQUEST');
    expectRefusal(await patch(ann, id, { topics_policy: 'nothing' }), 'BAD_REQUEST');
    await changed(ann, id, { topics_policy: '"allow_empty_topic"' });
    expect((await channel(id)).topics_policy).toBe('allow_empty_topic');
    await owner.ok('PATCH', '/realm', { can_set_topics_policy_group: { new: ADMINISTRATORS } });
    expectRefusal(await patch(ann, id, { topics_policy: 'inherit' }), 'BAD_REQUEST');
    await owner.ok('PATCH', '/realm', { can_set_topics_policy_group: { new: MEMBERS } });
  });

  test.each([
    ['can_set_topics_policy_group', { topics_policy: 'disable_empty_topic' }],
    ['can_set_delete_message_policy_group', { can_delete_own_message_group: { new: MEMBERS } }],
  ])('%s names others, and administrators may nevertheless', async (permission, change) => {
    const id = await room();
    await owner.ok('PATCH', '/realm', {
      [permission]: { new: { direct_members: [ben.userId], direct_subgroups: [] } },
    });
    expectRefusal(await patch(ann, id, change), 'BAD_REQUEST');
    await changed(admin, id, change);
    // A new channel takes the setting itself.
    const settings = 'topics_policy' in change ? change : { can_delete_own_message_group: MEMBERS };
    const subscriptions = [{ name: `by an administrator, ${permission}` }];
    expect((await admin.call('POST', '/users/me/subscriptions', { subscriptions, ...settings })).status).toBe(200);
    await owner.ok('PATCH', '/realm', { [permission]: { new: MEMBERS } });
  });

  test('only the empty topic, where there is no other', async () => {
    await owner.ok('PATCH', '/realm', { send_channel_events_messages: false });
    const id = await room();
    await ann.send(id, '', 'x');
    await changed(ann, id, { topics_policy: 'empty_topic_only' });
    const named = await ann.call('POST', '/messages', { type: 'channel', to: id, topic: 'named', content: 'x' });
    expectRefusal(named, 'BAD_REQUEST');
    await owner.ok('PATCH', '/realm', { send_channel_events_messages: true });
    await changed(ann, id, { description: 'told in the empty topic' });
    const messages = await messagesIn(ann, [{ operator: 'channel', operand: id }]);
    expect(messages.map(({ subject }) => subject)).toEqual(['', '']);
  });

  test('default channels are set by administrators, and are not private', async () => {
    const [id, hidden] = [await room(), await privateRoom()];
    const [queue, visitor] = [await queueOf(cleo), await queueOf(guest)];
    expectRefusal(await patch(ann, id, { is_default_stream: true }), 'UNAUTHORIZED_PRINCIPAL');
    await changed(admin, id, { is_default_stream: true });
    const defaults = (await cleo.register()).state.realm_default_streams;
    expect(defaults).toContain(id);
    expect(await told(queue)).toEqual([{ type: 'default_streams', default_streams: defaults }]);
    expect(await told(visitor)).toEqual([]);
    expectRefusal(await patch(ann, id, { is_private: true }), 'BAD_REQUEST');
    expectRefusal(await patch(admin, hidden, { is_default_stream: true }), 'BAD_REQUEST');
    await changed(admin, id, { is_default_stream: false, is_private: false });
    expect((await cleo.register()).state.realm_default_streams).not.toContain(id);
    expect((await told(queue)).map(({ type }) => type)).toEqual(['default_streams']);
  });

  test('a folder that does not exist is refused, and none is none', async () => {
    const id = await room();
    expectRefusal(await patch(ann, id, { folder_id: 999_999 }), 'BAD_REQUEST');
    await changed(ann, id, { folder_id: null });
  });

  test('three at once are three, told in one go', async () => {
    const id = await room();
    const { name } = await channel(id);
    const queue = await queueOf(cleo);
    const new_name = `three ${made}`;
    const topics_policy = 'allow_empty_topic';
    await changed(ann, id, { new_name, description: 'd', topics_policy });
    expect(await channel(id)).toMatchObject({ name: new_name, description: 'd', topics_policy });
    expect(await told(queue)).toEqual([
      update(id, name, 'name', new_name),
      update(id, new_name, 'description', 'd', { rendered_description: '<p>d</p>' }),
      update(id, new_name, 'topics_policy', topics_policy),
    ]);
    await changed(ann, id, { description: 'd', topics_policy, is_private: false, is_archived: false });
    expect(await told(queue)).toEqual([]);
  });

  test('notices are not sent where the organization does not want them', async () => {
    await owner.ok('PATCH', '/realm', { send_channel_events_messages: false });
    const id = await room();
    await changed(ann, id, { description: 'quiet' });
    expect(await notices(id)).toEqual([]);
    await owner.ok('PATCH', '/realm', { send_channel_events_messages: true });
  });

  test('a notice is read for the actor alone', async () => {
    const id = await room(ben);
    await changed(ann, id, { description: 'news' });
    const unreadIn = async (client: ApiClient): Promise<number[]> =>
      (await client.register()).state.unread_msgs!.streams.map(({ stream_id }: any) => stream_id);
    expect(await unreadIn(ann)).not.toContain(id);
    expect(await unreadIn(ben)).toContain(id);
  });

  test('a notice comes read to the actor, and leaves unread what else is in its topic', async () => {
    const id = await room(ben);
    const others = await ben.send(id, 'channel events', 'what is this?');
    const [own, foreign] = await Promise.all(
      [ann, ben].map((client) => client.register({ event_types: ['message', 'update_message_flags'] })),
    );
    await changed(ann, id, { new_name: `renamed ${made}` });
    const flags = (events: readonly any[]): unknown[] => events.map(({ type, flags }) => [type, flags]);
    expect(flags(await awaited(own!, 1))).toEqual([['message', ['read']]]);
    expect(flags(await awaited(foreign!, 1))).toEqual([['message', []]]);
    const narrow = [
      { operator: 'channel', operand: id },
      { operator: 'is', operand: 'unread' },
    ];
    expect((await messagesIn(ann, narrow)).map((message) => message.id)).toEqual([others]);
    expect((await ann.ok('GET', `/messages/${others}`)).message.flags).toEqual([]);
  });
});

describe('who may', () => {
  const CHANGES: readonly Record<string, unknown>[] = [
    { new_name: 'no' },
    { description: 'no' },
    { is_private: true },
    { is_archived: true },
    { can_send_message_group: { new: OWNERS } },
    { topics_policy: 'allow_empty_topic' },
    {},
  ];

  test('nobody but administrators of the channel', async () => {
    const id = await room(ben);
    const before = await channel(id);
    for (const client of [ben, cleo])
      for (const parameters of CHANGES) expectRefusal(await patch(client, id, parameters), 'BAD_REQUEST');
    expectRefusal(await ben.call('DELETE', `/streams/${id}`), 'BAD_REQUEST');
    expect(await channel(id)).toEqual(before);
    await changed(ann, id, {
      can_administer_channel_group: { new: { direct_members: [ben.userId], direct_subgroups: [] } },
    });
    await changed(ben, id, { description: 'yes' });
    expectRefusal(await patch(ann, id, { description: 'no more' }), 'BAD_REQUEST');
    await changed(admin, id, { description: 'always' });
  });

  test('a guest who is named does not', async () => {
    const id = await room(guest);
    const named = { new: { direct_members: [guest.userId], direct_subgroups: [] } };
    await changed(ann, id, { can_administer_channel_group: named });
    expectRefusal(await patch(guest, id, { description: 'no' }), 'BAD_REQUEST');
  });

  test('an invisible channel and none look alike', async () => {
    const id = await privateRoom();
    for (const parameters of CHANGES) {
      const [hidden, none] = [await patch(cleo, id, parameters), await patch(cleo, 999_999, parameters)];
      expect(hidden.text).toBe(none.text);
      expectRefusal(hidden, 'BAD_REQUEST');
    }
    const [hidden, none] = [await cleo.call('DELETE', `/streams/${id}`), await cleo.call('DELETE', '/streams/999999')];
    expect(expectRefusal(hidden, 'BAD_REQUEST')).toEqual(none.body);
  });

  test('an administrator who cannot read a channel changes it, and not who can', async () => {
    const id = await privateRoom();
    await changed(admin, id, {
      new_name: `by admin ${made}`,
      description: 'd',
      can_send_message_group: { new: MEMBERS },
    });
    for (const parameters of [
      { is_private: false },
      { history_public_to_subscribers: true },
      { can_subscribe_group: { new: ADMINISTRATORS } },
      { can_add_subscribers_group: { new: ADMINISTRATORS } },
    ])
      expectRefusal(await patch(admin, id, { description: 'no', ...parameters }), 'BAD_REQUEST');
    expect(await channel(id)).toMatchObject({ description: 'd', invite_only: true, can_subscribe_group: NOBODY });
  });
});

describe('archiving', () => {
  test('is told to clients that know archived channels, and is an end to the others', async () => {
    const id = await room(ben);
    const messageId = await ann.send(id, 't', 'kept');
    const { name } = await channel(id);
    const [capable, legacy, outside] = [await queueOf(ben), await queueOf(ben, {}), await queueOf(cleo, {})];
    await ann.ok('DELETE', `/streams/${id}`);
    expect(await told(capable)).toEqual([update(id, name, 'is_archived', true)]);
    for (const queue of [legacy, outside]) expect(await told(queue)).toEqual([gone(id)]);
    expect(await channel(id)).toMatchObject({ name, is_archived: true });
    expect((await ben.ok('GET', `/messages/${messageId}`)).raw_content).toBe('kept');
    expect((await ben.ok('GET', `/streams/${id}/members`)).subscribers).toContain(ben.userId);
    expect((await notices(id, ben)).at(-1)).toMatch(/archived the channel/);
    const { streams, subscriptions } = (await ben.register(CAPABLE)).state;
    for (const list of [streams!, subscriptions!])
      expect(list.find(({ stream_id }: any) => stream_id === id)).toMatchObject({ is_archived: true });
    const old = (await ben.register()).state;
    for (const list of [old.streams!, old.subscriptions!, old.never_subscribed!, old.unsubscribed!])
      expect(list.map(({ stream_id }: any) => stream_id)).not.toContain(id);
    const listed = async (parameters = {}): Promise<number[]> =>
      (await ben.ok('GET', '/streams', parameters)).streams.map(({ stream_id }: any) => stream_id);
    expect(await listed()).not.toContain(id);
    expect(await listed({ exclude_archived: false })).toContain(id);
  });

  test('makes what is unread there read, and nothing can be written there any more', async () => {
    const id = await room(ben);
    const messageId = await ann.send(id, 't', 'unread');
    expect((await ben.ok('GET', `/messages/${messageId}`)).message.flags).toEqual([]);
    const queue = await ben.register({ event_types: ['update_message_flags'] });
    await changed(ann, id, { is_archived: true });
    expect((await ben.ok('GET', `/messages/${messageId}`)).message.flags).toEqual(['read']);
    expect(await told(queue)).toEqual([
      expect.objectContaining({ op: 'add', flag: 'read', messages: expect.arrayContaining([messageId]) }),
    ]);
    expect(
      (await ben.register(CAPABLE)).state.unread_msgs!.streams.map(({ stream_id }: any) => stream_id),
    ).not.toContain(id);
    const refused: [ApiClient, string, string, Record<string, unknown>][] = [
      [ann, 'POST', '/messages', { type: 'channel', to: id, topic: 't', content: 'x' }],
      [ann, 'PATCH', `/messages/${messageId}`, { content: 'x' }],
      [ann, 'PATCH', `/messages/${messageId}`, { topic: 'elsewhere' }],
      [ben, 'POST', `/messages/${messageId}/reactions`, { emoji_name: 'tada' }],
      [owner, 'DELETE', `/messages/${messageId}`, {}],
      [owner, 'POST', `/streams/${id}/delete_topic`, { topic_name: 't' }],
      [ann, 'POST', '/typing', { type: 'channel', op: 'start', stream_id: id, topic: 't' }],
    ];
    for (const [client, method, path, parameters] of refused)
      expectRefusal(await client.call(method, path, parameters), 'BAD_REQUEST');
    const elsewhere = await ann.send(await room(), 't', 'x');
    expectRefusal(await ann.call('PATCH', `/messages/${elsewhere}`, { stream_id: id }), 'BAD_REQUEST');
    await ben.ok('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: [messageId] });
  });

  test('takes it out of the default channels', async () => {
    const id = await room();
    await changed(admin, id, { is_default_stream: true });
    const queue = await queueOf(cleo);
    await ann.ok('DELETE', `/streams/${id}`);
    const events = await told(queue);
    expect(events.find(({ type }) => type === 'default_streams').default_streams).not.toContain(id);
    expectRefusal(await patch(admin, id, { is_default_stream: true }), 'BAD_REQUEST');
    await changed(ann, id, { is_archived: false });
    expect((await cleo.register()).state.realm_default_streams).not.toContain(id);
  });

  test('again is refused by DELETE, and nothing by PATCH', async () => {
    const id = await room();
    await ann.ok('DELETE', `/streams/${id}`);
    expectRefusal(await ann.call('DELETE', `/streams/${id}`), 'BAD_REQUEST');
    const queue = await queueOf(ann);
    await changed(ann, id, { is_archived: true });
    expect(await told(queue)).toEqual([]);
  });

  test('keeps the name', async () => {
    const id = await room();
    const { name } = await channel(id);
    await ann.ok('DELETE', `/streams/${id}`);
    expectRefusal(await patch(ann, await room(), { new_name: name }), 'BAD_REQUEST');
    expect((await ann.ok('GET', '/get_stream_id', { stream: name })).stream_id).toBe(id);
  });

  test('an archived channel is renamed, changed, joined and left, and clients that do not know it are told nothing', async () => {
    const id = await room(ben);
    await ann.ok('DELETE', `/streams/${id}`);
    const [capable, legacy] = [await queueOf(ben), await queueOf(ben, {})];
    const joiner = await queueOf(cleo, {});
    const name = `archived ${made}`;
    await changed(ann, id, { new_name: name, can_send_message_group: { new: MODERATORS } });
    await cleo.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] });
    await cleo.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
    expect((await told(capable)).map(({ op, property }) => property ?? op)).toEqual([
      'name',
      'can_send_message_group',
      'stream_post_policy',
      'is_announcement_only',
      'peer_add',
      'peer_remove',
    ]);
    expect(await told(legacy)).toEqual([]);
    expect(await told(joiner)).toEqual([]);
  });

  test('ends: the channel is there again, with its subscribers, for every client', async () => {
    const id = await room(ben);
    await ann.ok('DELETE', `/streams/${id}`);
    const subscribers = { include_subscribers: 'true' };
    const [capable, legacy, outside] = [
      await queueOf(ben),
      await queueOf(ben, subscribers),
      await queueOf(cleo, subscribers),
    ];
    await changed(ann, id, { is_archived: false });
    const stream = await channel(id);
    expect((await told(capable))[0]).toEqual(update(id, stream.name, 'is_archived', false));
    const both = [ann.userId, ben.userId].sort((a, b) => a - b);
    const [create, add] = await told(legacy);
    expect(create).toMatchObject({ op: 'create', streams: [{ stream_id: id, is_archived: false }] });
    expect(add).toMatchObject({
      op: 'add',
      subscriptions: [{ stream_id: id, subscribers: both, subscriber_count: 2 }],
    });
    expect((await told(outside)).slice(0, 2)).toEqual([
      { type: 'stream', op: 'create', streams: [{ ...stream, subscriber_count: 0 }] },
      { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: both },
    ]);
    await ben.send(id, 't', 'again');
    expect((await notices(id)).at(-1)).toMatch(/unarchived the channel/);
  });

  test('is followed by notices that nobody has to read: its end makes the notice of it unread alone', async () => {
    const id = await room(ben);
    const queue = await ben.register({ ...CAPABLE, event_types: ['message'] });
    await ann.ok('DELETE', `/streams/${id}`);
    await changed(ann, id, { new_name: `archived as ${made}`, description: 'What it was' });
    const arrived = await awaited(queue, 3);
    expect(arrived.map(({ flags }) => flags)).toEqual([['read'], ['read'], ['read']]);
    const said = arrived.map(({ message }) => message.content).join();
    for (const words of [/ archived the channel/, /renamed channel/, /description/]) expect(said).toMatch(words);
    await changed(ann, id, { is_archived: false });
    const [{ message, flags }] = await awaited(queue, 1);
    expect({ flags, content: message.content }).toEqual({
      flags: [],
      content: expect.stringMatching(/unarchived the channel/),
    });
    const { streams } = (await ben.register(CAPABLE)).state.unread_msgs!;
    expect(streams.filter(({ stream_id }: any) => stream_id === id)).toEqual([
      { stream_id: id, topic: 'channel events', unread_message_ids: [message.id] },
    ]);
  });

  test('a private channel without subscribers stays archived', async () => {
    const id = await privateRoom();
    const { name } = await channel(id);
    await ann.ok('DELETE', `/streams/${id}`);
    await ann.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
    expectRefusal(await patch(admin, id, { is_archived: false }), 'BAD_REQUEST');
  });
});

describe('a role', () => {
  test('that shows private channels shows their subscribers', async () => {
    const id = await privateRoom({}, ben);
    const dora = await server.user('Dora Day');
    const queue = await queueOf(dora);
    await owner.ok('PATCH', `/users/${dora.userId}`, { role: 200 });
    const events = await told(queue);
    const { streams } = events.find(({ op }) => op === 'create');
    expect(streams.map(({ stream_id }: any) => stream_id)).toContain(id);
    const peers = events.find(({ op, stream_ids }) => op === 'peer_add' && stream_ids.includes(id));
    expect(peers.user_ids).toEqual([ann.userId, ben.userId].sort((a, b) => a - b));
    await owner.ok('PATCH', `/users/${dora.userId}`, { role: 400 });
    const lost = (await told(queue)).filter(({ op }) => op === 'delete').flatMap(({ stream_ids }) => stream_ids);
    expect(lost).toContain(id);
  });
});

describe('membership of a group', () => {
  const group = async (members: ApiClient[], subgroups: number[] = []): Promise<number> => {
    const asked = {
      name: `circle ${++made}`,
      description: '',
      members: members.map(({ userId }) => userId),
      subgroups,
    };
    return (await owner.ok('POST', '/user_groups/create', asked)).group_id;
  };
  const change = (id: number, list: string, asked: Record<string, number[]>): Promise<unknown> =>
    owner.ok('POST', `/user_groups/${id}/${list}`, asked);
  const kinds = (events: any[]): string[] => events.map(({ type, op }) => `${type}/${op}`);

  test('shows and hides the private channels that name the group, however deep it is nested', async () => {
    const inner = await group([]);
    const outer = await group([], [inner]);
    const id = await privateRoom({ can_subscribe_group: outer }, ben);
    const other = await privateRoom({ can_add_subscribers_group: { direct_members: [], direct_subgroups: [outer] } });
    const [queue, guests, owners] = [await queueOf(cleo), await queueOf(guest), await queueOf(admin)];
    expectRefusal(await cleo.call('GET', `/streams/${id}`), 'BAD_REQUEST');
    await change(inner, 'members', { add: [cleo.userId, guest.userId, admin.userId] });
    const [create, ...peers] = await told(queue);
    expect(create).toMatchObject({ type: 'stream', op: 'create', streams: [{ stream_id: id }, { stream_id: other }] });
    expect(peers).toEqual([
      { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [ann.userId, ben.userId] },
      { type: 'subscription', op: 'peer_add', stream_ids: [other], user_ids: [ann.userId] },
    ]);
    expect(create.streams).toEqual([{ ...(await channel(id)), subscriber_count: 0 }, expect.anything()]);
    await change(outer, 'subgroups', { delete: [inner] });
    const lost = { type: 'stream', op: 'delete', stream_ids: [id, other] };
    expect(await told(queue)).toEqual([{ ...lost, streams: [{ stream_id: id }, { stream_id: other }] }]);
    expectRefusal(await cleo.call('GET', `/streams/${id}`), 'BAD_REQUEST');
    // Guests see no channel by a group, and administrators all.
    expect([await told(guests), await told(owners)]).toEqual([[], []]);
  });

  test('shows nothing new to subscribers, and nothing that another group or setting shows', async () => {
    const [one, two] = [await group([ben, cleo]), await group([])];
    await privateRoom({ can_subscribe_group: { direct_members: [], direct_subgroups: [one, two] } }, ben);
    const queues = [await queueOf(ben), await queueOf(cleo)];
    await change(two, 'members', { add: [ben.userId, cleo.userId] });
    await change(one, 'members', { delete: [ben.userId, cleo.userId] });
    for (const queue of queues) expect(await told(queue)).toEqual([]);
  });

  test('ends with the waiting period, and begins with it', async () => {
    const id = await privateRoom({ can_subscribe_group: FULL_MEMBERS });
    const queue = await queueOf(cleo);
    await owner.ok('PATCH', '/realm', { waiting_period_threshold: 30 });
    expect(kinds(await told(queue))).toEqual(['stream/delete']);
    expectRefusal(await cleo.call('GET', `/streams/${id}`), 'BAD_REQUEST');
    await owner.ok('PATCH', '/realm', { waiting_period_threshold: 0 });
    expect(kinds(await told(queue))).toEqual(['stream/create', 'subscription/peer_add']);
  });
});
