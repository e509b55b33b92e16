import { applyEvents, comparable, type ClientState } from '#testing';
import { channelId, expectRefusal, idsOf, messageOf, messagesIn } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';

let cast: Cast;
let owner: ApiClient, ann: ApiClient, ben: ApiClient, cleo: ApiClient;
let lunch: number;

const MODERN = {
  client_capabilities: {
    empty_topic_name: true,
    user_settings_object: true,
    notification_settings_null: true,
    bulk_message_deletion: true,
  },
};
const NEVER = 4;

beforeAll(async () => {
  cast = await startWithPeople();
  ({ owner, ann, ben, cleo } = cast);
  lunch = await channelOf('Lunch', ann, ben, cleo);
});
afterAll(() => cast.server.stop());

/** Ann's clients: what they were told must be what a newcomer would be told. */
async function followed(act: () => Promise<unknown>, ...types: string[]): Promise<any[]> {
  const parameters = [
    MODERN,
    {},
    { event_types: ['user_topic', 'user_settings', 'muted_users'], fetch_event_types: null },
  ];
  const queues: TestQueue[] = [];
  for (const each of parameters) queues.push(await ann.register(each));
  await act();
  const told: any[][] = [];
  for (const queue of queues) told.push(await queue.pending());
  for (const [index, queue] of queues.slice(0, 2).entries()) {
    const now = (await ann.register(parameters[index])).state as ClientState;
    expect(comparable(applyEvents(queue.state, told[index]!))).toEqual(comparable(now));
  }
  if (types.length > 0) expect(told[0]!.map(({ type }) => type)).toEqual(types);
  expect(told[2]!.map(({ type }) => type).filter((type) => type === 'muted_topics')).toEqual([]);
  return told[0]!;
}

describe('muting users', () => {
  const mute = (userId: number | string) => ann.call('POST', `/users/me/muted_users/${userId}`);
  const unmute = (userId: number | string) => ann.call('DELETE', `/users/me/muted_users/${userId}`);
  const unread = async (client: ApiClient): Promise<number[]> => idsOf(await messagesIn(client, [['is', 'unread']]));

  test('what they sent is read, and what they send arrives read', async () => {
    await ann.ok('POST', '/mark_all_as_read');
    const before = [await ben.send('Lunch', 'soup', 'one'), await ben.sendTo([ann], 'two')];
    const other = await cleo.send('Lunch', 'soup', 'mine');
    expect(await unread(ann)).toEqual([...before, other]);
    let during = 0;
    const events = await followed(async () => {
      await ann.ok('POST', `/users/me/muted_users/${ben.userId}`);
      during = await ben.send('Lunch', 'soup', '@**Ann Archer** three');
    });
    expect(events).toMatchObject([
      { type: 'muted_users', muted_users: [{ id: ben.userId, timestamp: expect.any(Number) }] },
      { type: 'update_message_flags', op: 'add', flag: 'read', messages: before },
      { type: 'user_topic' },
      { type: 'muted_topics' },
      { type: 'message', flags: ['read', 'mentioned'] },
    ]);
    expect(await unread(ann)).toEqual([other]);
    expect((await messageOf(ann, during)).flags).toContain('read');
    expect((await messageOf(cleo, during)).flags).not.toContain('read');
    await ann.ok('POST', '/messages/flags', { messages: [during], op: 'remove', flag: 'read' });
    expect(await unread(ann)).toEqual([other, during]);
    await followed(() => ann.ok('DELETE', `/users/me/muted_users/${ben.userId}`), 'muted_users');
    const after = await ben.send('Lunch', 'soup', 'four');
    expect(await unread(ann)).toEqual([other, during, after]);
    await ann.ok('POST', '/mark_all_as_read');
  });

  test('survives a restart', async () => {
    await ann.ok('POST', `/users/me/muted_users/${ben.userId}`);
    await cast.server.restart();
    expect((await messageOf(ann, await ben.send('Lunch', 'soup', 'five'))).flags).toContain('read');
    expectRefusal(await mute(ben.userId), 'BAD_REQUEST');
    await ann.ok('DELETE', `/users/me/muted_users/${ben.userId}`);
  });

  test('refusals', async () => {
    expectRefusal(await mute(ann.userId), 'BAD_REQUEST');
    expectRefusal(await mute(9999), 'BAD_REQUEST');
    expectRefusal(await mute('x'), 'BAD_REQUEST');
    expectRefusal(await unmute(ben.userId), 'BAD_REQUEST');
    expectRefusal(await unmute(9999), 'BAD_REQUEST');
  });
});

describe('alert words', () => {
  const change = (method: string, ...alert_words: string[]) =>
    ann.call(method, '/users/me/alert_words', { alert_words });

  test('are kept, told and taken away', async () => {
    const added = await followed(async () => {
      expect((await change('POST', ' Fire ', '', 'c++', 'FIRE')).body.alert_words).toEqual(['Fire', 'c++']);
    }, 'alert_words');
    expect(added[0].alert_words).toEqual(['Fire', 'c++']);
    expect((await ann.ok('GET', '/users/me/alert_words')).alert_words).toEqual(['Fire', 'c++']);
    expect((await ben.ok('GET', '/users/me/alert_words')).alert_words).toEqual([]);
    expectRefusal(await change('POST', 'x'.repeat(101)), 'BAD_REQUEST');
    expectRefusal(await ann.call('POST', '/users/me/alert_words', {}), 'REQUEST_VARIABLE_MISSING');
    const removed = await followed(() => change('DELETE', 'C++', 'unknown'), 'alert_words');
    expect(removed[0].alert_words).toEqual(['Fire']);
    expect((await change('DELETE', 'unknown')).body.alert_words).toEqual(['Fire']);
  });

  test('flag messages in which they stand', async () => {
    const queue = await ann.register({ event_types: ['message', 'update_message'] });
    const flagged = async (content: string): Promise<boolean> =>
      (await messageOf(ann, await ben.send('Lunch', 'soup', content))).flags.includes('has_alert_word');
    expect(await flagged('there is FIRE!')).toBe(true);
    expect(await flagged('a **fire**.')).toBe(true);
    expect(await flagged('fireworks and bonfire')).toBe(false);
    expect(await flagged('`fire` and [x](https://fire.example.test/)')).toBe(false);
    expect((await queue.pending()).map(({ flags }) => flags.includes('has_alert_word'))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const direct = await ben.sendTo([ann, cleo], 'fire');
    expect((await messageOf(ann, direct)).flags).toContain('has_alert_word');
    expect((await messageOf(cleo, direct)).flags).not.toContain('has_alert_word');
    expect(idsOf(await messagesIn(ann, [['is', 'alerted']]))).toContain(direct);
  });

  test('count anew in an edit, and not when they change', async () => {
    const id = await ben.send('Lunch', 'soup', 'nothing');
    await ben.ok('PATCH', `/messages/${id}`, { content: 'fire' });
    expect((await messageOf(ann, id)).flags).toContain('has_alert_word');
    await change('DELETE', 'fire');
    expect((await messageOf(ann, id)).flags).toContain('has_alert_word');
    await ben.ok('PATCH', `/messages/${id}`, { content: 'fire again' });
    expect((await messageOf(ann, id)).flags).not.toContain('has_alert_word');
  });
});

describe('topics', () => {
  const set = (topic: string, visibility_policy: number, stream_id = lunch) =>
    ann.call('POST', '/user_topics', { stream_id, topic, visibility_policy });
  const topics = async (): Promise<string[]> =>
    (await ann.register(MODERN)).state.user_topics.map((one: any) => `${one.topic_name} ${one.visibility_policy}`);

  test('are muted, unmuted, followed, and none of it', async () => {
    await ann.ok('PATCH', '/settings', { automatically_follow_topics_policy: NEVER });
    const before = await topics();
    const told = await followed(
      async () => {
        await set('Tea', 1);
        await set('tea', 1);
        await set('TEA', 3);
        await set('(no topic)', 2);
      },
      ...['user_topic', 'muted_topics', 'user_topic', 'muted_topics', 'user_topic', 'muted_topics'],
    );
    expect(told[0]).toMatchObject({ stream_id: lunch, topic_name: 'Tea', visibility_policy: 1 });
    expect(told[0].last_updated).toEqual(expect.any(Number));
    expect(told[2]).toMatchObject({ topic_name: 'Tea', visibility_policy: 3 });
    // Each with the list of then, also where another topic was not muted before.
    expect([told[1], told[3], told[5]].map(({ muted_topics }) => muted_topics.length)).toEqual([1, 0, 0]);
    expect(await topics()).toEqual([...before, 'Tea 3', ' 2']);
    await followed(async () => {
      await set('tea', 0);
      await set('general chat', 0);
    });
    expect(await topics()).toEqual(before);
  });

  test('are refused where messages cut their names', async () => {
    const long = 'é'.repeat(61);
    const refused = { code: 'BAD_REQUEST', msg: 'topic is too long (limit: 60 characters)' };
    expect((await set(long, 1)).body).toMatchObject(refused);
    const older = { stream_id: lunch, topic: long, op: 'add' };
    expect((await ann.call('PATCH', '/users/me/subscriptions/muted_topics', older)).body).toMatchObject(refused);
    const before = await topics();
    await followed(() => set(long.slice(1), 1), 'user_topic', 'muted_topics');
    expect(await topics()).toEqual([...before, `${long.slice(1)} 1`]);
    await followed(() => set(long.slice(1), 0), 'user_topic', 'muted_topics');
  });

  test('that are muted do not count as unread', async () => {
    await ann.ok('POST', '/mark_all_as_read');
    await ben.send('Lunch', 'noise', 'x');
    const count = async (): Promise<number> => (await ann.register(MODERN)).state.unread_msgs.count;
    expect(await count()).toBe(1);
    await followed(() => set('Noise', 1), 'user_topic', 'muted_topics');
    expect(await count()).toBe(0);
    expect(idsOf(await messagesIn(ann, [['is', 'unread']]))).toHaveLength(1);
    await followed(() => set('noise', 0), 'user_topic', 'muted_topics');
  });

  test('in the form of older clients', async () => {
    const muted_topics = async (): Promise<any> =>
      (await ann.register({ fetch_event_types: ['muted_topics'] })).state.muted_topics;
    const patch = (parameters: object) => ann.call('PATCH', '/users/me/subscriptions/muted_topics', { ...parameters });
    expect((await patch({ stream: 'Lunch', topic: 'old', op: 'add' })).status).toBe(200);
    expect((await patch({ stream_id: lunch, topic: 'OLD', op: 'add' })).status).toBe(200);
    expect(await muted_topics()).toEqual([['Lunch', 'old', expect.any(Number)]]);
    expect((await patch({ stream_id: lunch, topic: 'old', op: 'remove' })).status).toBe(200);
    expect(await muted_topics()).toEqual([]);
    expectRefusal(await patch({ topic: 'old', op: 'add' }), 'BAD_REQUEST');
    expectRefusal(await patch({ stream: 'Lunch', stream_id: lunch, topic: 'old', op: 'add' }), 'BAD_REQUEST');
    expectRefusal(await patch({ stream: 'Nowhere', topic: 'old', op: 'add' }), 'BAD_REQUEST');
  });

  test('only in channels that one may read; what one said can always be ended', async () => {
    await ben.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'Attic' }],
      invite_only: true,
      principals: [ann.userId, ben.userId],
    });
    const attic = await channelId(ben, 'Attic');
    expect((await set('x', 3, attic)).status).toBe(200);
    await ann.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['Attic'] });
    expectRefusal(await set('y', 1, attic), 'BAD_REQUEST');
    for (const topic of ['y', 'x', 'x']) expect((await set(topic, 0, attic)).status).toBe(200);
    expect(await topics()).not.toContain('x 3');
    expectRefusal(await set('x', 0, 9999), 'BAD_REQUEST');
    expectRefusal(await set('x', 1, 9999), 'BAD_REQUEST');
    expectRefusal(await set('x', 7), 'BAD_REQUEST');
    expectRefusal(await set('x\u0001', 1), 'BAD_REQUEST');
  });
});

describe('topics by themselves', () => {
  const PARTICIPATES = 1;
  const SENDS = 2;
  const BEGINS = 3;
  const follow = (automatically_follow_topics_policy: number) =>
    ann.ok('PATCH', '/settings', { automatically_follow_topics_policy });
  const send = async (topic: string): Promise<any> =>
    (await ann.ok('POST', '/messages', { type: 'channel', to: 'Lunch', topic, content: 'x' }))
      .automatic_new_visibility_policy;

  test.each([
    [PARTICIPATES, 3, 3, 3],
    [SENDS, 3, 3, undefined],
    [BEGINS, 3, undefined, undefined],
    [NEVER, undefined, undefined, undefined],
  ])('followed on %i: beginning %s, sending %s, reacting %s', async (policy, begun, sent, reacted) => {
    await follow(policy);
    expect(await send(`begun ${policy}`)).toBe(begun);
    expect(await send(`Begun ${policy}`)).toBe(undefined);
    const id = await ben.send('Lunch', `joined ${policy}`, 'x');
    const queue = await ann.register({ ...MODERN, event_types: ['user_topic', 'message', 'reaction'] });
    await ann.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
    const events = await queue.pending();
    const told = events.filter(({ type }) => type === 'user_topic');
    expect(told.map(({ visibility_policy }) => visibility_policy)).toEqual(reacted === undefined ? [] : [reacted]);
    expect(await send(`joined ${policy}`)).toBe(reacted === undefined ? sent : undefined);
  });

  test('with protected history, one begins what one sees nothing of', async () => {
    const subscribe = (...clients: ApiClient[]): Promise<any> =>
      ben.ok('POST', '/users/me/subscriptions', {
        subscriptions: [{ name: 'Vault' }],
        invite_only: true,
        history_public_to_subscribers: false,
        principals: clients.map(({ userId }) => userId),
      });
    await subscribe(ben);
    await ben.send('Vault', 'before', 'x');
    await subscribe(ann);
    await ben.send('Vault', 'since', 'x');
    await follow(BEGINS);
    const policyAfter = async (topic: string): Promise<any> =>
      (await ann.ok('POST', '/messages', { type: 'channel', to: 'Vault', topic, content: 'x' }))
        .automatic_new_visibility_policy;
    expect([await policyAfter('before'), await policyAfter('since')]).toEqual([3, undefined]);
  });

  test('a reaction from outside a channel follows nothing', async () => {
    await ben.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'Elsewhere' }] });
    const id = await ben.send('Elsewhere', 'x', 'x');
    await follow(PARTICIPATES);
    const queue = await ann.register({ ...MODERN, event_types: ['user_topic'] });
    await ann.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
    expect(await queue.pending()).toEqual([]);
  });

  test('the new policy is told before the message', async () => {
    await follow(SENDS);
    const events = await followed(() => send('told'), 'user_topic', 'muted_topics', 'message');
    expect(events[0]).toMatchObject({ topic_name: 'told', visibility_policy: 3 });
  });

  test('a muted topic is followed when one takes part', async () => {
    await follow(SENDS);
    await ann.ok('POST', '/user_topics', { stream_id: lunch, topic: 'quiet', visibility_policy: 1 });
    expect(await send('quiet')).toBe(3);
  });

  test('mentioned users follow the topic, unless they muted it or turned that off', async () => {
    await follow(NEVER);
    const mention = async (topic: string): Promise<any[]> => {
      const queue = await ann.register({ event_types: ['user_topic'] });
      await ben.send('Lunch', topic, '@**Ann Archer** look');
      return (await queue.pending()).map(({ visibility_policy }) => visibility_policy);
    };
    expect(await mention('mentioned')).toEqual([3]);
    expect(await mention('mentioned')).toEqual([]);
    await ann.ok('POST', '/user_topics', { stream_id: lunch, topic: 'shut up', visibility_policy: 1 });
    expect(await mention('shut up')).toEqual([]);
    await ann.ok('PATCH', '/settings', { automatically_follow_topics_where_mentioned: false });
    expect(await mention('mentioned twice')).toEqual([]);
  });

  test('mentioned users who may not read the message hear nothing of its topic', async () => {
    await follow(NEVER);
    await ann.ok('PATCH', '/settings', { automatically_follow_topics_where_mentioned: true });
    const events = async (name: string, history_public_to_subscribers: boolean): Promise<any[]> => {
      await ben.ok('POST', '/users/me/subscriptions', {
        subscriptions: [{ name }],
        invite_only: true,
        history_public_to_subscribers,
        can_subscribe_group: { direct_members: [ann.userId], direct_subgroups: [] },
      });
      const queue = await ann.register({ event_types: ['message', 'user_topic'] });
      await ben.send(name, 'plans', '@**Ann Archer** look');
      return (await queue.pending()).map(({ type }) => type);
    };
    expect(await events('shared vault', true)).toEqual(['user_topic', 'message']);
    expect(await events('protected vault', false)).toEqual([]);
  });
});

describe('settings', () => {
  test('change, and clients of each kind are told in their form', async () => {
    const parameters = { ...MODERN, event_types: ['user_settings', 'update_display_settings'] };
    const [modern, legacy] = [await ann.register(parameters), await ann.register({})];
    const change = { default_language: 'de', color_scheme: 2, web_home_view: 'all_messages', enable_sounds: false };
    await followed(() => ann.ok('PATCH', '/settings', change));
    const setting = (property: string, value: unknown) => ({ type: 'user_settings', op: 'update', property, value });
    expect(await modern.pending()).toMatchObject([
      { ...setting('default_language', 'de'), language_name: 'German' },
      setting('color_scheme', 2),
      setting('web_home_view', 'all_messages'),
      setting('enable_sounds', false),
    ]);
    const old = (await legacy.pending()).filter(({ type }) => type.startsWith('update_'));
    expect(old).toMatchObject([
      { type: 'update_display_settings', setting_name: 'default_language', setting: 'de', language_name: 'German' },
      { setting_name: 'color_scheme', setting: 2 },
      { setting_name: 'default_view', setting: 'all_messages', user: ann.email },
      { type: 'update_global_notifications', notification_name: 'enable_sounds', setting: false },
    ]);
    await cast.server.restart();
    expect((await ann.register(MODERN)).state.user_settings).toMatchObject(change);
    expect((await ben.register(MODERN)).state.user_settings.enable_sounds).toBe(true);
  });

  test.each([
    ['EN', 'en'],
    ['"De"', 'de'],
    ['zh-Hans', 'zh-hans'],
  ])('the language %s is kept as %s', async (written, code) => {
    await ben.ok('PATCH', '/settings', { default_language: written });
    expect((await ben.register(MODERN)).state.user_settings.default_language).toBe(code);
    await ben.ok('PATCH', '/settings', { default_language: 'en' });
  });

  test('that are as they were tell nothing', async () => {
    const { body } = await ben.call('PATCH', '/settings', { enter_sends: false, unheard_of: 1 });
    expect(body).toMatchObject({ result: 'success', ignored_parameters_unsupported: ['unheard_of'] });
    const queue = await ben.register();
    await ben.ok('PATCH', '/settings', { enter_sends: false });
    expect(await queue.pending()).toEqual([]);
  });

  test('the paths and spellings of older clients', async () => {
    await ben.ok('PATCH', '/settings/display', { emojiset: '"text"' });
    await ben.ok('PATCH', '/settings/notifications', { notification_sound: 'none' });
    expect((await ben.register(MODERN)).state.user_settings).toMatchObject({
      emojiset: 'text',
      notification_sound: 'none',
    });
  });

  test.each([
    [{ enter_sends: 'perhaps' }, 'REQUEST_VARIABLE_INVALID'],
    [{ color_scheme: 9 }, 'BAD_REQUEST'],
    [{ color_scheme: 'dark' }, 'REQUEST_VARIABLE_INVALID'],
    [{ emojiset: 'scribbles' }, 'BAD_REQUEST'],
    [{ default_language: 'xx-nonsense-' }, 'BAD_REQUEST'],
    [{ default_language: 'en_GB' }, 'BAD_REQUEST'],
    [{ email_notifications_batching_period_seconds: 0 }, 'BAD_REQUEST'],
    [{ automatically_follow_topics_policy: 5 }, 'BAD_REQUEST'],
  ])('%j is refused', async (parameters, code) => {
    expectRefusal(await ben.call('PATCH', '/settings', { ...parameters, fluid_layout_width: true }), code);
    expect((await ben.register(MODERN)).state.user_settings.fluid_layout_width).toBe(false);
  });

  test('emoticons become emoji for users with that setting', async () => {
    const send = async (): Promise<string> => (await messageOf(ben, await ben.send('Lunch', 'soup', 'hi :)'))).content;
    expect(await send()).toBe('<p>hi :)</p>');
    await ben.ok('PATCH', '/settings', { translate_emoticons: true });
    expect(await send()).toContain('class="emoji');
  });

  test('are private to each user', async () => {
    const queue = await owner.register();
    await ben.ok('PATCH', '/settings', { starred_message_counts: false });
    await ben.ok('POST', '/users/me/alert_words', { alert_words: ['x'] });
    expect(await queue.pending()).toEqual([]);
  });
});
