import { applyEvents, comparable, type ClientState } from './client-model.js';

const channel = (stream_id: number, name: string, more: object = {}) => ({
  stream_id,
  name,
  subscriber_count: 1,
  first_message_id: null,
  ...more,
});

const initial = (): ClientState => ({
  user_id: 1,
  max_message_id: 4,
  unread_msgs: {
    count: 1,
    pms: [],
    streams: [{ stream_id: 10, topic: 'old', unread_message_ids: [4] }],
    huddles: [],
    mentions: [4],
    old_unreads_missing: false,
  },
  starred_messages: [2],
  recent_private_conversations: [{ max_message_id: 3, user_ids: [2] }],
  streams: [channel(10, 'alpha'), channel(11, 'beta')],
  subscriptions: [channel(10, 'alpha', { color: '#111111', is_muted: false, subscribers: [1] })],
  unsubscribed: [],
  never_subscribed: [channel(11, 'beta', { subscribers: [2] })],
  realm_users: [
    { user_id: 1, full_name: 'One', role: 400, is_active: true },
    { user_id: 3, full_name: 'Three', role: 400, is_active: true },
  ],
  realm_non_active_users: [],
  realm_user_groups: [{ id: 5, members: [1], direct_subgroup_ids: [] }],
  realm_default_streams: [10],
});

const after = (...events: object[]): ClientState => applyEvents(initial(), events);
const direct = (id: number, others: number[], flags: string[] = []) => ({
  type: 'message',
  flags,
  message: { id, type: 'private', display_recipient: [1, ...others].map((user) => ({ id: user })), subject: '' },
});
const inChannel = (id: number, stream_id: number, subject: string, flags: string[] = []) => ({
  type: 'message',
  flags,
  message: { id, type: 'stream', stream_id, subject, display_recipient: 'alpha' },
});

test('the arguments are left alone', () => {
  const state = initial();
  const events = [inChannel(5, 10, 'old'), { type: 'stream', op: 'create', streams: [channel(12, 'gamma')] }];
  const copies = structuredClone({ state, events });
  applyEvents(state, events);
  expect({ state, events }).toEqual(copies);
});

test('what passes, and what a register response does not hold, changes nothing', () => {
  expect(after({ type: 'heartbeat', id: 9 }, { type: 'reaction', op: 'add', message_id: 4 })).toEqual(initial());
});

test('an unknown event is an error', () => {
  expect(() => after({ type: 'surprise' })).toThrow('surprise');
});

describe('messages', () => {
  test('arrive unread where they belong', () => {
    const { unread_msgs, max_message_id, recent_private_conversations } = after(
      inChannel(5, 10, 'old', ['mentioned']),
      inChannel(6, 10, 'new', ['read']),
      inChannel(7, 11, 'not subscribed'),
      direct(8, [2]),
      direct(9, [3, 2], ['stream_wildcard_mentioned']),
      direct(10, []),
    );
    expect(max_message_id).toBe(10);
    expect(unread_msgs).toEqual({
      count: 5,
      pms: [
        { other_user_id: 1, sender_id: 1, unread_message_ids: [10] },
        { other_user_id: 2, sender_id: 2, unread_message_ids: [8] },
      ],
      streams: [{ stream_id: 10, topic: 'old', unread_message_ids: [4, 5] }],
      huddles: [{ user_ids_string: '1,2,3', unread_message_ids: [9] }],
      mentions: [4, 5, 9],
      old_unreads_missing: false,
    });
    expect(recent_private_conversations).toEqual([
      { max_message_id: 10, user_ids: [] },
      { max_message_id: 9, user_ids: [2, 3] },
      { max_message_id: 8, user_ids: [2] },
    ]);
  });

  test('the first of a channel is remembered everywhere', () => {
    const state = after(inChannel(5, 10, 'a', ['read']), inChannel(6, 10, 'a', ['read']));
    expect(state.streams?.[0]?.first_message_id).toBe(5);
    expect(state.subscriptions?.[0]?.first_message_id).toBe(5);
  });

  test('move with their place, and out of sight where one is not subscribed', () => {
    const move = {
      type: 'update_message',
      message_id: 4,
      message_ids: [4],
      flags: [],
      stream_id: 10,
      orig_subject: 'old',
    };
    expect(after({ ...move, subject: 'new' }).unread_msgs?.streams).toEqual([
      { stream_id: 10, topic: 'new', unread_message_ids: [4] },
    ]);
    expect(after({ ...move, new_stream_id: 11 }).unread_msgs).toMatchObject({ count: 0, streams: [], mentions: [] });
  });

  test('mention or not as they are edited', () => {
    const edit = {
      type: 'update_message',
      message_id: 4,
      message_ids: [4],
      rendering_only: false,
      content: 'x',
      flags: [],
    };
    expect(after(edit).unread_msgs?.mentions).toEqual([]);
    expect(after(edit, { ...edit, flags: ['mentioned'] }).unread_msgs?.mentions).toEqual([4]);
  });

  test('vanish when they are deleted', () => {
    const state = after({ type: 'delete_message', message_ids: [2, 4] });
    expect(state.unread_msgs).toMatchObject({ count: 0, streams: [], mentions: [] });
    expect(state.starred_messages).toEqual([]);
    expect(after({ type: 'delete_message', message_id: 2 }).starred_messages).toEqual([]);
  });

  test('are read and unread, starred and not', () => {
    const flags = (op: string, flag: string, messages: number[], more: object = {}) => ({
      type: 'update_message_flags',
      op,
      flag,
      messages,
      all: false,
      ...more,
    });
    const read = flags('add', 'read', [4]);
    expect(after(read).unread_msgs).toMatchObject({ count: 0, streams: [] });
    expect(after(direct(8, [2]), flags('add', 'read', [], { all: true })).unread_msgs).toMatchObject({
      count: 0,
      pms: [],
    });
    const message_details = {
      4: { type: 'stream', stream_id: 10, topic: 'old', mentioned: true },
      3: { type: 'private', user_ids: [2, 3] },
    };
    const unread = after(read, flags('remove', 'read', [3, 4], { message_details })).unread_msgs;
    expect(unread).toMatchObject({
      count: 2,
      streams: [{ stream_id: 10, topic: 'old', unread_message_ids: [4] }],
      huddles: [{ user_ids_string: '1,2,3', unread_message_ids: [3] }],
      mentions: [4],
    });
    expect(after(flags('add', 'starred', [1])).starred_messages).toEqual([1, 2]);
    expect(after(flags('remove', 'starred', [2])).starred_messages).toEqual([]);
  });
});

describe('channels', () => {
  const join = {
    type: 'subscription',
    op: 'add',
    subscriptions: [channel(11, 'beta', { color: '#222222', subscriber_count: 2 })],
  };
  const leave = { type: 'subscription', op: 'remove', subscriptions: [{ name: 'alpha', stream_id: 10 }] };
  const peers = (op: string, stream_ids: number[], user_ids: number[]) => ({
    type: 'subscription',
    op,
    stream_ids,
    user_ids,
  });

  test('are joined and left', () => {
    const joined = after(join);
    expect(joined.never_subscribed).toEqual([]);
    expect(joined.subscriptions?.map(({ name }) => name)).toEqual(['alpha', 'beta']);
    expect(joined.subscriptions?.[1]).toMatchObject({ color: '#222222', subscriber_count: 2, subscribers: [1, 2] });
    expect(joined.streams?.[1]?.subscriber_count).toBe(2);
    const left = after(leave);
    expect(left.subscriptions).toEqual([]);
    expect(left.unsubscribed?.[0]).toMatchObject({ stream_id: 10, subscriber_count: 0, subscribers: [] });
    expect(left.streams?.[0]?.subscriber_count).toBe(0);
    expect(left.unread_msgs).toMatchObject({ count: 0, streams: [] });
  });

  test('gain and lose other subscribers', () => {
    const state = after(peers('peer_add', [10, 11], [3]), peers('peer_remove', [11], [2]));
    expect(state.subscriptions?.[0]).toMatchObject({ subscribers: [1, 3], subscriber_count: 2 });
    expect(state.never_subscribed?.[0]).toMatchObject({ subscribers: [3], subscriber_count: 1 });
    expect(state.streams?.map(({ subscriber_count }) => subscriber_count)).toEqual([2, 1]);
  });

  test('change for their subscriber', () => {
    const muted = after({ type: 'subscription', op: 'update', stream_id: 10, property: 'is_muted', value: true });
    expect(muted.subscriptions?.[0]?.is_muted).toBe(true);
    expect(muted.unread_msgs?.count).toBe(0);
    expect(muted.unread_msgs?.streams).toHaveLength(1);
  });

  test('come, change and go', () => {
    const created = after({ type: 'stream', op: 'create', streams: [channel(12, 'aaa')] });
    expect(created.streams?.map(({ name }) => name)).toEqual(['aaa', 'alpha', 'beta']);
    expect(created.never_subscribed?.[0]).toMatchObject({ stream_id: 12, subscribers: [] });
    const renamed = after({
      type: 'stream',
      op: 'update',
      id: 3,
      stream_id: 10,
      name: 'alpha',
      property: 'name',
      value: 'zeta',
    });
    expect(renamed.streams?.map(({ name }) => name)).toEqual(['beta', 'zeta']);
    expect(renamed.subscriptions?.[0]).toMatchObject({ name: 'zeta', color: '#111111' });
    expect(renamed.subscriptions?.[0]).not.toHaveProperty('op');
    const described = { property: 'description', value: 'd', rendered_description: '<p>d</p>' };
    expect(
      after({ type: 'stream', op: 'update', stream_id: 10, name: 'alpha', ...described }).streams?.[0],
    ).toMatchObject({
      description: 'd',
      rendered_description: '<p>d</p>',
    });
    const gone = after({ type: 'stream', op: 'delete', stream_ids: [10], streams: [{ stream_id: 10 }] });
    expect([gone.streams?.length, gone.subscriptions?.length, gone.unread_msgs?.count]).toEqual([1, 0, 0]);
  });

  test('of new members', () => {
    expect(after({ type: 'default_streams', default_streams: [10, 11] }).realm_default_streams).toEqual([10, 11]);
  });
});

describe('people', () => {
  const update = (person: object) => ({ type: 'realm_user', op: 'update', person });

  test('come, change, leave and come back', () => {
    const two = { user_id: 2, full_name: 'Two', role: 400, is_active: true };
    expect(after({ type: 'realm_user', op: 'add', person: two }).realm_users?.map(({ user_id }) => user_id)).toEqual([
      1, 2, 3,
    ]);
    const changed = after(update({ user_id: 3, full_name: 'Drei' }), update({ user_id: 3, role: 200 }));
    expect(changed.realm_users?.[1]).toMatchObject({ full_name: 'Drei', role: 200, is_admin: true, is_owner: false });
    const left = after(update({ user_id: 3, is_active: false }));
    expect(left.realm_users).toHaveLength(1);
    expect(left.realm_non_active_users).toHaveLength(1);
    expect(applyEvents(left, [update({ user_id: 3, is_active: true })])).toEqual(initial());
  });

  test('belong to groups', () => {
    const members = (op: string, user_ids: number[]) => ({ type: 'user_group', op, group_id: 5, user_ids });
    expect(after(members('add_members', [3, 2])).realm_user_groups?.[0]?.members).toEqual([1, 2, 3]);
    expect(after(members('remove_members', [1])).realm_user_groups?.[0]?.members).toEqual([]);
  });
});

test('states compare without what no event tells', () => {
  const one = { ...initial(), queue_id: 'a', last_event_id: 1, server_timestamp: 1 };
  const other = { ...initial(), queue_id: 'b', last_event_id: 2, server_timestamp: 2 };
  expect(comparable(one)).toEqual(comparable(other));
  expect(comparable(one)).not.toEqual(comparable(after(inChannel(5, 10, 'old'))));
});

describe('preferences', () => {
  const state = (): ClientState => ({
    ...initial(),
    alert_words: ['fire'],
    muted_users: [],
    muted_topics: [],
    user_settings: { enter_sends: false, web_home_view: 'inbox' },
    default_view: 'inbox',
    enable_sounds: true,
    user_topics: [{ stream_id: 10, topic_name: 'Old', last_updated: 1, visibility_policy: 2 }],
  });
  const withEvents = (...events: object[]): ClientState => applyEvents(state(), events);
  const policy = (visibility_policy: number, topic_name = 'old') => {
    return { type: 'user_topic', stream_id: 10, topic_name, last_updated: 5, visibility_policy };
  };

  test.each([
    ['alert_words', ['flood']],
    ['muted_users', [{ id: 3, timestamp: 5 }]],
    ['muted_topics', [['alpha', 'old', 5]]],
  ])('%s are told whole', (type, list) => {
    expect(withEvents({ type, [type]: list })[type]).toEqual(list);
    expect(after({ type, [type]: list })).toEqual(initial());
  });

  test('settings change in the object, or as fields of their own', () => {
    expect(
      withEvents({ type: 'user_settings', op: 'update', property: 'enter_sends', value: true })['user_settings'],
    ).toEqual({ enter_sends: true, web_home_view: 'inbox' });
    const display = { type: 'update_display_settings', setting_name: 'default_view', setting: 'all_messages' };
    const sounds = { type: 'update_global_notifications', notification_name: 'enable_sounds', setting: false };
    expect(withEvents(display, sounds)).toMatchObject({ default_view: 'all_messages', enable_sounds: false });
    expect(after(display, sounds)).toEqual(initial());
  });

  test('a topic has one policy, regardless of case, and none at 0', () => {
    const muted = withEvents(policy(1));
    expect(muted.user_topics).toEqual([{ stream_id: 10, topic_name: 'old', last_updated: 5, visibility_policy: 1 }]);
    expect(muted.unread_msgs!.count).toBe(0);
    expect(withEvents(policy(3, 'new')).user_topics!.map(({ topic_name }) => topic_name)).toEqual(['Old', 'new']);
    const ended = withEvents(policy(1), policy(0));
    expect(ended.user_topics).toEqual([]);
    expect(ended.unread_msgs!.count).toBe(1);
  });
});
