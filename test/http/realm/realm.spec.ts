import { fetch } from '#testing';
import { channelId, expectRefusal, messageOf, messagesIn } from '../../support/answers.js';
import type { Answer, ApiClient } from '../../support/client.js';
import { startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

/** IDs of system groups. */
const [OWNERS, ADMINISTRATORS, MODERATORS, MEMBERS, NOBODY] = [1, 2, 3, 5, 8];

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
});
afterAll(() => server.stop());

/** The organization as a new client is told of it. */
const realm = async (): Promise<any> => (await ann.register({ fetch_event_types: ['realm'] })).state;
const eventOf = ({ id: _, ...event }: any): any => event;

test('changed settings are in the register response and in events', async () => {
  const queue = await ann.register({ event_types: ['realm'] });
  await owner.ok('PATCH', '/realm', {
    message_content_edit_limit_seconds: 3600,
    move_messages_within_stream_limit_seconds: 'unlimited',
    message_content_delete_limit_seconds: '"unlimited"',
    message_edit_history_visibility_policy: 'moves',
    can_delete_own_message_group: { new: { direct_members: [ann.userId], direct_subgroups: [] }, old: 6 },
  });
  const group = { direct_members: [ann.userId], direct_subgroups: [] };
  const changed = {
    realm_message_content_edit_limit_seconds: 3600,
    realm_move_messages_within_stream_limit_seconds: null,
    realm_message_content_delete_limit_seconds: null,
    realm_message_edit_history_visibility_policy: 'moves',
    realm_allow_edit_history: true,
    realm_can_delete_own_message_group: group,
    realm_delete_own_message_policy: 3,
  };
  expect(await realm()).toMatchObject(changed);
  expect((await queue.pending()).map(eventOf)).toEqual([
    { type: 'realm', op: 'update', property: 'message_content_delete_limit_seconds', value: null },
    { type: 'realm', op: 'update', property: 'move_messages_within_stream_limit_seconds', value: null },
    { type: 'realm', op: 'update', property: 'message_edit_history_visibility_policy', value: 'moves' },
    { type: 'realm', op: 'update', property: 'allow_edit_history', value: true },
    {
      type: 'realm',
      op: 'update_dict',
      property: 'default',
      data: { message_content_edit_limit_seconds: 3600, can_delete_own_message_group: group },
    },
  ]);
  await server.restart();
  expect(await realm()).toMatchObject(changed);
});

test('a change to the same value has no event', async () => {
  await owner.ok('PATCH', '/realm', { allow_message_editing: true });
  const queue = await ann.register();
  await owner.ok('PATCH', '/realm', { allow_message_editing: true });
  await owner.ok('PATCH', '/realm', {});
  expect(await queue.pending()).toEqual([]);
});

test('only administrators change them', async () => {
  expectRefusal(await ann.call('PATCH', '/realm', { allow_message_editing: false }), 'UNAUTHORIZED_PRINCIPAL');
  expect(await realm()).toMatchObject({ realm_allow_message_editing: true });
});

test.each<[string, Record<string, unknown>]>([
  ['no time at all', { message_content_edit_limit_seconds: 0 }],
  ['less', { move_messages_within_stream_limit_seconds: -1 }],
  ['another word', { message_content_delete_limit_seconds: 'never' }],
  ['another policy', { message_edit_history_visibility_policy: 'some' }],
  ['another topics policy', { topics_policy: 'inherit' }],
  ['no permission setting', { can_resolve_topics_group: 6 }],
  ['a group that is none', { can_resolve_topics_group: { new: 999 } }],
  ['everyone, guests included, where they may not', { can_delete_any_message_group: { new: 6 } }],
])('%s is refused', async (_, parameters) => {
  const before = await realm();
  const answer = await owner.call('PATCH', '/realm', parameters);
  expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
  const after = await realm();
  for (const name of Object.keys(parameters)) expect(after[`realm_${name}`]).toEqual(before[`realm_${name}`]);
});

describe('parameters of PATCH /realm without effect', () => {
  const FIXED = [
    ['icon_source', 'U'],
    ['mandatory_topics', true],
    ['allow_edit_history', false],
    ['invite_to_realm_policy', 1],
    ['wildcard_mention_policy', 1],
    ['bot_creation_policy', 1],
  ] as const;

  test.each(FIXED)('%s is named as ignored, and all that came with it applied', async (name, value) => {
    const { [`realm_${name}`]: before } = await realm();
    const change = (allowed: boolean) => owner.ok('PATCH', '/realm', { allow_message_editing: allowed, [name]: value });
    expect((await change(false)).ignored_parameters_unsupported).toEqual([name]);
    expect(await realm()).toMatchObject({ realm_allow_message_editing: false, [`realm_${name}`]: before });
    await change(true);
  });

  test('is shown as it is', async () => {
    const shown = await realm();
    for (const [name] of FIXED) expect(shown).toHaveProperty(`realm_${name}`);
  });

  test('is ignored by its earlier name', async () => {
    const names = Object.keys(await realm()).filter((key) => /^realm_.*_policy$/.test(key));
    const settable = ['realm_message_edit_history_visibility_policy', 'realm_topics_policy'];
    const earlier = names.filter((key) => !settable.includes(key)).map((key) => key.slice('realm_'.length));
    expect(earlier.length).toBeGreaterThan(10);
    const ignored = [...earlier, 'service_update_announcements_stream_id'];
    const answer = await owner.ok('PATCH', '/realm', Object.fromEntries(ignored.map((name) => [name, 1])));
    expect(answer.ignored_parameters_unsupported.toSorted()).toEqual(ignored.toSorted());
  });

  test('the address of the organization is refused to all users', async () => {
    expectRefusal(await ann.call('PATCH', '/realm', { string_id: 'other' }), 'UNAUTHORIZED_PRINCIPAL');
    expectRefusal(await owner.call('PATCH', '/realm', { string_id: 'other' }), 'BAD_REQUEST');
  });

  test('an unknown parameter is reported as ignored', async () => {
    const { body } = await owner.call('PATCH', '/realm', { allow_message_editing: true, unheard_of: 1 });
    expect(body).toMatchObject({ result: 'success', ignored_parameters_unsupported: ['unheard_of'] });
  });
});

describe('settings have their effect', () => {
  const account = (email: string, full_name: string): Record<string, unknown> => ({
    email,
    full_name,
    password: 'a good long password',
  });

  test('name and description are what strangers are told', async () => {
    await owner.ok('PATCH', '/realm', { name: 'Acme & Sons', description: 'We make **things** @**Ann Archer**' });
    expect(await (await fetch(`${server.url}/api/v1/server_settings`)).json()).toMatchObject({
      realm_name: 'Acme & Sons',
      realm_description: '<p>We make <strong>things</strong> @<strong>Ann Archer</strong></p>',
    });
  });

  test.each([
    [MEMBERS, MEMBERS, 1],
    [ADMINISTRATORS, MEMBERS, 2],
    [NOBODY, OWNERS, 3],
    [MODERATORS, NOBODY, 1],
  ])('the older policy for bots follows from groups %i and %i', async (bots, webhooks, policy) => {
    const holders = { can_create_bots_group: { new: bots }, can_create_write_only_bots_group: { new: webhooks } };
    await owner.ok('PATCH', '/realm', holders);
    expect((await realm()).realm_bot_creation_policy).toBe(policy);
    const members = { new: MEMBERS };
    await owner.ok('PATCH', '/realm', { can_create_bots_group: members, can_create_write_only_bots_group: members });
  });

  test('names are unique where they have to be', async () => {
    await owner.ok('PATCH', '/realm', { require_unique_names: true });
    expectRefusal(await owner.call('POST', '/users', account('ann2@example.test', 'ANN archer')), 'BAD_REQUEST');
    // As a reader takes it in, and also of somebody who has left: their messages are still there.
    const left = await owner.ok('POST', '/users', account('left@example.test', 'Steffi Straße'));
    await owner.ok('DELETE', `/users/${left.user_id}`);
    for (const name of ['Ａｎｎ Ａｒｃｈｅｒ', 'Stefﬁ STRASSE'])
      expectRefusal(await owner.call('POST', '/users', account('ann2@example.test', name)), 'BAD_REQUEST');
    await owner.ok('PATCH', '/realm', { require_unique_names: false });
    await owner.ok('POST', '/users', account('ann2@example.test', 'ANN archer'));
  });

  test('new users begin with the language of the organization and its defaults, others keep theirs', async () => {
    await owner.ok('PATCH', '/realm', { default_language: 'DE' });
    expect(await realm()).toMatchObject({ realm_default_language: 'de' });
    const queue = await ann.register({ event_types: ['realm_user_settings_defaults'] });
    await owner.ok('PATCH', '/realm/user_settings_defaults', {
      enter_sends: true,
      color_scheme: 2,
      emojiset: 'google',
    });
    expect((await queue.pending()).map(eventOf)).toEqual([
      { type: 'realm_user_settings_defaults', op: 'update', property: 'color_scheme', value: 2 },
      { type: 'realm_user_settings_defaults', op: 'update', property: 'enter_sends', value: true },
    ]);
    const newcomer = await server.user('Neu Ling');
    const { state } = await newcomer.register();
    const begun = { enter_sends: true, color_scheme: 2, default_language: 'de', emojiset: 'google' };
    expect(state.user_settings).toMatchObject(begun);
    expect(state.realm_user_settings_defaults).toMatchObject({ enter_sends: true, color_scheme: 2 });
    expect((await ann.register()).state.user_settings).toMatchObject({ enter_sends: false, default_language: 'en' });
    await server.restart();
    expect((await newcomer.register()).state.user_settings).toMatchObject(begun);

    await newcomer.ok('PATCH', '/settings', { enter_sends: false });
    expect((await newcomer.register()).state.user_settings).toMatchObject({ enter_sends: false });
    expectRefusal(
      await ann.call('PATCH', '/realm/user_settings_defaults', { enter_sends: false }),
      'UNAUTHORIZED_PRINCIPAL',
    );
    expectRefusal(await owner.call('PATCH', '/realm/user_settings_defaults', { color_scheme: 9 }), 'BAD_REQUEST');
    await owner.ok('PATCH', '/realm/user_settings_defaults', { enter_sends: false, color_scheme: 1 });
    await owner.ok('PATCH', '/realm', { default_language: 'en' });
  });

  test('new users and channels are announced where the organization says', async () => {
    await owner.subscribe('news');
    const newsId = await channelId(owner, 'news');
    await owner.ok('PATCH', '/realm', {
      signup_announcements_stream_id: newsId,
      new_stream_announcements_stream_id: newsId,
    });
    const newcomer = await server.user('Nora Newcomer');
    await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'announced' }], announce: true });
    const told = await messagesIn(owner, [['channel', newsId]]);
    expect(told.map(({ subject, content }: any) => [subject, content.replaceAll(/<[^>]*>/g, '')])).toEqual([
      ['signups', 'Nora Newcomer joined this organization.'],
      ['new channels', expect.stringContaining('created a new channel')],
    ]);
    expect(newcomer.userId).toBeGreaterThan(0);
    // Notices of the owner's own acts.
    expect(told.map(({ flags }: any) => flags)).toEqual([['read'], ['read']]);
    await owner.ok('PATCH', '/realm', {
      signup_announcements_stream_id: -1,
      new_stream_announcements_stream_id: -1,
    });
    await server.user('Quite Quiet');
    await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'unannounced' }], announce: true });
    expect(await messagesIn(owner, [['channel', newsId]])).toHaveLength(2);
  });

  test('a code block that names no language has that of the organization', async () => {
    await owner.ok('PATCH', '/realm', { default_code_block_language: 'python' });
    const id = await owner.send('general', 'code', '```\nx = 1\n```');
    expect((await messageOf(owner, id)).content).toContain('data-code-language="Python"');
    await owner.ok('PATCH', '/realm', { default_code_block_language: '' });
  });

  test('channels are created, and people subscribed, by whom the organization lets', async () => {
    const only = { new: { direct_members: [owner.userId, ben.userId], direct_subgroups: [] } };
    const create = (client: ApiClient, name: string, more = {}): Promise<Answer> =>
      client.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...more });
    const cases: [string, Record<string, unknown>][] = [
      ['can_create_public_channel_group', {}],
      ['can_create_private_channel_group', { invite_only: true }],
      ['can_set_topics_policy_group', { topics_policy: 'disable_empty_topic' }],
      ['can_set_delete_message_policy_group', { can_delete_own_message_group: 5 }],
    ];
    for (const [permission, settings] of cases) {
      const before = (await realm())[`realm_${permission}`];
      await owner.ok('PATCH', '/realm', { [permission]: only });
      expect([permission, (await create(ann, `no ${permission}`, settings)).status]).toEqual([permission, 400]);
      expect([permission, (await create(ben, `yes ${permission}`, settings)).status]).toEqual([permission, 200]);
      await owner.ok('PATCH', '/realm', { [permission]: { new: 5 } });
      expect([permission, (await create(ann, `now ${permission}`, settings)).status]).toEqual([permission, 200]);
      await owner.ok('PATCH', '/realm', { [permission]: { new: before } });
    }
    await owner.ok('PATCH', '/realm', { can_create_public_channel_group: only });
    expect((await ann.register()).state).toMatchObject({ can_create_public_streams: false, can_create_streams: true });
    await owner.ok('PATCH', '/realm', { can_create_public_channel_group: { new: 5 } });

    await owner.ok('PATCH', '/realm', { can_add_subscribers_group: only });
    // Who created a channel administers it, and may add subscribers.
    await owner.subscribe('open');
    await ann.subscribe('open');
    const principals = [cleo.userId];
    expectRefusal(await create(ann, 'open', { principals }), 'BAD_REQUEST');
    expect((await create(ben, 'open', { principals })).body.subscribed).toEqual({ [cleo.userId]: ['open'] });
    // Of a channel that is private, the creator may not either, unless its own setting says so.
    await ann.subscribe('hers');
    expect((await create(ann, 'hers', { principals })).body.subscribed).toEqual({ [cleo.userId]: ['hers'] });
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'her own' }], invite_only: true });
    expectRefusal(await create(ann, 'her own', { principals }), 'BAD_REQUEST');
    await owner.ok('PATCH', '/realm', { can_add_subscribers_group: { new: 5 } });
    expect((await create(ann, 'open', { principals: [owner.userId] })).status).toBe(200);
  });
});

describe('domains', () => {
  test('are the organization’s, one by one', async () => {
    const queue = await ann.register({ event_types: ['realm_domains', 'realm'] });
    expect(await owner.ok('POST', '/realm/domains', { domain: 'Example.TEST', allow_subdomains: false })).toMatchObject(
      {
        new_domain: [1, 'example.test'],
      },
    );
    const shown = { domain: 'example.test', allow_subdomains: false };
    expect((await ann.ok('GET', '/realm/domains')).domains).toEqual([shown]);
    expect((await ann.register()).state.realm_domains).toEqual([shown]);
    await owner.ok('PATCH', '/realm', { emails_restricted_to_domains: true });

    const account = { password: 'a good long password', full_name: 'Dora Domain' };
    const add = (email: string): Promise<Answer> => owner.call('POST', '/users', { ...account, email });
    expectRefusal(await add('dora@other.test'), 'BAD_REQUEST');
    expectRefusal(await add('dora@sub.example.test'), 'BAD_REQUEST');
    expectRefusal(await add('dora@notexample.test'), 'BAD_REQUEST');
    expectRefusal(await add('dora+1@example.test'), 'BAD_REQUEST');
    expect((await add('dora@EXAMPLE.test')).status).toBe(200);
    await owner.ok('PATCH', '/realm/domains/EXAMPLE.test', { allow_subdomains: true });
    expect((await add('dora@sub.example.test')).status).toBe(200);

    await owner.ok('DELETE', '/realm/domains/example.test');
    expect((await realm()).realm_emails_restricted_to_domains).toBe(false);
    expect((await queue.pending()).map(eventOf)).toEqual([
      { type: 'realm_domains', op: 'add', realm_domain: shown },
      { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: true },
      { type: 'realm_domains', op: 'change', realm_domain: { domain: 'example.test', allow_subdomains: true } },
      { type: 'realm_domains', op: 'remove', domain: 'example.test' },
      { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false },
    ]);
    expect((await add('dora@other.test')).status).toBe(200);
  });

  test('are for owners to change', async () => {
    const asked = { domain: 'x.test', allow_subdomains: true };
    expectRefusal(await ann.call('POST', '/realm/domains', asked), 'UNAUTHORIZED_PRINCIPAL');
    expectRefusal(await ann.call('PATCH', '/realm/domains/x.test', asked), 'UNAUTHORIZED_PRINCIPAL');
    expectRefusal(await ann.call('DELETE', '/realm/domains/x.test'), 'UNAUTHORIZED_PRINCIPAL');
    expectRefusal(await owner.call('DELETE', '/realm/domains/x.test'), 'BAD_REQUEST');
    expectRefusal(await owner.call('PATCH', '/realm/domains/x.test', asked), 'BAD_REQUEST');
    expectRefusal(await owner.call('POST', '/realm/domains', { domain: 'x.test' }), 'REQUEST_VARIABLE_MISSING');
  });
});

test('code playgrounds are added, told and removed', async () => {
  const queue = await ann.register({ event_types: ['realm_playgrounds'] });
  const definition = { name: 'Py', pygments_language: 'Python', url_template: 'https://py.example/?c={code}' };
  const { id } = await owner.ok('POST', '/realm/playgrounds', definition);
  expect((await ann.register()).state.realm_playgrounds).toEqual([{ id, ...definition }]);
  expectRefusal(await owner.call('POST', '/realm/playgrounds', definition), 'BAD_REQUEST');
  expectRefusal(await ann.call('POST', '/realm/playgrounds', definition), 'UNAUTHORIZED_PRINCIPAL');
  await server.restart();
  await owner.ok('DELETE', `/realm/playgrounds/${id}`);
  expectRefusal(await owner.call('DELETE', `/realm/playgrounds/${id}`), 'BAD_REQUEST');
  expect((await queue.pending()).map(eventOf)).toEqual([
    { type: 'realm_playgrounds', realm_playgrounds: [{ id, ...definition }] },
    { type: 'realm_playgrounds', realm_playgrounds: [] },
  ]);
  expect((await ann.register()).state.realm_playgrounds).toEqual([]);
});

test('a permission is not given on a false belief', async () => {
  const answer = await owner.call('PATCH', '/realm', { can_resolve_topics_group: { new: 1, old: 2 } });
  expect(expectRefusal(answer, 'EXPECTATION_MISMATCH').field_name).toBe('old');
  // Null is no belief.
  await owner.ok('PATCH', '/realm', { can_resolve_topics_group: { new: 6, old: null } });
});

test("a permission is not given to the server's own bots", async () => {
  const { cross_realm_bots } = (await owner.register()).state;
  const holders = { direct_members: [cross_realm_bots[0].user_id], direct_subgroups: [] };
  const answer = await owner.call('PATCH', '/realm', { can_resolve_topics_group: { new: holders } });
  expectRefusal(answer, 'BAD_REQUEST');
});

test('a new user is greeted, with the welcome of the organization where it has one', async () => {
  const greeted = await server.user('Quiet Newcomer');
  await owner.ok('PATCH', '/realm', { welcome_message_custom_text: 'Read **this** first.' });
  const newcomer = await server.user('Loud Newcomer');
  const { state } = await newcomer.register();
  expect(state.realm_welcome_message_custom_text).toBe('Read **this** first.');
  const window = { anchor: 'oldest', num_before: 0, num_after: 10, narrow: [['is', 'dm']] };
  const { messages } = await newcomer.ok('GET', '/messages', window);
  const hello = expect.stringMatching(/^<p>Hello, and welcome to /);
  expect(messages).toMatchObject([{ sender_full_name: 'Welcome Bot', content: hello, flags: [] }]);
  expect(messages[0].content).toMatch(/<p>Read <strong>this<\/strong> first.<\/p>$/);
  expect(state.unread_msgs.count).toBe(1);
  expect((await greeted.ok('GET', '/messages', window)).messages).toMatchObject([{ content: hello }]);
  expect((await owner.call('PATCH', '/realm', { welcome_message_custom_text: 'x'.repeat(8001) })).status).toBe(400);
  await owner.ok('PATCH', '/realm', { welcome_message_custom_text: '' });
});

test('the welcome bot answers who writes to it alone', async () => {
  const newcomer = await server.user('Curious Newcomer');
  const { cross_realm_bots } = (await newcomer.register({ fetch_event_types: ['realm_user'] })).state;
  const bot = cross_realm_bots.find(({ full_name }: any) => full_name === 'Welcome Bot').user_id;
  const queue = await newcomer.register({ event_types: ['message'] });
  async function answer(to: number[], content: string): Promise<string | undefined> {
    await newcomer.ok('POST', '/messages', { type: 'direct', to, content });
    const events: any[] = [];
    while (!events.some(({ message }) => message.sender_id === bot)) events.push(...(await queue.poll()));
    return events.find(({ message }) => message.sender_id === bot).message.content;
  }
  expect(await answer([bot], ' **Topics**!')).toMatch(/has a topic/);
  expect(await answer([bot], 'constructor')).toMatch(/I know these words: `channels`/);
  // Others are not talked into: the next answer is that to the next message.
  await newcomer.ok('POST', '/messages', { type: 'direct', to: [bot, ann.userId], content: 'topics' });
  expect(await answer([bot], 'apps')).toMatch(/Apps for the Zulip API/);
});

test('an administrator tries the welcome of new users out', async () => {
  const queue = await owner.register({ event_types: ['message'] });
  const path = '/realm/test_welcome_bot_custom_message';
  const { message_id, ...rest } = await owner.ok('POST', path, { welcome_message_custom_text: 'Hello **you**!' });
  expect(rest).toEqual({ result: 'success', msg: '' });
  expect(await messageOf(owner, message_id)).toMatchObject({
    type: 'private',
    sender_full_name: 'Welcome Bot',
    content: '<p>Hello <strong>you</strong>!</p>',
  });
  expect((await queue.pending()).map(({ message }) => message.id)).toEqual([message_id]);
  expect((await realm()).realm_welcome_message_custom_text).toBe('');

  const longest = await owner.ok('POST', path, { welcome_message_custom_text: 'x'.repeat(8000) });
  expect((await messageOf(owner, longest.message_id)).content).toBe(`<p>${'x'.repeat(8000)}</p>`);
  expectRefusal(await owner.call('POST', path, { welcome_message_custom_text: 'x'.repeat(8001) }), 'BAD_REQUEST');
  expectRefusal(await owner.call('POST', path, { welcome_message_custom_text: ' ' }), 'BAD_REQUEST');
  expectRefusal(await owner.call('POST', path), 'REQUEST_VARIABLE_MISSING');
  expectRefusal(await ann.call('POST', path, { welcome_message_custom_text: 'Hi' }), 'UNAUTHORIZED_PRINCIPAL');
});
