import { fetch, until } from '#testing';
import { channelId, expectRefusal, messageOf, messagesIn } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { readExposition } from '../../support/exposition.js';
import { COUNTS_POLLS, untilHeld } from '../../support/held-polls.js';
import { moveClock } from '../../support/later.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import { picture, upload } from '../../support/pictures.js';
import { startTestServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let den: number;

beforeAll(async () => {
  ({ server, ann, ben, cleo } = await startWithPeople(undefined, COUNTS_POLLS));
  den = await channelOf('den', ann, ben);
});
afterAll(() => server.stop());

const poll = (client: ApiClient, queue: TestQueue, parameters: Record<string, unknown> = {}): Promise<any> =>
  client.call('GET', '/events', {
    queue_id: queue.queueId,
    last_event_id: queue.lastEventId,
    dont_block: true,
    ...parameters,
  });
const typesOf = (events: readonly any[]): string[] =>
  events.map(({ type, op }) => (op === undefined ? type : `${type}/${op}`));
const MODERN = { bulk_message_deletion: true, empty_topic_name: true, user_settings_object: true };

describe('a queue', () => {
  test('has a name, a beginning, and nothing in it', async () => {
    const queue = await ben.register();
    expect(queue.queueId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(queue.lastEventId).toBe(-1);
    const { status, body } = await poll(ben, queue);
    expect([status, body.events, body.queue_id]).toEqual([200, [], queue.queueId]);
  });

  test('gives events in order, again until they are acknowledged, and never after', async () => {
    const queue = await ben.register({ event_types: ['message'] });
    const ids = [await ann.send('den', 'o', '1'), await ann.send('den', 'o', '2'), await ann.send('den', 'o', '3')];
    const first = (await poll(ben, queue)).body.events;
    expect(first.map((event: any) => event.message.id)).toEqual(ids);
    const eventIds = first.map(({ id }: any) => id);
    expect(eventIds).toEqual([...eventIds].sort((a, b) => a - b));
    expect(new Set(eventIds).size).toBe(3);
    expect(eventIds[0]).toBeGreaterThan(queue.lastEventId);
    expect(eventIds[2]).toBeLessThan(2 ** 53);
    expect((await poll(ben, queue)).body.events).toEqual(first);
    const rest = await poll(ben, queue, { last_event_id: eventIds[0] });
    expect(rest.body.events).toEqual(first.slice(1));
    const repeated = await poll(ben, queue, { last_event_id: eventIds[0] });
    expect(repeated.body.events).toEqual(first.slice(1));
    expect((await poll(ben, queue, { last_event_id: eventIds[2] })).body.events).toEqual([]);
  });

  test('gives all that is pending at once, events that are not stored in their place', async () => {
    const queue = await ben.register({ event_types: ['message', 'typing', 'update_message_flags'] });
    const typing = (op: string): Promise<any> => ann.ok('POST', '/typing', { op, to: [ben.userId] });
    await typing('start');
    const message = await ann.sendTo([ben], '1');
    await typing('stop');
    await typing('start');
    await ben.ok('POST', '/messages/flags', { op: 'add', flag: 'collapsed', messages: [message] });
    await ben.ok('POST', '/messages/flags', { op: 'add', flag: 'collapsed', messages: [message] });
    await ann.sendTo([ben], '2');
    const { events } = (await poll(ben, queue)).body;
    const flags = 'update_message_flags/add';
    const all = ['typing/start', 'message', 'typing/stop', 'typing/start', flags, flags, 'message'];
    expect(typesOf(events)).toEqual(all);
    const ids = events.map(({ id }: any) => id);
    expect(ids).toEqual([...new Set<number>(ids)].sort((a, b) => a - b));
    for (const last_event_id of [ids[1], ids[3], ids[6]]) {
      const rest = (await poll(ben, queue, { last_event_id })).body.events;
      expect(typesOf(rest)).toEqual(last_event_id === ids[6] ? [] : [flags, 'message']);
    }
  });

  test('tells a late client each change of a list, with the list of then', async () => {
    const { owner } = server;
    const event_types = [
      'realm_emoji',
      'alert_words',
      'muted_users',
      'muted_topics',
      'realm_linkifiers',
      'realm_playgrounds',
    ];
    const queue = await owner.register({
      event_types: [...event_types, 'message', 'default_streams'],
      client_capabilities: { linkifier_url_template: true },
    });
    const file = await picture(20, 20);
    for (const [index, user] of [ann, ben, cleo].entries()) {
      expect((await upload(server, owner, { path: `/realm/emoji/late${index}`, files: [file] })).status).toBe(200);
      await owner.ok('POST', '/users/me/alert_words', { alert_words: [`word${index}`] });
      await owner.ok('POST', `/users/me/muted_users/${user.userId}`);
      await owner.ok('POST', '/user_topics', { stream_id: den, topic: `t${index}`, visibility_policy: 1 });
      await owner.ok('POST', '/realm/filters', {
        pattern: `#${index}(?P<id>[0-9]+)`,
        url_template: 'https://a.test/{id}',
      });
      await owner.ok('POST', '/realm/playgrounds', {
        name: `p${index}`,
        pygments_language: 'Rust',
        url_template: 'https://a.test/{code}',
      });
      await owner.sendTo([user], `${index}`);
    }
    const events = await queue.pending();
    const lists = events.filter(({ type }) => type !== 'message');
    expect(events.length - lists.length).toBe(3);
    expect(lists.map(({ type }) => type)).toEqual([ann, ben, cleo].flatMap(() => event_types));
    const lengthsOf = (type: string): number[] =>
      lists.filter((event) => event.type === type).map((event) => Object.keys(event[type]).length);
    for (const type of event_types) expect(lengthsOf(type)).toEqual([1, 2, 3]);
    const { state } = await owner.register({
      fetch_event_types: event_types,
      client_capabilities: { linkifier_url_template: true },
    });
    for (const { type, id: _, op: _op, ...told } of lists.slice(-event_types.length)) expect(state).toMatchObject(told);
    // Emoji are known before the messages that may show them.
    expect(events[0].type).toBe('realm_emoji');
  });

  test('tells a late client a large list once, however often it has changed', async () => {
    const queue = await ben.register({ event_types: ['alert_words'] });
    for (const letter of ['a', 'b', 'c', 'd'])
      await ben.ok('POST', '/users/me/alert_words', {
        alert_words: Array.from({ length: 10 }, (_, index) => `${letter.repeat(90)}${index}`),
      });
    const events = await queue.pending();
    expect(events.map((event: any) => event.alert_words.length)).toEqual([40]);
  });

  test('does not go back behind what was acknowledged, or ahead of what happened', async () => {
    const queue = await ben.register({ event_types: ['message'] });
    await ann.send('den', 'o', '1');
    await ann.send('den', 'o', '2');
    const [first, second] = (await poll(ben, queue)).body.events;
    await poll(ben, queue, { last_event_id: second.id });
    for (const last_event_id of [first.id, 0, -1])
      expectRefusal(await poll(ben, queue, { last_event_id }), 'BAD_REQUEST');
    expectRefusal(await poll(ben, queue, { last_event_id: Number(second.id) + 1_000_000_000 }), 'BAD_REQUEST');
    expect((await poll(ben, queue, { last_event_id: second.id })).status).toBe(200);
  });

  test('needs its name and a last event', async () => {
    const queue = await ben.register();
    expectRefusal(await ben.call('GET', '/events', { queue_id: queue.queueId, dont_block: true }), 'BAD_REQUEST');
    const broken = await poll(ben, queue, { last_event_id: 'x' });
    expect(expectRefusal(broken, 'REQUEST_VARIABLE_INVALID').var_name).toBe('last_event_id');
  });

  test.each(['00000000-0000-4000-8000-000000000000', 'nonsense', ''])('that is unknown (%j)', async (queue_id) => {
    const answer = await ben.call('GET', '/events', { queue_id, last_event_id: -1, dont_block: true });
    expect(expectRefusal(answer, 'BAD_EVENT_QUEUE_ID')).toMatchObject({
      queue_id,
      msg: expect.stringMatching(/^Bad event queue id/i),
    });
    expectRefusal(await ben.call('DELETE', '/events', { queue_id }), 'BAD_EVENT_QUEUE_ID');
  });

  test('of another user looks unknown', async () => {
    const queue = await ben.register();
    expectRefusal(await poll(cleo, queue), 'BAD_EVENT_QUEUE_ID');
    expectRefusal(await cleo.call('DELETE', '/events', { queue_id: queue.queueId }), 'BAD_EVENT_QUEUE_ID');
    expect((await poll(ben, queue)).status).toBe(200);
  });

  test('ends when it is deleted', async () => {
    const queue = await ben.register();
    await ben.ok('DELETE', '/events', { queue_id: queue.queueId });
    expectRefusal(await poll(ben, queue), 'BAD_EVENT_QUEUE_ID');
    expectRefusal(await ben.call('DELETE', '/events', { queue_id: queue.queueId }), 'BAD_EVENT_QUEUE_ID');
  });
});

describe('waiting', () => {
  test('ends with a send, at once', async () => {
    const queue = await ben.register({ event_types: ['message'] });
    const waiting = queue.poll();
    await untilHeld(server);
    const id = await ann.send('den', 'wake', 'up');
    const [event] = await waiting;
    // Not with a heartbeat, which is all that would come later.
    expect(event.message.id).toBe(id);
  });

  test('is ended by a newer poll, which then waits on', async () => {
    const queue = await ben.register({ event_types: ['message'] });
    const older = poll(ben, queue, { dont_block: false });
    await untilHeld(server);
    const newer = poll(ben, queue, { dont_block: false });
    const answered = await older;
    expect(answered.body.events).toEqual([{ type: 'heartbeat', id: expect.any(Number) }]);
    expect(answered.body.events[0].id).toBeGreaterThanOrEqual(queue.lastEventId);
    const id = await ann.send('den', 'wake', 'up');
    expect((await newer).body.events.map((event: any) => event.message.id)).toEqual([id]);
  });

  test('is ended by the deletion of the queue', async () => {
    const queue = await ben.register({ event_types: ['message'] });
    const waiting = poll(ben, queue, { dont_block: false });
    await untilHeld(server);
    await ben.ok('DELETE', '/events', { queue_id: queue.queueId });
    const answer = await waiting;
    expect([200, 400]).toContain(answer.status);
    if (answer.status === 400) expectRefusal(answer, 'BAD_EVENT_QUEUE_ID');
    else expect(answer.body.events).toEqual([{ type: 'heartbeat', id: expect.any(Number) }]);
  });

  test('many wait for one send', async () => {
    const queues = await Promise.all(Array.from({ length: 30 }, () => ben.register({ event_types: ['message'] })));
    const waiting = queues.map((queue) => queue.poll());
    await untilHeld(server, queues.length);
    const id = await ann.send('den', 'wake', 'all');
    for (const events of await Promise.all(waiting)) expect(events.map((event) => event.message.id)).toEqual([id]);
  });
});

describe('the sender', () => {
  test('gets local_id back, in the queue that it named alone', async () => {
    const [mine, other, hers] = [await ann.register(), await ann.register(), await ben.register()];
    const { id } = await ann.ok('POST', '/messages', {
      type: 'channel',
      to: 'den',
      topic: 'echo',
      content: 'x',
      queue_id: mine.queueId,
      local_id: '17.01',
    });
    const events = await Promise.all([mine, other, hers].map(async (queue) => queue.pending()));
    const [echoed, plain, received] = events.map((all) => all.find(({ type }) => type === 'message'));
    expect(echoed).toMatchObject({ message: { id }, local_id: '17.01', local_message_id: '17.01' });
    for (const event of [plain, received]) {
      expect(event.message.id).toBe(id);
      expect(event).not.toHaveProperty('local_id');
      expect(event).not.toHaveProperty('local_message_id');
    }
  });
});

describe('message events', () => {
  test('carry the message as it is fetched, flags beside it', async () => {
    const queue = await ben.register({ event_types: ['message'], apply_markdown: true });
    const id = await ann.send('den', 'shape', '**x** @**Ben Baker**');
    const [event] = await queue.pending();
    const { flags, ...message } = await messageOf(ben, id);
    expect(event).toEqual({ id: expect.any(Number), type: 'message', message, flags });
    expect(flags).toEqual(['mentioned']);
  });

  test('reach who is mentioned from outside, as mentioned and unread', async () => {
    const queue = await cleo.register({ event_types: ['message'] });
    const id = await ann.send('den', 'over here', '@**Cleo Cole** come in');
    expect((await queue.pending()).map(({ message, flags }) => [message.id, flags])).toEqual([[id, ['mentioned']]]);
    expect((await messageOf(cleo, id)).flags).toEqual(['mentioned']);
    expect((await messagesIn(cleo, [['is', 'mentioned']])).map((message) => message.id)).toContain(id);
    expect((await messagesIn(cleo, [['topic', 'over here']])).map((message) => message.id)).toEqual([id]);
  });

  test('are raw unless rendering was asked for, with avatars as asked for', async () => {
    const raw = await ben.register({ event_types: ['message'], client_gravatar: false });
    await ann.send('den', 'shape', '**x**');
    const [{ message }] = await raw.pending();
    expect(message).toMatchObject({ content: '**x**', content_type: 'text/x-markdown' });
    expect(message.avatar_url).toMatch(/./);
  });

  test('reach who received the message, and who watches all public channels', async () => {
    const [inside, outside, watching] = [
      await ben.register({ event_types: ['message'] }),
      await cleo.register({ event_types: ['message'] }),
      await cleo.register({ event_types: ['message'], all_public_streams: true }),
    ];
    const id = await ann.send('den', 'who', 'x');
    const direct = await ann.sendTo([cleo], 'x');
    const idsIn = async (queue: TestQueue): Promise<number[]> =>
      (await queue.pending()).map((event) => event.message.id);
    expect(await idsIn(inside)).toEqual([id]);
    expect(await idsIn(outside)).toEqual([direct]);
    expect(await idsIn(watching)).toEqual([id, direct]);
  });

  test.each<[string, unknown, string[]]>([
    ['a channel', [['stream', 'den']], ['one', 'two']],
    [
      'a topic',
      [
        ['stream', 'den'],
        ['topic', 'ONE'],
      ],
      ['one'],
    ],
    ['a sender', [['sender', 'ann.archer@example.test']], ['one', 'direct']],
    ['direct messages', [['is', 'dm']], ['direct']],
    ['mentions', [['is', 'mentioned']], ['two']],
    [
      'what it does not know, which is no condition',
      [['is', 'followed'], ['topic', 'one'], { operator: 'is', operand: 'of tomorrow', negated: true }],
      ['one'],
    ],
    ['all but a topic', [{ operator: 'topic', operand: 'one', negated: true }], ['two', 'direct']],
    [
      'a channel, without what mentions',
      [
        { operator: 'channel', operand: 'den', negated: false },
        { operator: 'is', operand: 'mentioned', negated: true },
      ],
      ['one'],
    ],
  ])('of a queue narrowed to %s', async (_, narrow, expected) => {
    const queue = await ben.register({ event_types: ['message'], narrow });
    const sent = new Map([
      [await ann.send('den', 'one', 'x'), 'one'],
      [await server.owner.subscribe('den').then(() => server.owner.send('den', 'two', '@**Ben Baker**')), 'two'],
      [await ann.sendTo([ben], 'x'), 'direct'],
    ]);
    expect((await queue.pending()).map((event) => sent.get(event.message.id))).toEqual(expected);
  });

  test('an unsupported or malformed narrow is refused', async () => {
    for (const narrow of ['[["search","x"]]', '[["channel"]]', '{', '[1]']) {
      const answer = await ben.call('POST', '/register', { narrow });
      expect([narrow, answer.status, answer.body.result]).toEqual([narrow, 400, 'error']);
    }
  });
});

describe('each change tells', () => {
  let queue: TestQueue;
  beforeEach(async () => {
    queue = await ben.register({ client_capabilities: MODERN, apply_markdown: true });
  });
  const QUIET = { send_notification_to_new_thread: false };
  const id = expect.any(Number);

  test('editing', async () => {
    const message = await ann.send('den', 'edited', 'one');
    await queue.pending();
    await ann.ok('PATCH', `/messages/${message}`, { content: '*two*' });
    expect(await queue.pending()).toEqual([
      {
        id,
        type: 'update_message',
        user_id: ann.userId,
        rendering_only: false,
        message_id: message,
        message_ids: [message],
        flags: [],
        edit_timestamp: expect.any(Number),
        stream_id: den,
        stream_name: 'den',
        orig_content: 'one',
        orig_rendered_content: '<p>one</p>',
        content: '*two*',
        rendered_content: '<p><em>two</em></p>',
        is_me_message: false,
      },
    ]);
  });

  test('moving to a topic', async () => {
    const messages = [await ann.send('den', 'before', '1'), await ann.send('den', 'before', '2')];
    await queue.pending();
    await ann.ok('PATCH', `/messages/${messages[1]}`, { topic: 'after', propagate_mode: 'change_all', ...QUIET });
    const events = (await queue.pending()).filter(({ type }) => type === 'update_message');
    expect(events).toEqual([
      {
        id,
        type: 'update_message',
        user_id: ann.userId,
        rendering_only: false,
        message_id: messages[1],
        message_ids: messages,
        flags: [],
        edit_timestamp: expect.any(Number),
        stream_id: den,
        stream_name: 'den',
        orig_subject: 'before',
        subject: 'after',
        topic_links: [],
        propagate_mode: 'change_all',
      },
    ]);
  });

  test('moving to a channel', async () => {
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'attic' }],
      principals: [ann.userId, ben.userId],
    });
    const attic = await channelId(ann, 'attic');
    const message = await ann.send('den', 'kept', '1');
    await queue.pending();
    await ann.ok('PATCH', `/messages/${message}`, { stream_id: attic, ...QUIET });
    const [event] = (await queue.pending()).filter(({ type }) => type === 'update_message');
    expect(event).toMatchObject({
      stream_id: den,
      new_stream_id: attic,
      orig_subject: 'kept',
      propagate_mode: 'change_one',
    });
    expect(event).not.toHaveProperty('subject');
    expect(event).not.toHaveProperty('content');
  });

  test('deleting', async () => {
    const messages = [await ann.send('den', '', '1'), await ann.sendTo([ben], '2')];
    await queue.pending();
    for (const message of messages) await ann.ok('DELETE', `/messages/${message}`);
    const events = (await queue.pending()).filter(({ type }) => type === 'delete_message');
    expect(events).toEqual([
      { id, type: 'delete_message', message_type: 'stream', message_ids: [messages[0]], stream_id: den, topic: '' },
      { id, type: 'delete_message', message_type: 'private', message_ids: [messages[1]] },
    ]);
  });

  test('reacting', async () => {
    const message = await ann.send('den', 'reacted', '1');
    await queue.pending();
    await ann.ok('POST', `/messages/${message}/reactions`, { emoji_name: 'tada' });
    await ann.ok('DELETE', `/messages/${message}/reactions`, { emoji_name: 'tada' });
    const events = await queue.pending();
    expect(typesOf(events)).toEqual(['reaction/add', 'reaction/remove']);
    for (const event of events)
      expect(event).toMatchObject({
        message_id: message,
        emoji_name: 'tada',
        emoji_code: '1f389',
        reaction_type: 'unicode_emoji',
        user_id: ann.userId,
        user: { user_id: ann.userId, email: ann.email, full_name: 'Ann Archer' },
      });
  });

  test('flagging, to oneself alone', async () => {
    const other = await ann.register();
    const message = await ann.send('den', 'flagged', '1');
    const direct = await ann.sendTo([ben], '2');
    await queue.pending();
    await other.pending();
    const flag = (op: string, name: string, messages: number[]): Promise<any> =>
      ben.ok('POST', '/messages/flags', { op, flag: name, messages });
    await flag('add', 'starred', [message]);
    await flag('add', 'read', [message, direct]);
    await flag('remove', 'read', [message, direct]);
    const type = 'update_message_flags';
    expect(await queue.pending()).toEqual([
      { id, type, op: 'add', operation: 'add', flag: 'starred', messages: [message], all: false },
      { id, type, op: 'add', operation: 'add', flag: 'read', messages: [message, direct], all: false },
      {
        id,
        type,
        op: 'remove',
        operation: 'remove',
        flag: 'read',
        messages: [message, direct],
        all: false,
        message_details: {
          [message]: { type: 'stream', stream_id: den, topic: 'flagged', unmuted_stream_msg: true },
          [direct]: { type: 'private', user_ids: [ann.userId] },
        },
      },
    ]);
    expect(typesOf(await other.pending())).toEqual([]);
  });

  test('only what changed is listed', async () => {
    const messages = [await ann.send('den', 'partly', '1'), await ann.send('den', 'partly', '2')];
    await ben.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: messages.slice(0, 1) });
    await queue.pending();
    await ben.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages });
    const [event] = await queue.pending();
    expect(event.messages).toEqual(messages.slice(1));
  });

  test('creating a channel, and subscribing to it', async () => {
    const subscribers = { include_subscribers: 'true' };
    queue = await ben.register(subscribers);
    const creator = await cleo.register(subscribers);
    await cleo.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'fresh' }],
      principals: [cleo.userId, ben.userId],
    });
    const fresh = await channelId(cleo, 'fresh');
    const [seen, own] = [await queue.pending(), await creator.pending()];
    for (const [events, peer] of [
      [seen, cleo],
      [own, ben],
    ] as const) {
      const relevant = events.filter(({ type }) => type === 'stream' || type === 'subscription');
      const [created, added, ...more] = relevant;
      expect(created).toMatchObject({ type: 'stream', op: 'create', streams: [{ stream_id: fresh, name: 'fresh' }] });
      expect(added).toMatchObject({ type: 'subscription', op: 'add' });
      expect(added.subscriptions[0]).toMatchObject({
        stream_id: fresh,
        color: expect.stringMatching(/^#[0-9a-f]{6}$/),
      });
      const peers = more.filter(({ op }) => op === 'peer_add').flatMap(({ user_ids }) => user_ids);
      expect([...peers, ...added.subscriptions[0].subscribers]).toContain(peer.userId);
    }
    await ben.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['fresh'] });
    const [removed] = (await queue.pending()).filter(({ type }) => type === 'subscription');
    expect(removed).toMatchObject({ op: 'remove', subscriptions: [{ stream_id: fresh, name: 'fresh' }] });
    const [peerRemoved] = (await creator.pending()).filter(({ op }) => op === 'peer_remove');
    expect(peerRemoved).toMatchObject({ type: 'subscription', stream_ids: [fresh], user_ids: [ben.userId] });
  });

  test('a private channel: nothing to outsiders', async () => {
    await cleo.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'hush' }], invite_only: true });
    await cleo.send('hush', 't', 'psst');
    expect(await queue.pending()).toEqual([]);
    await cleo.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'hush' }], principals: [ben.userId] });
    const events = (await queue.pending()).filter(({ type }) => type === 'stream' || type === 'subscription');
    expect(typesOf(events).slice(0, 2)).toEqual(['stream/create', 'subscription/add']);
    await ben.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['hush'] });
    const left = (await queue.pending()).filter(({ type }) => type === 'stream' || type === 'subscription');
    expect(typesOf(left)).toEqual(['subscription/remove', 'stream/delete']);
    expect(left[1].stream_ids).toEqual([await channelId(cleo, 'hush')]);
  });

  test('a new account', async () => {
    const account = { email: 'nina@example.test', password: 'a good long password', full_name: 'Nina New' };
    const { user_id } = await server.owner.ok('POST', '/users', account);
    const [event] = (await queue.pending()).filter(({ type }) => type === 'realm_user');
    const { user } = await ben.ok('GET', `/users/${user_id}`, { include_custom_profile_fields: true });
    expect(event).toEqual({ id, type: 'realm_user', op: 'add', person: user });
  });
});

describe('what a client declares', () => {
  test('without bulk_message_deletion, deletions come one at a time', async () => {
    const queue = await ben.register({ event_types: ['delete_message'] });
    const message = await ann.send('den', 'bulk', 'x');
    await ann.ok('DELETE', `/messages/${message}`);
    const [event] = await queue.pending();
    expect(event).toMatchObject({ message_id: message });
    expect(event).not.toHaveProperty('message_ids');
  });

  test('without empty_topic_name, the empty topic has a name everywhere', async () => {
    const [plain, modern] = [
      await ben.register({ client_capabilities: { bulk_message_deletion: true } }),
      await ben.register({ client_capabilities: MODERN }),
    ];
    const message = await ann.send('den', '', 'x');
    await ben.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [message] });
    await ben.ok('POST', '/messages/flags', { op: 'remove', flag: 'read', messages: [message] });
    await ann.ok('PATCH', `/messages/${message}`, { topic: 'named', send_notification_to_new_thread: false });
    await ann.ok('PATCH', `/messages/${message}`, { topic: '', send_notification_to_new_thread: false });
    const queues = [modern, plain];
    const before = await Promise.all(queues.map((queue) => queue.pending()));
    await ann.ok('DELETE', `/messages/${message}`);
    const [modernEvents, plainEvents] = await Promise.all(
      queues.map(async (queue, index) => [...before[index]!, ...(await queue.pending())]),
    );
    const topicsIn = (events: any[]): unknown[] =>
      events.flatMap((event) => [
        ...(event.type === 'message' ? [event.message.subject] : []),
        ...(event.type === 'update_message' ? [event.orig_subject, event.subject] : []),
        ...(event.type === 'delete_message' ? [event.topic] : []),
        ...Object.values<any>(event.message_details ?? {}).map(({ topic }) => topic),
      ]);
    const sent = ['', '', '', 'named', 'named', '', ''];
    expect(topicsIn(modernEvents!)).toEqual(sent);
    expect(topicsIn(plainEvents!)).toEqual(sent.map((topic) => (topic === '' ? 'general chat' : topic)));
  });

  test('event_types filters, and unknown ones are ignored', async () => {
    const queue = await ben.register({ event_types: ['reaction', 'no_such_type'] });
    const message = await ann.send('den', 'types', 'x');
    await ann.ok('POST', `/messages/${message}/reactions`, { emoji_name: 'tada' });
    expect(typesOf(await queue.pending())).toEqual(['reaction/add']);
  });

  test('the extra emoji is spelled the same for every client', async () => {
    const [plain, zulip] = [ben, ben.as('ZulipFlutter/30.0 (Android 14)')];
    const queues = [
      await plain.register({ event_types: ['reaction'] }),
      await zulip.register({ event_types: ['reaction'] }),
    ];
    const message = await ann.send('den', 'types', 'x');
    await ann.ok('POST', `/messages/${message}/reactions`, { emoji_name: 'zulip' });
    const kinds = await Promise.all(queues.map(async (queue) => (await queue.pending())[0].reaction_type));
    expect(kinds).toEqual(['zulip_extra_emoji', 'zulip_extra_emoji']);
  });

  test('null for absent, as one client sends it', async () => {
    const queue = await ben.register({ event_types: 'null', fetch_event_types: 'null', narrow: '[]' });
    expect(queue.state).toHaveProperty('realm_users');
    await ann.send('den', 'null', 'x');
    expect(typesOf(await queue.pending())).toEqual(['message']);
  });
});

test('POST /register without credentials: 401 while spectators are off', async () => {
  const answer = await fetch(`${server.url}/api/v1/register`, { method: 'POST' });
  expect([answer.status, (await answer.json()).code]).toEqual([401, 'UNAUTHORIZED']);
});

describe('time', () => {
  let quick: TestServer;
  let reader: ApiClient;
  beforeAll(async () => {
    // Queues are swept four times in the limit. What is polled here in real time asks for a longer life.
    const environment = { ...COUNTS_POLLS, EVENT_QUEUE_IDLE_SECONDS: '1', HEARTBEAT_SECONDS: '1' };
    quick = await startTestServer(environment);
    reader = await quick.user('Rita Reader');
  });
  afterAll(() => quick.stop());

  const queues = async (): Promise<number> =>
    readExposition(await quick.metrics()).value('scrollback_event_queues') ?? 0;

  test('a held poll gets a heartbeat, with an ID that grows', async () => {
    const queue = await reader.register({ queue_lifespan_secs: 600 });
    let last = queue.lastEventId;
    for (let round = 0; round < 2; round++) {
      const { events } = await reader.ok('GET', '/events', { queue_id: queue.queueId, last_event_id: last });
      expect(events).toEqual([{ id: expect.any(Number), type: 'heartbeat' }]);
      expect(events[0].id).toBeGreaterThan(last);
      last = events[0].id;
    }
    const id = await quick.owner.sendTo([reader], 'after a heartbeat');
    const { events } = await reader.ok('GET', '/events', { queue_id: queue.queueId, last_event_id: last });
    expect(events.map((event: any) => event.message?.id)).toEqual([id]);
    expect(events[0].id).toBeGreaterThan(last);
  });

  test('a queue without polls is removed; one that is polled stays', async () => {
    const lives = { queue_lifespan_secs: 600 };
    const [idle, polled] = [await reader.register(lives), await reader.register(lives)];
    const clock = moveClock();
    try {
      clock.goOn(400);
      expect((await poll(reader, polled)).status).toBe(200);
      clock.goOn(400);
      // The queue of the test before goes as well.
      await until(async () => (await queues()) === 1);
      expectRefusal(await poll(reader, idle), 'BAD_EVENT_QUEUE_ID');
      expect((await poll(reader, polled)).status).toBe(200);
    } finally {
      clock.stop();
    }
  });

  test('a client may ask for a longer life', async () => {
    const before = await queues();
    const [short, long] = [await reader.register(), await reader.register({ queue_lifespan_secs: 600 })];
    await until(async () => (await queues()) === before + 1);
    expect((await poll(reader, long)).status).toBe(200);
    expectRefusal(await poll(reader, short), 'BAD_EVENT_QUEUE_ID');
  });
});

describe('a restart', () => {
  test('keeps queues, and every event exactly once', async () => {
    const [queue, acknowledged] = [
      await ben.register({ event_types: ['message'] }),
      await ben.register({ event_types: ['message'] }),
    ];
    const ids = [await ann.send('den', 'r', '1')];
    expect(await acknowledged.pending()).toHaveLength(1);
    ids.push(await ann.send('den', 'r', '2'));
    await server.restart();
    ids.push(await ann.send('den', 'r', '3'));
    expect((await queue.pending()).map((event) => event.message.id)).toEqual(ids);
    expect((await acknowledged.pending()).map((event) => event.message.id)).toEqual(ids.slice(1));
    await server.restart();
    expect(await queue.pending()).toEqual([]);
    ids.push(await ann.send('den', 'r', '4'));
    expect((await queue.pending()).map((event) => event.message.id)).toEqual(ids.slice(3));
  });

  test('answers those who wait, and they go on, also clients whose place is the highest ID of the last answer', async () => {
    const queue = await ben.register({ event_types: ['message'] });
    const waiting = poll(ben, queue, { dont_block: false });
    await untilHeld(server);
    const ids = [await ann.send('den', 'r', 'before')];
    const placeIn = ({ events }: { events: any[] }): number => Math.max(0, ...events.map(({ id }) => Number(id)));
    const place = placeIn((await waiting).body);
    const again = poll(ben, queue, { last_event_id: place, dont_block: false });
    await untilHeld(server);
    await server.restart();
    const answer = await again;
    expect([answer.status, answer.body.events]).toEqual([200, [{ type: 'heartbeat', id: expect.any(Number) }]]);
    ids.push(await ann.send('den', 'r', 'after'));
    const { body } = await poll(ben, queue, { last_event_id: placeIn(answer.body) });
    expect(body.events.map((event: any) => event.message.id)).toEqual(ids.slice(1));
  });

  test('remembers what was deleted', async () => {
    const queue = await ben.register();
    await ben.ok('DELETE', '/events', { queue_id: queue.queueId });
    await server.restart();
    expectRefusal(await poll(ben, queue), 'BAD_EVENT_QUEUE_ID');
  });
});
