import { applyEvents, comparable, fetch, learnFirstMessages } from '#testing';
import { channelId, exchange, expectRefusal, messagesIn } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { PIXEL, upload } from '../../support/uploads.js';

let server: TestServer;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  ann = await server.user('Ann Archer');
  ben = await server.user('Ben Baker');
  cleo = await server.user('Cleo Cole');
  await ann.subscribe('den', 'lab');
  await ben.subscribe('den');
});
afterAll(() => server.stop());

/** As the mobile app starts (clients.md §1.2). */
const MOBILE = {
  idle_queue_timeout: '"mobile"',
  apply_markdown: true,
  slim_presence: true,
  client_gravatar: false,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
    individual_emoji_changes: true,
  },
};

/** As the terminal client starts (clients.md §2.1). */
const TERMINAL = {
  event_types: [
    'message',
    'update_message',
    'reaction',
    'submessage',
    'subscription',
    'typing',
    'update_message_flags',
  ],
  fetch_event_types: [
    'realm',
    'presence',
    'subscription',
    'message',
    'starred_messages',
    'update_message_flags',
    'muted_topics',
    'realm_user',
    'realm_user_groups',
    'user_settings',
    'realm_emoji',
    'custom_profile_fields',
    'zulip_version',
  ],
  client_gravatar: true,
  apply_markdown: true,
  include_subscribers: 'true',
};

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

function expectKinds(state: any, kinds: Readonly<Record<string, string>>): void {
  const found = Object.fromEntries(Object.keys(kinds).map((name) => [name, kindOf(state[name])]));
  expect(found).toEqual(kinds);
}

const kinds = (kind: string, names: string): Record<string, string> =>
  Object.fromEntries(names.split(' ').map((name) => [name, kind]));

describe('what clients cannot start without', () => {
  test('what is announced and shown in place is as it is said to be', async () => {
    const { state } = await ann.register({ fetch_event_types: ['realm'] });
    const name = 'announced by register';
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], announce: true });
    const [announcement] = (await messagesIn(ann, [['topic', 'new channels']])).slice(-1);
    expect(announcement.content).toContain(name);
    expect(state.realm_new_stream_announcements_stream_id).toBe(announcement.stream_id);
    const picture = `[cat](${await upload(server, ann, 'cat.png', PIXEL)}) https://example.test/cat.png`;
    const { rendered } = await ann.ok('POST', '/messages/render', { content: picture });
    expect([state.realm_inline_image_preview, state.server_inline_image_preview]).toEqual([true, true]);
    expect(rendered.split('<img')).toHaveLength(2);
  });

  test('the mobile app', async () => {
    const { state } = await ann.register(MOBILE);
    expectKinds(state, {
      ...kinds('string', 'queue_id zulip_version zulip_merge_base service_version realm_name realm_icon_url'),
      ...kinds('string', 'server_emoji_data_url realm_topics_policy realm_empty_topic_display_name'),
      ...kinds(
        'number',
        'last_event_id zulip_feature_level service_feature_level max_stream_name_length max_topic_length',
      ),
      ...kinds('number', 'max_file_upload_size_mib event_queue_longpoll_timeout_seconds realm_wildcard_mention_policy'),
      ...kinds('number', 'server_presence_ping_interval_seconds server_presence_offline_threshold_seconds'),
      ...kinds('number', 'realm_waiting_period_threshold realm_message_content_edit_limit_seconds'),
      ...kinds('number', 'realm_message_content_delete_limit_seconds'),
      ...kinds('boolean', 'realm_allow_message_editing realm_enable_read_receipts realm_presence_disabled'),
      ...kinds('list', 'alert_words custom_profile_fields muted_users realm_user_groups recent_private_conversations'),
      ...kinds('list', 'starred_messages user_topics streams subscriptions realm_users realm_non_active_users'),
      ...kinds('list', 'cross_realm_bots saved_snippets channel_folders unsubscribed never_subscribed'),
      ...kinds('object', 'realm_default_external_accounts realm_emoji user_status presences user_settings unread_msgs'),
    });
    expectKinds(state.unread_msgs, {
      ...kinds('list', 'pms streams huddles mentions'),
      count: 'number',
      old_unreads_missing: 'boolean',
    });
    expectKinds(state.user_settings, {
      ...kinds('boolean', 'starred_message_counts display_emoji_reaction_users presence_enabled twenty_four_hour_time'),
      emojiset: 'string',
    });
    expect([1, 2, 3, 5, 6, 7]).toContain(state.realm_wildcard_mention_policy);
    expect(state.zulip_feature_level).toBe(421);
    expect(state.ignored_parameters_unsupported).toEqual(['idle_queue_timeout']);
    expect(state.realm_users.map(({ user_id }: any) => user_id)).toContain(ann.userId);
    expect(state.realm_users.every(({ avatar_url }: any) => typeof avatar_url === 'string')).toBe(true);
    expect(state.cross_realm_bots.every(({ is_system_bot }: any) => is_system_bot === true)).toBe(true);
    for (const user of [...state.realm_users, ...state.cross_realm_bots]) {
      expectKinds(user, {
        ...kinds('number', 'user_id role avatar_version'),
        ...kinds('string', 'email full_name timezone'),
        is_bot: 'boolean',
      });
      expect(user.date_joined).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
    }
    expect(state.subscriptions).not.toHaveLength(0);
    for (const channel of state.subscriptions) {
      expectKinds(channel, {
        ...kinds('number', 'stream_id date_created'),
        ...kinds('string', 'name description rendered_description'),
        ...kinds('boolean', 'invite_only is_web_public history_public_to_subscribers pin_to_top is_muted'),
      });
      expect(channel.color).toMatch(/^#[0-9a-f]{6}$/);
      expect(channel).not.toHaveProperty('subscribers');
    }
    expect(state).not.toHaveProperty('twenty_four_hour_time');
    const names = state.realm_user_groups.map(({ name }: any) => name);
    expect(names).toEqual(expect.arrayContaining(['role:owners', 'role:everyone', 'role:nobody']));
  });

  test('the emoji and the icon that it is pointed to are there, without credentials', async () => {
    const { state } = await ann.register({ fetch_event_types: ['realm'] });
    const { status, body } = await exchange(state.server_emoji_data_url);
    expect(status).toBe(200);
    expect(body.code_to_names['1f642']).toContain('smile');
    expect(body.groups[0]).toMatchObject({ name: 'smileys', codes: expect.arrayContaining(['1f642']) });
    const icon = await fetch(new URL(state.realm_icon_url, server.url));
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  test('the terminal client', async () => {
    const { state } = await ann.register(TERMINAL);
    expectKinds(state, {
      ...kinds('string', 'zulip_version email full_name realm_name queue_id'),
      ...kinds('number', 'zulip_feature_level max_message_id last_event_id user_id realm_message_retention_days'),
      ...kinds('list', 'realm_users cross_realm_bots subscriptions muted_topics realm_user_groups starred_messages'),
      ...kinds('list', 'custom_profile_fields'),
      ...kinds('object', 'presences realm_emoji unread_msgs user_settings'),
      ...kinds('boolean', 'realm_allow_message_editing realm_allow_edit_history'),
    });
    const den = state.subscriptions.find(({ name }: any) => name === 'den');
    expect(den.subscribers).toEqual([ann.userId, ben.userId].sort((a, b) => a - b));
    for (const name of ['message_retention_days', 'stream_weekly_traffic', 'desktop_notifications']) {
      expect(den).toHaveProperty(name);
    }
    expect(state.realm_users.every(({ avatar_url }: any) => avatar_url === null)).toBe(true);
    // What was not asked for is not there.
    for (const name of ['streams', 'user_topics', 'recent_private_conversations', 'alert_words']) {
      expect(state).not.toHaveProperty(name);
    }
  });

  test('what older clients read as fields of their own', async () => {
    const { state } = await ann.register();
    expectKinds(state, { twenty_four_hour_time: 'boolean', enable_sounds: 'boolean', default_view: 'string' });
    expect(state.muted_topics).toEqual([]);
  });
});

describe('parameters', () => {
  test('what is fetched follows from what is listened to', async () => {
    const { state } = await ann.register({ event_types: ['message'] });
    expect(state).toHaveProperty('max_message_id');
    expect(state).not.toHaveProperty('realm_users');
    expect(state).not.toHaveProperty('unread_msgs');
    expect((await ann.register({ event_types: ['message'], fetch_event_types: [] })).state).not.toHaveProperty(
      'max_message_id',
    );
  });

  test('absence in the words of one client', async () => {
    const { state } = await ann.register({ event_types: 'null', narrow: 'undefined', client_capabilities: 'null' });
    expect(state).toHaveProperty('realm_users');
  });

  test('who draws avatars, under both names', async () => {
    const avatars = async (parameters: object): Promise<unknown> =>
      (await ann.register({ fetch_event_types: ['realm_user'], ...parameters })).state.realm_users[0].avatar_url;
    expect(await avatars({})).toBeNull();
    expect(await avatars({ client_extavatar: false })).toEqual(expect.any(String));
    expect(await avatars({ client_gravatar: false })).toEqual(expect.any(String));
    const both = await ann.call('POST', '/register', { client_gravatar: true, client_extavatar: true });
    expectRefusal(both, 'REQUEST_CONFUSING_VAR');
  });

  test.each([
    ['include_subscribers', 'some'],
    ['event_types', '{}'],
    ['event_types', '[1]'],
    ['client_capabilities', '[]'],
    ['client_capabilities', '{"bulk_message_deletion":1}'],
    ['narrow', '[["near","3"]]'],
    ['narrow', '[["nice","nice"]]'],
    ['queue_lifespan_secs', '-1'],
    ['presence_history_limit_days', '-1'],
  ])('%s=%s is refused', async (name, value) => {
    expectRefusal(await ann.call('POST', '/register', { [name]: value }), 'BAD_REQUEST');
  });

  test('strangers are sent to log in', async () => {
    expectRefusal(await exchange(`${server.url}/api/v1/register`, { method: 'POST' }), 'UNAUTHORIZED', 401);
  });
});

/** What the client knows now, from what it knew and was told. */
async function follow(queue: TestQueue, state = queue.state): Promise<{ state: any; events: any[] }> {
  const events = await queue.pending();
  return { state: applyEvents(state, events), events };
}

/** Runs the act; a client that registered before and applied its events must have the state of one that registers after. */
async function expectExplained(act: () => Promise<unknown>, { silent = [] as ApiClient[] } = {}): Promise<void> {
  const parameters = [MOBILE, { include_subscribers: 'true', client_capabilities: MOBILE.client_capabilities }];
  const before = await Promise.all(
    [ann, ben, cleo].flatMap((client) =>
      parameters.map(async (kind) => ({ client, kind, queue: await client.register(kind) })),
    ),
  );
  await act();
  for (const { client, kind, queue } of before) {
    const told = await follow(queue);
    const later = await client.register(kind);
    if (!silent.includes(client)) expect(told.events).not.toHaveLength(0);
    learnFirstMessages(told.state, later.state);
    expect(comparable(told.state)).toEqual(comparable(later.state));
  }
}

describe('state and events explain each other', () => {
  test('messages to a channel, with and without mentions', () =>
    expectExplained(
      async () => {
        await ann.send('den', 'one', 'hello');
        await ann.send('den', 'One', `@**Ben Baker** look`);
        await ben.send('den', 'two', '@**all** here');
      },
      { silent: [cleo] },
    ));

  test('direct messages', () =>
    expectExplained(async () => {
      await ann.sendTo([ben, cleo], 'to both');
      await ben.sendTo([ann], 'to one');
      await cleo.sendTo([cleo], 'to myself');
    }));

  test('reading, unreading and starring', async () => {
    const id = await ann.send('den', 'flags', '@**Ben Baker** read me');
    await expectExplained(
      async () => {
        await ben.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' });
        await ben.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
      },
      { silent: [ann, cleo] },
    );
    await expectExplained(
      async () => {
        await ben.ok('POST', '/messages/flags', { messages: [id], op: 'remove', flag: 'read' });
        await ben.ok('POST', '/messages/flags', { messages: [id], op: 'remove', flag: 'starred' });
      },
      { silent: [ann, cleo] },
    );
  });

  test('edits and moves', async () => {
    const id = await ann.send('den', 'edits', 'plain');
    const lab = await channelId(ann, 'lab');
    await expectExplained(() => ann.ok('PATCH', `/messages/${id}`, { content: '@**Ben Baker** now' }), {
      silent: [cleo],
    });
    await expectExplained(() => ann.ok('PATCH', `/messages/${id}`, { topic: 'elsewhere' }), { silent: [cleo] });
    await expectExplained(() => ann.ok('PATCH', `/messages/${id}`, { stream_id: lab, topic: 'there' }), {
      silent: [cleo],
    });
  });

  test('creating a channel, joining and leaving it', async () => {
    await expectExplained(() => ann.subscribe('atelier'));
    await expectExplained(() => ben.subscribe('atelier'));
    await expectExplained(() => ben.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['atelier'] }));
    await expectExplained(() => ben.subscribe('atelier'));
    await expectExplained(
      () =>
        ann.ok('POST', '/users/me/subscriptions', {
          subscriptions: [{ name: 'cellar' }],
          invite_only: true,
          principals: [ann.userId, ben.userId],
        }),
      { silent: [cleo] },
    );
    await expectExplained(() => ben.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['cellar'] }), {
      silent: [cleo],
    });
  });

  test('a new account', () => expectExplained(() => server.user('Dora Dean')));

  test('a client that registers during changes misses no event and gets none twice', async () => {
    const queues: TestQueue[] = [];
    const sending = Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        n % 10 === 9 ? ann.subscribe(`busy ${n}`) : ann.send('den', `busy ${n % 3}`, `message ${n}`),
      ),
    );
    const registering = Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        await new Promise((resolve) => setTimeout(resolve, 4 * n));
        queues.push(await ben.register(MOBILE));
      }),
    );
    await Promise.all([sending, registering]);
    const { state } = await ben.register(MOBILE);
    for (const queue of queues) expect(comparable((await follow(queue)).state)).toEqual(comparable(state));
  });
});
