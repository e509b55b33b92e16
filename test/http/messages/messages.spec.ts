import { channelId, expectRefusal, idsOf, messageOf, messagesIn } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

const NEWEST = 10_000_000_000_000_000;

let server: TestServer;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let tea: number;

beforeAll(async () => {
  ({ server, ann, ben, cleo } = await startWithPeople());
  tea = await channelOf('tea', ann, ben);
});
afterAll(() => server.stop());

const sendAny = (client: ApiClient, parameters: Record<string, unknown>): Promise<any> =>
  client.ok('POST', '/messages', { content: 'hello', ...parameters });

describe('sending to a channel', () => {
  test.each([
    ['by name', { type: 'channel', to: 'tea' }],
    ['by name in another case', { type: 'channel', to: 'TEA' }],
    ['by name as JSON', { type: 'stream', to: '"tea"' }],
    ['by name in a list', { type: 'stream', to: ['tea'] }],
  ])('%s', async (_, parameters) => {
    const { id } = await sendAny(ann, { ...parameters, topic: 'green' });
    expect(await messageOf(ben, id)).toMatchObject({ type: 'stream', stream_id: tea, subject: 'green' });
  });

  test.each(['number', 'list'])('by ID as a %s', async (form) => {
    const { id } = await sendAny(ann, { type: 'channel', to: form === 'list' ? [tea] : tea, topic: 'green' });
    expect((await messageOf(ben, id)).stream_id).toBe(tea);
  });

  test('with `subject` for the topic', async () => {
    const { id } = await sendAny(ann, { type: 'stream', to: 'tea', subject: 'black' });
    expect((await messageOf(ann, id)).subject).toBe('black');
    const both = await ann.call('POST', '/messages', {
      type: 'stream',
      to: 'tea',
      subject: 'a',
      topic: 'b',
      content: 'x',
    });
    expectRefusal(both, 'REQUEST_CONFUSING_VAR');
  });

  test('not subscribed, to a public channel', async () => {
    const { id } = await sendAny(cleo, { type: 'channel', to: 'tea', topic: 'from outside' });
    expect((await messageOf(cleo, id)).sender_id).toBe(cleo.userId);
  });

  test('that is not there', async () => {
    const byName = await ann.call('POST', '/messages', { type: 'channel', to: 'coffee', topic: 't', content: 'x' });
    expect(expectRefusal(byName, 'STREAM_DOES_NOT_EXIST').stream).toBe('coffee');
    const byId = await ann.call('POST', '/messages', { type: 'channel', to: 98_765, topic: 't', content: 'x' });
    expect(expectRefusal(byId, 'STREAM_DOES_NOT_EXIST').stream_id).toBe(98_765);
  });

  test('IDs are dense and grow', async () => {
    const sent: number[] = [];
    for (let count = 0; count < 5; count++)
      sent.push((await sendAny(ann, { type: 'channel', to: tea, topic: 'n' })).id);
    expect(sent).toEqual(sent.map((_, index) => sent[0]! + index));
  });

  test('a message is visible to all readers when its sender gets the answer', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const id = await ann.send('tea', 'visible', `number ${index}`);
        expect((await messageOf(ben, id)).content).toBe(`<p>number ${index}</p>`);
      }),
    );
  });
});

describe('sending directly', () => {
  const participants = (message: any): number[] => message.display_recipient.map(({ id }: any) => id).sort();
  const sorted = (...clients: ApiClient[]): number[] => clients.map(({ userId }) => userId).sort();

  test.each<[string, string, () => unknown]>([
    ['IDs', 'direct', () => [ben.userId]],
    ['addresses', 'direct', () => [ben.email]],
    ['IDs with oneself', 'private', () => [ben.userId, ann.userId]],
    ['a bare address', 'private', () => ben.email],
    ['an address as JSON', 'direct', () => JSON.stringify(ben.email)],
    ['a bare ID', 'direct', () => ben.userId],
    ['the same one twice', 'direct', () => [ben.userId, ben.userId]],
    ['an address in capitals', 'direct', () => [ben.email.toUpperCase()]],
  ])('one-to-one by %s', async (_, type, to) => {
    const { id } = await sendAny(ann, { type, to: to() });
    for (const client of [ann, ben]) {
      const message = await messageOf(client, id);
      expect(message).toMatchObject({ type: 'private', subject: '' });
      expect(message).not.toHaveProperty('stream_id');
      expect(participants(message)).toEqual(sorted(ann, ben));
    }
    expectRefusal(await cleo.call('GET', `/messages/${id}`), 'BAD_REQUEST');
  });

  test.each<[string, () => unknown]>([
    ['IDs', () => [ben.userId, cleo.userId]],
    ['addresses', () => [cleo.email, ben.email]],
    ['addresses between commas', () => `${cleo.email}, ${ben.email}`],
  ])('to a group by %s', async (_, to) => {
    const { id } = await sendAny(ann, { type: 'direct', to: to() });
    const message = await messageOf(cleo, id);
    expect(participants(message)).toEqual(sorted(ann, ben, cleo));
    for (const one of message.display_recipient)
      expect(one).toEqual({
        id: expect.any(Number),
        email: expect.stringContaining('@'),
        full_name: expect.any(String),
        is_mirror_dummy: false,
      });
  });

  test('to oneself', async () => {
    const { id } = await sendAny(ann, { type: 'direct', to: [ann.userId] });
    expect(participants(await messageOf(ann, id))).toEqual([ann.userId]);
    expectRefusal(await ben.call('GET', `/messages/${id}`), 'BAD_REQUEST');
  });

  test('a topic is ignored', async () => {
    const { id } = await sendAny(ann, { type: 'direct', to: [ben.userId], topic: 'x'.repeat(99) });
    expect((await messageOf(ann, id)).subject).toBe('');
  });

  test('one conversation has one recipient_id, for any sender', async () => {
    const recipientOf = async (client: ApiClient, to: ApiClient[]): Promise<number> =>
      (await messageOf(client, await client.sendTo(to, 'x'))).recipient_id;
    const pair = await recipientOf(ann, [ben]);
    expect(await recipientOf(ben, [ann])).toBe(pair);
    const group = await recipientOf(ann, [ben, cleo]);
    expect(await recipientOf(cleo, [ann, ben])).toBe(group);
    const channel = (await messageOf(ann, await ann.send('tea', 't', 'x'))).recipient_id;
    expect((await messageOf(ann, await ben.send('tea', 'u', 'x'))).recipient_id).toBe(channel);
    const all = [pair, group, channel, await recipientOf(ann, [ann]), await recipientOf(ben, [ben])];
    expect(new Set(all).size).toBe(5);
    // Clients with integers of 32 bits read them.
    expect(all.filter((id) => id <= 0 || id >= 2 ** 31)).toEqual([]);
    // They stay after a start, and when everything is folded from the log again.
    for (const between of [() => undefined, () => server.forgetReadModels()]) {
      await server.restart(between);
      expect([await recipientOf(cleo, [ann, ben]), await recipientOf(ben, [ann])]).toEqual([group, pair]);
    }
  });

  test.each<[string, unknown]>([
    ['an unknown ID', [999_999]],
    ['an unknown address', ['nobody@example.test']],
    ['nobody', []],
    ['an empty text', ''],
    ['one known and one unknown', ['ann.archer@example.test', 'nobody@example.test']],
    ['IDs and addresses mixed', [1, 'ann.archer@example.test']],
    ['no integers', [1.5]],
    ['objects', [{}]],
  ])('to %s is refused', async (_, to) => {
    const answer = await ann.call('POST', '/messages', { type: 'direct', to, content: 'x' });
    expect([answer.status, answer.body.result]).toEqual([400, 'error']);
  });
});

describe('what is sent', () => {
  test('ends are trimmed: trailing blanks and leading newlines', async () => {
    const id = await ann.send('tea', '  spaced out  ', '\n\n  text  \n ');
    const { message, raw_content } = await ann.ok('GET', `/messages/${id}`, { apply_markdown: false });
    expect(message.content).toBe('  text');
    expect(raw_content).toBe('  text');
    expect(message.subject).toBe('spaced out');
  });

  test.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['a NUL', 'a\u0000b'],
  ])('%s is refused', async (_, content) => {
    const answer = await ann.call('POST', '/messages', { type: 'channel', to: 'tea', topic: 't', content });
    expectRefusal(answer, 'BAD_REQUEST');
  });

  test('at the limit it is kept, beyond it is cut and says so', async () => {
    const kept = '😀'.repeat(10_000);
    const keptId = await ann.send('tea', 'long', kept);
    expect((await messageOf(ann, keptId, { apply_markdown: false })).content).toBe(kept);
    const cutId = await ann.send('tea', 'long', 'x'.repeat(10_001));
    const { content } = await messageOf(ann, cutId, { apply_markdown: false });
    expect(content).toMatch(/^x+\n\[message truncated\]$/);
    expect(content).toHaveLength(10_000);
  });

  test('a long topic is cut', async () => {
    const id = await ann.send('tea', 't'.repeat(61), 'x');
    expect((await messageOf(ann, id)).subject).toBe(`${'t'.repeat(57)}...`);
    const exact = await ann.send('tea', '😀'.repeat(60), 'x');
    expect((await messageOf(ann, exact)).subject).toBe('😀'.repeat(60));
  });

  test.each(['a\u0000b', 'a\u0007b', 'a\u009fb', 'a\uffffb'])('topic %j is refused', async (topic) => {
    const answer = await ann.call('POST', '/messages', { type: 'channel', to: 'tea', topic, content: 'x' });
    expect(expectRefusal(answer, 'BAD_REQUEST').msg).toContain('2');
  });

  test.each(['', '(no topic)', 'general chat', undefined])('topic %j is the empty topic', async (topic) => {
    const { id } = await sendAny(ann, { type: 'channel', to: 'tea', topic });
    expect((await messageOf(ann, id)).subject).toBe('general chat');
    expect((await messageOf(ann, id, { allow_empty_topic_name: true })).subject).toBe('');
  });

  test('where topics are required, an empty one is refused', async () => {
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'strict' }],
      topics_policy: 'disable_empty_topic',
    });
    for (const topic of ['', '(no topic)', 'general chat']) {
      const answer = await ann.call('POST', '/messages', { type: 'channel', to: 'strict', topic, content: 'x' });
      expect(expectRefusal(answer, 'BAD_REQUEST').empty_topic_display_name).toBe('general chat');
    }
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'one topic' }],
      topics_policy: 'empty_topic_only',
    });
    const answer = await ann.call('POST', '/messages', { type: 'channel', to: 'one topic', topic: 'x', content: 'x' });
    expect(expectRefusal(answer, 'BAD_REQUEST').empty_topic_display_name).toBe('general chat');
    await ann.send('one topic', '', 'fine');
  });

  test('who may post is asked', async () => {
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'news' }],
      can_send_message_group: { direct_members: [ann.userId], direct_subgroups: [] },
    });
    await ann.send('news', 't', 'by me');
    const answer = await ben.call('POST', '/messages', { type: 'channel', to: 'news', topic: 't', content: 'x' });
    expectRefusal(answer, 'BAD_REQUEST');
  });

  test.each([
    ['type', { type: undefined }, 'REQUEST_VARIABLE_MISSING'],
    ['to', { to: undefined }, 'REQUEST_VARIABLE_MISSING'],
    ['content', { content: undefined }, 'REQUEST_VARIABLE_MISSING'],
  ])('without %s it is named', async (name, change, code) => {
    const all = { type: 'channel', to: 'tea', topic: 't', content: 'x' };
    expect(expectRefusal(await ann.call('POST', '/messages', { ...all, ...change }), code).var_name).toBe(name);
  });

  test('an unknown type, and a local_id or queue_id alone', async () => {
    const all = { type: 'channel', to: 'tea', topic: 't', content: 'x' };
    for (const change of [{ type: 'letter' }, { queue_id: 'abc' }]) {
      const answer = await ann.call('POST', '/messages', { ...all, ...change });
      expect([answer.status, answer.body.result]).toEqual([400, 'error']);
    }
  });

  test('read_by_sender, else the client decides', async () => {
    const flagsOf = async (client: ApiClient, parameters: Record<string, unknown> = {}): Promise<string[]> => {
      const { id } = await sendAny(client, { type: 'channel', to: 'tea', topic: 't', ...parameters });
      return (await messageOf(ann, id)).flags;
    };
    expect(await flagsOf(ann)).toEqual([]);
    expect(await flagsOf(ann, { read_by_sender: true })).toEqual(['read']);
    expect(await flagsOf(ann.as('ZulipTerminal/0.7 (Linux; 6)'))).toEqual(['read']);
    expect(await flagsOf(ann.as('ZulipTerminal/0.7'), { read_by_sender: false })).toEqual([]);
    expect(await flagsOf(ann.as('ZulipFlutter/30.0+1 (Android 14)'))).toEqual([]);
  });

  test.each([
    ['ZulipFlutter/30.0+1 (Android 14)', 'ZulipFlutter'],
    ['ZulipMobile/flutter 1', 'ZulipMobile'],
    ['ZulipPython/0.9.0 (Linux; 6.1)', 'ZulipPython'],
    ['curl/8.1', 'curl'],
  ])('client %j is %j', async (agent, name) => {
    const id = await ann.as(agent).send('tea', 't', 'x');
    expect((await messageOf(ann, id)).client).toBe(name);
  });
});

describe('a message', () => {
  test('in a channel, field by field', async () => {
    const before = Math.floor(Date.now() / 1000);
    const id = await ann.send('tea', 'fields', '**bold** :smile: @**Ben Baker**');
    const message = await messageOf(ben, id);
    expect(message).toEqual({
      id,
      type: 'stream',
      content: expect.stringContaining('<strong>bold</strong>'),
      content_type: 'text/html',
      subject: 'fields',
      stream_id: tea,
      display_recipient: 'tea',
      recipient_id: expect.any(Number),
      sender_id: ann.userId,
      sender_email: ann.email,
      sender_full_name: 'Ann Archer',
      sender_realm_str: expect.any(String),
      avatar_url: null,
      client: 'ScrollbackTest',
      timestamp: expect.any(Number),
      is_me_message: false,
      flags: ['mentioned'],
      reactions: [],
      submessages: [],
      topic_links: [],
    });
    expect(message.content).toContain('class="emoji emoji-1f642" role="img" title="smile">:smile:</span>');
    expect(message.content).toContain(`<span class="user-mention" data-user-id="${ben.userId}">@Ben Baker</span>`);
    expect(message.timestamp).toBeGreaterThanOrEqual(before);
    expect(message.timestamp).toBeLessThanOrEqual(Date.now() / 1000);
    const [listed] = await messagesIn(ben, [{ operator: 'id', operand: id }]);
    expect(listed).toEqual(message);
  });

  test('unrendered, with an avatar address', async () => {
    const id = await ann.send('tea', 'fields', '**bold**');
    const { message, raw_content } = await ben.ok('GET', `/messages/${id}`, {
      apply_markdown: false,
      client_gravatar: false,
    });
    expect(message).toMatchObject({ content: '**bold**', content_type: 'text/x-markdown' });
    expect(message.avatar_url).toMatch(/./);
    expect(raw_content).toBe('**bold**');
  });

  test('says which addresses are in its topic, as the event about its move does', async () => {
    const links = [{ text: 'https://example.com/a?b&c', url: 'https://example.com/a?b&c' }];
    const queue = await ben.register({ event_types: ['message', 'update_message'] });
    const id = await ann.send('tea', 'see https://example.com/a?b&c <b>', 'x');
    expect((await messageOf(ann, id)).topic_links).toEqual(links);
    await ann.ok('PATCH', `/messages/${id}`, {
      topic: 'now https://example.com/',
      send_notification_to_new_thread: false,
    });
    const moved = [{ text: 'https://example.com/', url: 'https://example.com/' }];
    expect((await messageOf(ann, id)).topic_links).toEqual(moved);
    expect(await queue.pending()).toEqual([
      expect.objectContaining({ type: 'message', message: expect.objectContaining({ topic_links: links }) }),
      expect.objectContaining({ type: 'update_message', topic_links: moved }),
    ]);
  });

  test('/me', async () => {
    const id = await ann.send('tea', 'me', '/me waves');
    expect(await messageOf(ben, id)).toMatchObject({ content: '<p>/me waves</p>', is_me_message: true });
    expect((await messageOf(ben, await ann.send('tea', 'me', '/meow'))).is_me_message).toBe(false);
  });

  test.each(['999999', '0', '-1', 'x', '99999999999999999999'])('%s is none', async (id) => {
    const answer = await ann.call('GET', `/messages/${id}`);
    expect([400, 404]).toContain(answer.status);
    expect(answer.body).toMatchObject({ result: 'error', code: expect.any(String) });
  });

  test('one that a later subscriber never received is read and historical', async () => {
    const id = await ann.send('tea', 'old', 'x');
    expect((await messageOf(cleo, id)).flags.sort()).toEqual(['historical', 'read']);
  });

  test('edits and moves of one that a later subscriber never received are told with `read` alone', async () => {
    await ann.subscribe('late readers');
    const id = await ann.send('late readers', 'old', 'x');
    await cleo.subscribe('late readers');
    const queue = await cleo.register({ event_types: ['update_message'] });
    await ann.ok('PATCH', `/messages/${id}`, { content: 'y' });
    await ann.ok('PATCH', `/messages/${id}`, { topic: 'older' });
    expect((await queue.pending()).map(({ flags }) => flags)).toEqual([['read'], ['read']]);
  });
});

describe('fetching many', () => {
  let sent: number[];
  const narrow = [{ operator: 'topic', operand: 'window' }];

  beforeAll(async () => {
    await ann.subscribe('windows');
    sent = [];
    for (let count = 0; count < 6; count++) {
      sent.push(await ann.send('windows', 'window', `w${count}`));
      await ann.send('windows', 'noise', 'between');
    }
  });

  const fetch = (parameters: Record<string, unknown>, client = ann): Promise<any> =>
    client.ok('GET', '/messages', { narrow, ...parameters });

  test.each<[string, Record<string, unknown>, number[], Record<string, unknown>]>([
    [
      'the newest',
      { anchor: 'newest', num_before: 2, num_after: 0 },
      [4, 5],
      { found_newest: true, found_oldest: false, found_anchor: false, anchor: NEWEST },
    ],
    [
      'the oldest',
      { anchor: 'oldest', num_before: 0, num_after: 2 },
      [0, 1],
      { found_newest: false, found_oldest: true, found_anchor: false, anchor: 0 },
    ],
    [
      'everything',
      { anchor: 'newest', num_before: 100, num_after: 100 },
      [0, 1, 2, 3, 4, 5],
      { found_newest: true, found_oldest: true },
    ],
    [
      'anchor as a large number',
      { anchor: String(NEWEST), num_before: 1, num_after: 0 },
      [5],
      { found_newest: true, anchor: NEWEST },
    ],
    [
      'a number beyond it',
      { anchor: '99999999999999999999', num_before: 1, num_after: 0 },
      [5],
      { found_newest: true, anchor: NEWEST },
    ],
    ['a negative anchor', { anchor: -5, num_before: 0, num_after: 1 }, [0], { found_oldest: true, anchor: 0 }],
    ['the first unread', { anchor: 'first_unread', num_before: 0, num_after: 1 }, [0, 1], { found_anchor: true }],
    [
      'the legacy first unread',
      { anchor: 0, use_first_unread_anchor: true, num_before: 0, num_after: 1 },
      [0, 1],
      { found_anchor: true },
    ],
    ['nothing at all', { anchor: 'oldest', num_before: 0, num_after: 0 }, [], { found_anchor: false }],
  ])('%s', async (_, parameters, indexes, found) => {
    const body = await fetch(parameters);
    expect(idsOf(body.messages)).toEqual(indexes.map((index) => sent[index]));
    expect(body).toMatchObject({ history_limited: false, ...found });
    for (const name of ['anchor', 'found_anchor', 'found_oldest', 'found_newest']) expect(body).toHaveProperty(name);
  });

  test.each<[string, number, number, number[], Record<string, unknown>]>([
    ['around', 1, 1, [1, 2, 3], { found_anchor: true, found_oldest: false, found_newest: false }],
    ['before', 2, 0, [0, 1, 2], { found_anchor: true, found_oldest: false }],
    ['far before', 3, 0, [0, 1, 2], { found_anchor: true, found_oldest: true }],
    ['after', 0, 9, [2, 3, 4, 5], { found_anchor: true, found_newest: true }],
    ['alone', 0, 0, [2], { found_anchor: true }],
  ])('%s a message', async (_, num_before, num_after, indexes, found) => {
    const body = await fetch({ anchor: sent[2], num_before, num_after });
    expect(idsOf(body.messages)).toEqual(indexes.map((index) => sent[index]));
    expect(body).toMatchObject({ anchor: sent[2], ...found });
  });

  test('an anchor between two messages is not found, and counts for neither side', async () => {
    const body = await fetch({ anchor: sent[2]! + 1, num_before: 1, num_after: 1 });
    expect(idsOf(body.messages)).toEqual([sent[2], sent[3]]);
    expect(body.found_anchor).toBe(false);
  });

  test('without the anchor itself', async () => {
    const body = await fetch({ anchor: sent[2], include_anchor: false, num_before: 0, num_after: 2 });
    expect(idsOf(body.messages)).toEqual([sent[3], sent[4]]);
    expect(body.found_anchor).toBe(false);
    const answer = await ann.call('GET', '/messages', {
      anchor: 1,
      include_anchor: false,
      num_before: 1,
      num_after: 1,
    });
    expectRefusal(answer, 'BAD_REQUEST');
  });

  test('by IDs: those that may be read, in order', async () => {
    const hidden = await ben.sendTo([cleo], 'not yours');
    const body = await ann.ok('GET', '/messages', { message_ids: [sent[3], 999_999, hidden, sent[1]] });
    expect(idsOf(body.messages)).toEqual([sent[1], sent[3]]);
    const answer = await ann.call('GET', '/messages', { message_ids: [sent[3]], anchor: 'newest', num_before: 1 });
    expectRefusal(answer, 'BAD_REQUEST');
  });

  test.each([
    ['too many', { anchor: 'newest', num_before: 5000, num_after: 1 }, 'BAD_REQUEST'],
    ['less than nothing', { anchor: 'newest', num_before: -1, num_after: 1 }, ''],
    ['no anchor', { num_before: 1, num_after: 1 }, ''],
    ['a strange anchor', { anchor: 'somewhere', num_before: 1, num_after: 1 }, ''],
    ['no num_before', { anchor: 'newest', num_after: 1 }, 'REQUEST_VARIABLE_MISSING'],
    ['no num_after', { anchor: 'newest', num_before: 1 }, 'REQUEST_VARIABLE_MISSING'],
    ['half a message', { anchor: 'newest', num_before: 1.5, num_after: 1 }, ''],
  ])('%s is refused', async (_, parameters, code) => {
    const answer = await ann.call('GET', '/messages', parameters);
    expect([answer.status, answer.body.result]).toEqual([400, 'error']);
    if (code !== '') expectRefusal(answer, code);
  });

  test('without a narrow: what one received, and nothing else', async () => {
    const hers = await messagesIn(cleo);
    expect(hers.some(({ stream_id, sender_id }) => stream_id === tea && sender_id !== cleo.userId)).toBe(false);
    const mine = await messagesIn(ann);
    expect(idsOf(mine)).toEqual(expect.arrayContaining(sent));
    expect(idsOf(mine)).toEqual(idsOf(mine).sort((a, b) => a - b));
  });
});

describe('narrows', () => {
  let ids: Record<string, number>;
  let den: number;

  beforeAll(async () => {
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'den' }],
      principals: [ann.userId, ben.userId],
    });
    den = await channelId(ann, 'den');
    ids = {
      foxA: await ann.send('den', 'Fox', 'by ann'),
      foxB: await ben.send('den', 'fox', 'by ben'),
      owl: await ann.send('den', 'owl', 'by ann'),
      none: await ben.send('den', '', 'no topic'),
      pair: await ann.sendTo([ben], 'pair'),
      back: await ben.sendTo([ann], 'back'),
      group: await cleo.sendTo([ann, ben], 'group'),
      self: await ann.sendTo([ann], 'note'),
    };
  });

  /** Names of the messages of this block that are found. */
  const found = async (narrow: unknown, client = ann): Promise<string[]> => {
    const all = new Set(idsOf(await messagesIn(client, narrow, { anchor: 'newest', num_before: 1000, num_after: 0 })));
    return Object.entries(ids)
      .filter(([, id]) => all.has(id))
      .map(([name]) => name);
  };

  test.each<[string, () => unknown, string[]]>([
    ['channel by name', () => [['channel', 'den']], ['foxA', 'foxB', 'owl', 'none']],
    ['stream by name in capitals', () => [['stream', 'DEN']], ['foxA', 'foxB', 'owl', 'none']],
    ['channel by ID', () => [{ operator: 'channel', operand: den }], ['foxA', 'foxB', 'owl', 'none']],
    [
      'topic in any case',
      () => [
        ['channel', 'den'],
        ['topic', 'FOX'],
      ],
      ['foxA', 'foxB'],
    ],
    ['topic without a channel', () => [{ operator: 'subject', operand: 'fox' }], ['foxA', 'foxB']],
    [
      'empty topic',
      () => [
        ['channel', 'den'],
        ['topic', ''],
      ],
      ['none'],
    ],
    [
      'empty topic by display name',
      () => [
        ['channel', 'den'],
        ['topic', 'general chat'],
      ],
      ['none'],
    ],
    ['dm by IDs', () => [{ operator: 'dm', operand: [ben.userId] }], ['pair', 'back']],
    ['dm by IDs, oneself included', () => [{ operator: 'dm', operand: [ben.userId, ann.userId] }], ['pair', 'back']],
    ['dm by address', () => [['pm-with', ben.email]], ['pair', 'back']],
    ['dm by addresses', () => [['pm_with', `${ben.email}, ${cleo.email}`]], ['group']],
    ['dm with oneself', () => [{ operator: 'dm', operand: [ann.userId] }], ['self']],
    ['dm-including', () => [{ operator: 'dm-including', operand: ben.userId }], ['pair', 'back', 'group']],
    ['group-pm-with', () => [['group-pm-with', ben.email]], ['group']],
    ['sender by ID', () => [['channel', 'den'], { operator: 'sender', operand: ben.userId }], ['foxB', 'none']],
    [
      'sender by address',
      () => [
        ['channel', 'den'],
        ['from', ben.email.toUpperCase()],
      ],
      ['foxB', 'none'],
    ],
    ['id', () => [{ operator: 'id', operand: ids['owl'] }], ['owl']],
    ['id as text', () => [['id', String(ids['owl'])]], ['owl']],
    ['is:dm', () => [['is', 'private']], ['pair', 'back', 'group', 'self']],
    ['not a topic', () => [['channel', 'den'], { operator: 'topic', operand: 'fox', negated: true }], ['owl', 'none']],
    [
      'not a sender',
      () => [['channel', 'den'], { operator: 'sender', operand: ben.userId, negated: true }],
      ['foxA', 'owl'],
    ],
    [
      'not a channel',
      () => [{ operator: 'channel', operand: 'den', negated: true }],
      ['pair', 'back', 'group', 'self'],
    ],
    [
      'not a conversation',
      () => [['is', 'dm'], { operator: 'dm', operand: [ben.userId], negated: true }],
      ['group', 'self'],
    ],
    [
      'not an id',
      () => [['channel', 'den'], { operator: 'id', operand: ids['owl'], negated: true }],
      ['foxA', 'foxB', 'none'],
    ],
    [
      'near filters nothing',
      () => [['channel', 'den'], { operator: 'near', operand: ids['owl'] }],
      ['foxA', 'foxB', 'owl', 'none'],
    ],
    [
      'all together',
      () => [['channel', 'den'], ['topic', 'fox'], { operator: 'sender', operand: ann.userId }],
      ['foxA'],
    ],
    [
      'a contradiction',
      () => [
        ['topic', 'fox'],
        ['topic', 'owl'],
      ],
      [],
    ],
  ])('%s', async (_, narrow, expected) => {
    expect(await found(narrow())).toEqual(expected);
  });

  test('shared history of a public channel opens to those outside, by channel alone', async () => {
    expect(await found([['channel', 'den']], cleo)).toEqual(['foxA', 'foxB', 'owl', 'none']);
    expect(await found([['channels', 'public']], cleo)).toEqual(['foxA', 'foxB', 'owl', 'none']);
    expect(await found([['topic', 'fox']], cleo)).toEqual([]);
    const [message] = await messagesIn(cleo, [
      ['channel', 'den'],
      ['topic', 'fox'],
    ]);
    expect(message.flags.sort()).toEqual(['historical', 'read']);
  });

  test.each<[string, unknown]>([
    ['an unknown operator', [['colour', 'red']]],
    ['an unknown channel', [['channel', 'no such']]],
    ['an unknown channel ID', [{ operator: 'channel', operand: 98_765 }]],
    ['an unknown sender', [['sender', 'nobody@example.test']]],
    ['an unknown conversation', [['dm', 'nobody@example.test']]],
    ['an unknown is', [['is', 'blue']]],
    ['an ID that is none', [['id', 'seven']]],
  ])('%s: BAD_NARROW', async (_, narrow) => {
    const answer = await ann.call('GET', '/messages', { narrow, anchor: 'newest', num_before: 1, num_after: 0 });
    const body = expectRefusal(answer, 'BAD_NARROW');
    expect(body.msg).toContain(body.desc);
  });

  test.each(['{', '"x"', '[["channel"]]', '[[1, 2]]', '[{"operator": "channel"}]', '[1]', '[[]]', '{"a": 1}'])(
    'malformed: %s',
    async (narrow) => {
      const answer = await ann.call('GET', '/messages', { narrow, anchor: 'newest', num_before: 1, num_after: 0 });
      expect(answer.status).toBe(400);
      expect(['REQUEST_VARIABLE_INVALID', 'BAD_REQUEST', 'BAD_NARROW']).toContain(answer.body.code);
    },
  );
});

test('everything is the same after a restart', async () => {
  const read = (): Promise<string[]> =>
    Promise.all(
      [ann, ben, cleo].map(async (client) => {
        const window = { anchor: 'newest', num_before: 1000, num_after: 0 };
        return (await client.call('GET', '/messages', window)).text;
      }),
    );
  const before = await read();
  await server.restart();
  expect(await read()).toEqual(before);
});
