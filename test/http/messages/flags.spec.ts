import { channelId, expectRefusal, idsOf, messageOf, messagesIn } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let den: number;

beforeAll(async () => {
  ({ server, ann, ben, cleo } = await startWithPeople());
  den = await channelOf('den', ann, ben);
});
afterAll(() => server.stop());

const flag = (client: ApiClient, op: string, name: string, messages: unknown): ReturnType<ApiClient['call']> =>
  client.call('POST', '/messages/flags', { op, flag: name, messages });

const unreadOf = async (client: ApiClient): Promise<any> =>
  (await client.register({ fetch_event_types: ['message', 'update_message_flags'] })).state.unread_msgs;

const starredOf = async (client: ApiClient): Promise<number[]> =>
  (await client.register({ fetch_event_types: ['starred_messages'] })).state.starred_messages;

describe('reading', () => {
  test('add and remove', async () => {
    const ids = [await ann.send('den', 'a', '1'), await ann.send('den', 'a', '2')];
    expect((await messageOf(ben, ids[0]!)).flags).toEqual([]);
    const added = await flag(ben, 'add', 'read', ids);
    expect(added.body.messages).toEqual(ids);
    expect(added.body).not.toHaveProperty('ignored_because_not_subscribed_channels');
    expect((await messageOf(ben, ids[0]!)).flags).toEqual(['read']);
    expect((await messageOf(ann, ids[0]!)).flags).toEqual([]);
    const removed = await flag(ben, 'remove', 'read', ids);
    expect(removed.body.ignored_because_not_subscribed_channels).toEqual([]);
    expect((await messageOf(ben, ids[0]!)).flags).toEqual([]);
  });

  test('answers with what changed, in the order of the request', async () => {
    const [one, two, own] = [
      await ann.send('den', 'a', '1'),
      await ann.send('den', 'a', '2'),
      await ben.send('den', 'a', '3'),
    ];
    await flag(ben, 'add', 'read', [two]);
    const added = await flag(ben, 'add', 'read', [own, two, one, one]);
    expect(added.body.messages).toEqual([own, one]);
    expect((await flag(ben, 'add', 'read', [one, two])).body.messages).toEqual([]);
  });

  test('is told each time, listing what changed', async () => {
    const id = await ann.send('den', 'a', '1');
    const queue = await ben.register({ event_types: ['update_message_flags'] });
    const others = await ann.register({ event_types: ['update_message_flags'] });
    const told = async (op: string, name: string, messages: number[]): Promise<any> => {
      expect((await flag(ben, op, name, messages)).status).toBe(200);
      const events = await queue.poll();
      expect(events).toEqual([expect.objectContaining({ type: 'update_message_flags', op, flag: name, all: false })]);
      return events[0];
    };
    expect((await told('add', 'read', [id])).messages).toEqual([id]);
    expect((await told('add', 'read', [id])).messages).toEqual([]);
    expect((await told('remove', 'starred', [id])).messages).toEqual([]);
    expect((await told('remove', 'read', [id])).messages).toEqual([id]);
    expect(await told('remove', 'read', [id])).toMatchObject({ messages: [], message_details: {} });
    expect((await told('add', 'collapsed', [])).messages).toEqual([]);
    expect(await others.pending()).toEqual([]);
  });

  test('what is read is not the first unread, and is in no list of unread', async () => {
    const topic = 'first unread';
    const ids = [
      await ann.send('den', topic, '1'),
      await ann.send('den', topic, '2'),
      await ann.send('den', topic, '3'),
    ];
    await flag(ben, 'add', 'read', [ids[0]]);
    const body = await ben.ok('GET', '/messages', {
      narrow: [
        ['channel', 'den'],
        ['topic', topic],
      ],
      anchor: 'first_unread',
      num_before: 5,
      num_after: 5,
    });
    expect([body.anchor, body.found_anchor]).toEqual([ids[1], true]);
    expect(idsOf(body.messages)).toEqual(ids);
    expect(
      idsOf(
        await messagesIn(ben, [
          ['channel', 'den'],
          ['topic', topic],
          ['is', 'unread'],
        ]),
      ),
    ).toEqual(ids.slice(1));
    const { streams } = await unreadOf(ben);
    expect(streams.find((entry: any) => entry.topic === topic)).toEqual({
      stream_id: den,
      topic,
      unread_message_ids: ids.slice(1),
    });
    await flag(ben, 'add', 'read', ids);
    const nothing = await ben.ok('GET', '/messages', {
      narrow: [['topic', topic]],
      anchor: 'first_unread',
      num_before: 0,
      num_after: 0,
    });
    expect([nothing.anchor, nothing.messages]).toEqual([10_000_000_000_000_000, []]);
  });

  test('unread again: not in channels that one does not subscribe to', async () => {
    await cleo.subscribe('den');
    const id = await ann.send('den', 'left', 'x');
    await flag(cleo, 'add', 'read', [id]);
    await cleo.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['den'] });
    const direct = await ann.sendTo([cleo], 'x');
    await flag(cleo, 'add', 'read', [direct]);
    const answer = await flag(cleo, 'remove', 'read', [id, direct]);
    expect(answer.body.ignored_because_not_subscribed_channels).toEqual([den]);
    expect((await messageOf(cleo, id)).flags).toContain('read');
    expect((await messageOf(cleo, direct)).flags).not.toContain('read');
  });
});

test('nothing is unread again in an archived channel', async () => {
  const attic = await channelOf('attic', ann, cleo);
  const id = await ann.send('attic', 'old', 'x');
  await flag(cleo, 'add', 'read', [id]);
  await ann.ok('DELETE', `/streams/${attic}`);
  const queue = await cleo.register({ event_types: ['update_message_flags'] });
  const answer = await flag(cleo, 'remove', 'read', [id]);
  expect(answer.body).toMatchObject({ messages: [], ignored_because_not_subscribed_channels: [attic] });
  expect(await queue.pending()).toMatchObject([{ op: 'remove', messages: [] }]);
  expect((await messageOf(cleo, id)).flags).toContain('read');
});

describe('starring', () => {
  test('is listed, in order, for oneself', async () => {
    const ids = [await ann.send('den', 's', '1'), await ann.sendTo([ben], '2')];
    await flag(ben, 'add', 'starred', [...ids].reverse());
    expect(await starredOf(ben)).toEqual(ids);
    expect(await starredOf(ann)).toEqual([]);
    expect(idsOf(await messagesIn(ben, [['is', 'starred']]))).toEqual(ids);
    expect((await messageOf(ben, ids[0]!)).flags).toEqual(['starred']);
    await flag(ben, 'remove', 'starred', [ids[0]]);
    expect(await starredOf(ben)).toEqual([ids[1]]);
  });

  test('what one never received', async () => {
    const id = await ann.send('den', 'star from outside', 'x');
    await flag(cleo, 'add', 'starred', [id]);
    expect((await messageOf(cleo, id)).flags.sort()).toEqual(['historical', 'read', 'starred']);
    expect(idsOf(await messagesIn(cleo, [['is', 'starred']]))).toEqual([id]);
    expect(await starredOf(cleo)).toEqual([id]);
  });

  test('of a deleted message ends', async () => {
    const id = await ann.send('den', 's', 'soon gone');
    await flag(ben, 'add', 'starred', [id]);
    await ann.ok('DELETE', `/messages/${id}`);
    expect(await starredOf(ben)).not.toContain(id);
  });
});

describe('refusals', () => {
  let id: number;
  beforeAll(async () => {
    id = await ann.send('den', 'r', 'x');
  });

  test.each([
    'mentioned',
    'has_alert_word',
    'historical',
    'wildcard_mentioned',
    'stream_wildcard_mentioned',
    'blue',
    '',
  ])('flag %j', async (name) => {
    expect(expectRefusal(await flag(ben, 'add', name, [id]), 'BAD_REQUEST').msg).toContain(`'${name}'`);
  });

  test('an unknown op, and what is missing or malformed', async () => {
    const op = await flag(ben, 'toggle', 'read', [id]);
    expect([op.status, op.body.result]).toEqual([400, 'error']);
    for (const missing of ['messages', 'op', 'flag']) {
      const parameters = { messages: [id], op: 'add', flag: 'read', [missing]: undefined };
      const answer = await ben.call('POST', '/messages/flags', parameters);
      expect(expectRefusal(answer, 'REQUEST_VARIABLE_MISSING').var_name).toBe(missing);
    }
    for (const messages of ['x', '{}', '["1x"]', '[1.5]', '[[1]]', '[null]']) {
      const answer = await flag(ben, 'add', 'read', messages);
      expect([messages, answer.status, answer.body.result]).toEqual([messages, 400, 'error']);
    }
  });

  test('one message out of reach, and nothing changes', async () => {
    const hidden = await ann.sendTo([cleo], 'x');
    for (const bad of [hidden, 999_999]) {
      expectRefusal(await flag(ben, 'add', 'starred', [id, bad]), 'BAD_REQUEST');
      expect((await messageOf(ben, id)).flags).toEqual([]);
    }
  });

  test('an empty list changes nothing', async () => {
    expect((await flag(ben, 'add', 'read', [])).body.messages).toEqual([]);
  });
});

describe('flags of a whole narrow', () => {
  let sent: number[];
  let narrow: unknown;
  let narrows = 0;

  beforeEach(async () => {
    const topic = `narrow ${++narrows}`;
    narrow = [
      ['channel', 'den'],
      ['topic', topic],
    ];
    sent = [];
    for (let count = 0; count < 5; count++) sent.push(await ann.send('den', topic, String(count)));
  });

  const change = (parameters: Record<string, unknown>, client = ben): ReturnType<ApiClient['call']> =>
    client.call('POST', '/messages/flags/narrow', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 100,
      narrow,
      op: 'add',
      flag: 'read',
      ...parameters,
    });
  const counts = ({ body }: { body: any }): number[] => [body.processed_count, body.updated_count];

  test('in batches, until everything is found', async () => {
    const first = await change({ num_after: 2 });
    expect(first.body).toEqual({
      result: 'success',
      msg: '',
      processed_count: 2,
      updated_count: 2,
      first_processed_id: sent[0],
      last_processed_id: sent[1],
      found_oldest: true,
      found_newest: false,
    });
    const second = await change({ anchor: sent[1], include_anchor: false, num_after: 10 });
    expect(second.body).toMatchObject({
      processed_count: 3,
      updated_count: 3,
      first_processed_id: sent[2],
      last_processed_id: sent[4],
      found_oldest: false,
      found_newest: true,
    });
    expect(await messagesIn(ben, [...(narrow as []), ['is', 'unread']])).toEqual([]);
  });

  test('counts what changed apart from what was looked at', async () => {
    await flag(ben, 'add', 'read', sent.slice(0, 2));
    expect(counts(await change({}))).toEqual([5, 3]);
    expect(counts(await change({}))).toEqual([5, 0]);
    expect(counts(await change({ anchor: sent[2], num_before: 1, num_after: 1, flag: 'starred' }))).toEqual([3, 3]);
    expect(idsOf(await messagesIn(ben, [...(narrow as []), ['is', 'starred']]))).toEqual(sent.slice(1, 4));
  });

  test('from the first unread, and from the end', async () => {
    await flag(ben, 'add', 'read', sent.slice(0, 3));
    expect(counts(await change({ anchor: 'first_unread', num_before: 0, num_after: 0 }))).toEqual([1, 1]);
    expect(counts(await change({ anchor: 'newest', num_before: 1, num_after: 0 }))).toEqual([1, 1]);
  });

  test('of nothing says so', async () => {
    const { body } = await change({ narrow: [['topic', 'nowhere at all']] });
    expect(body).toMatchObject({
      processed_count: 0,
      updated_count: 0,
      first_processed_id: null,
      last_processed_id: null,
      found_oldest: true,
      found_newest: true,
    });
  });

  test('tells clients what changed', async () => {
    const queue = await ben.register({ event_types: ['update_message_flags'] });
    for (const changed of [sent.slice(0, 2), []]) {
      await change({ num_after: 2 });
      const events = await queue.poll();
      expect(events.map(({ messages, op, flag: name }: any) => [op, name, messages])).toEqual([
        ['add', 'read', changed],
      ]);
    }
  });

  test('leaves channels out that one does not subscribe to', async () => {
    const { body } = await change({ op: 'remove' }, cleo);
    expect(body).toMatchObject({
      processed_count: 5,
      updated_count: 0,
      ignored_because_not_subscribed_channels: [den],
    });
    const back = await change({ op: 'remove' });
    expect(back.body).toMatchObject({ updated_count: 0, ignored_because_not_subscribed_channels: [] });
  });

  test('asks for no more than it may: too much is clamped', async () => {
    expect(counts(await change({ anchor: 'newest', num_before: 1_000_000, num_after: 1_000_000 }))).toEqual([5, 5]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a narrow that means nothing', { narrow: [['x', 'y']] }, 'BAD_NARROW'],
    ['an unknown flag', { flag: 'blue' }, 'BAD_REQUEST'],
    ['a flag of the server', { flag: 'mentioned' }, 'BAD_REQUEST'],
    ['an unknown anchor', { anchor: 'middle' }, 'BAD_REQUEST'],
    ['an excluded anchor inside', { anchor: 5, include_anchor: false, num_before: 1, num_after: 1 }, 'BAD_REQUEST'],
    ['no narrow', { narrow: undefined }, 'REQUEST_VARIABLE_MISSING'],
    ['no anchor', { anchor: undefined }, 'REQUEST_VARIABLE_MISSING'],
    ['no count', { num_after: undefined }, 'REQUEST_VARIABLE_MISSING'],
    ['no flag', { flag: undefined }, 'REQUEST_VARIABLE_MISSING'],
  ])('refuses %s', async (_, parameters, code) => {
    expectRefusal(await change(parameters), code);
  });
});

describe('everything at once', () => {
  test('is read, told in one event, and stays so', async () => {
    const reader = await server.user('Mara Marker');
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'den' }], principals: [reader.userId] });
    const ids = [await ann.send('den', 'all', '1'), await ann.sendTo([reader], '2')];
    const queue = await reader.register({ event_types: ['update_message_flags', 'message'] });
    expect((await reader.call('POST', '/mark_all_as_read')).body).toMatchObject({ result: 'success', complete: true });
    expect(await queue.pending()).toEqual([
      expect.objectContaining({ type: 'update_message_flags', op: 'add', flag: 'read', all: true, messages: [] }),
    ]);
    expect((await unreadOf(reader)).count).toBe(0);
    // Again, with nothing to read: clients wait for the event all the same.
    await reader.ok('POST', '/mark_all_as_read');
    expect(await queue.poll()).toEqual([
      expect.objectContaining({ type: 'update_message_flags', op: 'add', flag: 'read', all: true, messages: [] }),
    ]);
    await reader.ok('POST', '/mark_stream_as_read', { stream_id: den });
    await reader.ok('POST', '/mark_topic_as_read', { stream_id: den, topic_name: 'all' });
    expect(await queue.pending()).toEqual([]);
    for (const id of ids) expect((await messageOf(reader, id)).flags).toContain('read');
    const later = await ann.send('den', 'all', '3');
    expect((await unreadOf(reader)).count).toBe(1);
    await flag(reader, 'remove', 'read', [ids[0]]);
    expect(idsOf(await messagesIn(reader, [['is', 'unread']]))).toEqual([ids[0], later]);
  });

  test('is delivered before later events, also when nothing was unread and no poll waited', async () => {
    const reader = await server.user('Pat Poller');
    const queue = await reader.register({ event_types: ['update_message_flags', 'message'] });
    await reader.ok('POST', '/mark_all_as_read');
    const late = await ann.sendTo([reader], 'later');
    const events: any[] = [];
    for (let told = await queue.pending(); told.length > 0; told = await queue.pending()) events.push(...told);
    const read = events.findIndex(({ all }) => all === true);
    const came = events.findIndex(({ message }) => message?.id === late);
    expect([read, came]).toEqual([0, 1]);
    expect((await unreadOf(reader)).count).toBe(1);
  });

  test('of a channel is read', async () => {
    await channelOf('loft', ann, ben);
    const [here, there] = [await ann.send('loft', 'x', '1'), await ann.send('den', 'x', '2')];
    await ben.ok('POST', '/mark_stream_as_read', { stream_id: await channelId(ann, 'loft') });
    expect((await messageOf(ben, here)).flags).toContain('read');
    expect((await messageOf(ben, there)).flags).not.toContain('read');
    expectRefusal(await ben.call('POST', '/mark_stream_as_read', { stream_id: 98_765 }), 'BAD_REQUEST');
  });
});

describe('unread_msgs', () => {
  test('counts every kind of conversation', async () => {
    const reader = await server.user('Rita Reader');
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'den' }], principals: [reader.userId] });
    const before = new Set(idsOf(await messagesIn(reader)));
    await flag(reader, 'add', 'read', [...before]);
    const ids = {
      topicB: await ann.send('den', 'b', 'x'),
      topicA: await ann.send('den', 'a', 'x'),
      mention: await ann.send('den', 'a', '@**Rita Reader**'),
      wild: await ann.send('den', 'a', '@**all**'),
      empty: await ann.send('den', '', 'x'),
      ann1: await ann.sendTo([reader], 'x'),
      ben1: await ben.sendTo([reader], 'x'),
      ann2: await ann.sendTo([reader], 'x'),
      group: await ann.sendTo([reader, ben], 'x'),
      self: await reader.sendTo([reader], 'x'),
    };
    const unread = await unreadOf(reader);
    const pair = (user: ApiClient, ...unread_message_ids: number[]): any => ({
      other_user_id: user.userId,
      sender_id: user.userId,
      unread_message_ids,
    });
    const people = [ann.userId, ben.userId, reader.userId].sort((a, b) => a - b);
    expect(unread).toEqual({
      count: 10,
      pms: [pair(ann, ids.ann1, ids.ann2), pair(ben, ids.ben1), pair(reader, ids.self)].sort(
        (a, b) => a.other_user_id - b.other_user_id,
      ),
      streams: [
        { stream_id: den, topic: 'a', unread_message_ids: [ids.topicA, ids.mention, ids.wild] },
        { stream_id: den, topic: 'b', unread_message_ids: [ids.topicB] },
        { stream_id: den, topic: 'general chat', unread_message_ids: [ids.empty] },
      ],
      huddles: [{ user_ids_string: people.join(','), unread_message_ids: [ids.group] }],
      mentions: expect.arrayContaining([ids.mention, ids.wild]),
      old_unreads_missing: false,
    });
    expect(unread.mentions).toHaveLength(2);
    const wildFlags = (await messageOf(reader, ids.wild)).flags.sort();
    expect(wildFlags).toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned']);
    const known = await reader.register({ client_capabilities: { empty_topic_name: true } });
    expect(known.state.unread_msgs.streams.map(({ topic }: any) => topic)).toEqual(['', 'a', 'b']);
  });

  test('forgets what is read, deleted, and left; follows what moves', async () => {
    const reader = await server.user('Rolf Reader');
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'den' }, { name: 'lair' }],
      principals: [reader.userId, ann.userId],
    });
    const lair = await channelId(ann, 'lair');
    const [read, gone, moved, left] = [
      await ann.send('den', 'z', 'read'),
      await ann.send('den', 'z', 'gone'),
      await ann.send('den', 'z', 'moved'),
      await ann.send('lair', 'z', 'left'),
    ];
    await flag(reader, 'add', 'read', [read]);
    await ann.ok('DELETE', `/messages/${gone}`);
    await ann.ok('PATCH', `/messages/${moved}`, { topic: 'y', send_notification_to_new_thread: false });
    const topics = async (): Promise<any[]> =>
      (await unreadOf(reader)).streams.filter(({ topic }: any) => ['y', 'z'].includes(topic));
    const inDen = { stream_id: den, topic: 'y', unread_message_ids: [moved] };
    const inLair = { stream_id: lair, topic: 'z', unread_message_ids: [left] };
    expect(await topics()).toEqual([inDen, inLair]);
    await reader.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['lair'] });
    expect(await topics()).toEqual([inDen]);
  });
});

test('flags survive a restart', async () => {
  const id = await ann.send('den', 'restart', 'x');
  await flag(ben, 'add', 'starred', [id]);
  await flag(ben, 'add', 'read', [id]);
  await server.restart();
  expect((await messageOf(ben, id)).flags.sort()).toEqual(['read', 'starred']);
});
