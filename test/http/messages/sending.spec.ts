import { basic, exchange, expectRefusal, idsOf, messageOf, messagesIn } from '../../support/answers.js';
import type { Answer, ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';

let cast: Cast;
let owner: ApiClient, ann: ApiClient, ben: ApiClient, cleo: ApiClient;
let lunch: number;
const NOBODY = 8;
const MEMBERS = 5;

beforeAll(async () => {
  cast = await startWithPeople();
  ({ owner, ann, ben, cleo } = cast);
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  lunch = await channelOf('Lunch', ann, ben);
});
afterAll(() => cast.server.stop());

const post = (client: ApiClient, parameters: Record<string, unknown>): Promise<Answer> =>
  client.call('POST', '/messages', parameters);
const toLunch = { type: 'channel', to: 'Lunch', topic: 'soup', content: 'hello' };

async function sent(client: ApiClient, parameters: Record<string, unknown>): Promise<any> {
  const { id } = await client.ok('POST', '/messages', { ...toLunch, ...parameters });
  return messageOf(client, id, { allow_empty_topic_name: true, apply_markdown: false });
}

describe('recipients', () => {
  test.each<[string, () => Record<string, unknown>]>([
    ['a channel by name', () => ({ type: 'channel', to: 'Lunch' })],
    ['in any case', () => ({ type: 'channel', to: 'LUNCH' })],
    ['with blanks around it', () => ({ type: 'channel', to: ' Lunch ' })],
    ['as JSON', () => ({ type: 'stream', to: '"Lunch"' })],
    ['by ID', () => ({ type: 'stream', to: lunch })],
    ['in a list', () => ({ type: 'channel', to: ['Lunch'] })],
    ['by ID in a list', () => ({ type: 'channel', to: [lunch] })],
    ['with the topic as `subject`', () => ({ type: 'stream', to: 'Lunch', topic: undefined, subject: 'soup' })],
  ])('%s', async (_, parameters) => {
    const message = await sent(ann, parameters());
    expect(message).toMatchObject({
      type: 'stream',
      stream_id: lunch,
      display_recipient: 'Lunch',
      subject: 'soup',
      content: 'hello',
      content_type: 'text/x-markdown',
      sender_id: ann.userId,
      client: 'ScrollbackTest',
    });
  });

  test.each<[string, () => Record<string, unknown>, () => ApiClient[]]>([
    ['users by ID', () => ({ type: 'direct', to: [ben.userId, cleo.userId] }), () => [ben, cleo]],
    ['one by ID, without a list', () => ({ type: 'private', to: ben.userId }), () => [ben]],
    ['by e-mail addresses', () => ({ type: 'private', to: [ben.email, cleo.email] }), () => [ben, cleo]],
    ['in any case', () => ({ type: 'direct', to: [ben.email.toUpperCase()] }), () => [ben]],
    ['joined by commas', () => ({ type: 'direct', to: `${ben.email}, ${cleo.email}` }), () => [ben, cleo]],
    ['raw', () => ({ type: 'direct', to: ben.email }), () => [ben]],
    ['twice, and oneself', () => ({ type: 'direct', to: [ben.userId, ben.userId, ann.userId] }), () => [ben]],
    ['oneself alone', () => ({ type: 'direct', to: [ann.userId] }), () => []],
    ['with a topic, which is ignored', () => ({ type: 'direct', to: [ben.userId], topic: 'x\u0000' }), () => [ben]],
  ])('%s', async (_, parameters, others) => {
    const message = await sent(ann, parameters());
    const ids = message.display_recipient.map(({ id }: { id: number }) => id).sort();
    expect(message).toMatchObject({ type: 'private', subject: '' });
    expect(message).not.toHaveProperty('stream_id');
    expect(ids).toEqual([ann, ...others()].map(({ userId }) => userId).sort());
  });

  test.each<[string, Record<string, unknown>, string, object]>([
    ['no channel of this name', { to: 'Nowhere' }, 'STREAM_DOES_NOT_EXIST', { stream: 'Nowhere' }],
    ['no channel of this ID', { to: 9999 }, 'STREAM_DOES_NOT_EXIST', { stream_id: 9999 }],
    ['several channels', { to: ['Lunch', 'Nowhere'] }, 'BAD_REQUEST', {}],
    ['an empty list', { type: 'direct', to: [] }, 'BAD_REQUEST', {}],
    ['no user of this ID', { type: 'direct', to: [9999] }, 'BAD_REQUEST', {}],
    ['no user of this address', { type: 'direct', to: ['x@example.test'] }, 'BAD_REQUEST', {}],
    ['IDs and addresses together', { type: 'direct', to: [1, 'x@example.test'] }, 'BAD_REQUEST', {}],
    ['something else', { type: 'direct', to: [{ id: 1 }] }, 'BAD_REQUEST', {}],
    ['too many', { type: 'direct', to: Array.from({ length: 300 }, (_, n) => n) }, 'BAD_REQUEST', {}],
    ['an unknown type', { type: 'carrier pigeon' }, 'BAD_REQUEST', {}],
    ['no recipient', { to: undefined }, 'REQUEST_VARIABLE_MISSING', { var_name: 'to' }],
    ['no type', { type: undefined }, 'REQUEST_VARIABLE_MISSING', { var_name: 'type' }],
    ['no content', { content: undefined }, 'REQUEST_VARIABLE_MISSING', { var_name: 'content' }],
    ['blank content', { content: ' \n ' }, 'BAD_REQUEST', {}],
    ['content with NUL', { content: 'a\u0000b' }, 'BAD_REQUEST', {}],
    ['a topic and a subject', { subject: 'x' }, 'REQUEST_CONFUSING_VAR', {}],
    ['a queue and no local_id', { queue_id: 'q' }, 'REQUEST_VARIABLE_MISSING', { var_name: 'local_id' }],
    ['a flag that is none', { read_by_sender: 'maybe' }, 'REQUEST_VARIABLE_INVALID', {}],
  ])('%s: refused', async (_, parameters, code, data) => {
    expect(expectRefusal(await post(ann, { ...toLunch, ...parameters }), code)).toMatchObject(data);
  });

  test('a private channel looks like none from outside', async () => {
    await ben.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'Attic' }], invite_only: true });
    const hidden = expectRefusal(await post(ann, { ...toLunch, to: 'Attic' }), 'STREAM_DOES_NOT_EXIST');
    expect(hidden).toMatchObject({ stream: 'Attic' });
  });

  test('a channel may take messages, or new topics, from some alone', async () => {
    const create = (name: string, permissions: object): Promise<unknown> =>
      owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...permissions });
    await create('Decrees', { can_send_message_group: 2 });
    await create('Agenda', { can_create_topic_group: 2 });
    expectRefusal(await post(ann, { ...toLunch, to: 'Decrees' }), 'BAD_REQUEST');
    await owner.send('Decrees', 'soup', 'shall be hot');
    expectRefusal(await post(ann, { ...toLunch, to: 'Agenda' }), 'BAD_REQUEST');
    await owner.send('Agenda', 'soup', 'first');
    await ann.send('Agenda', 'SOUP', 'second');
  });

  test('a public channel takes messages from outside', async () => {
    expect(await sent(cleo, {})).toMatchObject({ stream_id: lunch, sender_id: cleo.userId });
  });
});

describe('limits', () => {
  test('long content is cut off and says so', async () => {
    const { content } = await sent(ann, { content: '🍲'.repeat(10_001) });
    expect(Array.from(content)).toHaveLength(10_000);
    expect(content.endsWith('🍲\n[message truncated]')).toBe(true);
    expect((await sent(ann, { content: '🍲'.repeat(10_000) })).content).toBe('🍲'.repeat(10_000));
  });

  test.each([
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), `${'x'.repeat(57)}...`],
    ['🍲'.repeat(70), `${'🍲'.repeat(57)}...`],
    ['  soup \n', 'soup'],
  ])('the topic %j becomes %j', async (topic, subject) => {
    expect((await sent(ann, { topic })).subject).toBe(subject);
  });

  test('characters that no topic may have are told by their place', async () => {
    expect(expectRefusal(await post(ann, { ...toLunch, topic: '🍲a\u0007' }), 'BAD_REQUEST').msg).toContain('3');
  });

  test('line ends and blanks around content', async () => {
    expect((await sent(ann, { content: '\n\r\n  a\r\nb \n' })).content).toBe('  a\nb');
  });
});

describe('the empty topic', () => {
  test.each([[''], ['  '], ['(no topic)'], ['general chat'], [undefined]])('is also %j', async (topic) => {
    expect((await sent(ann, { topic })).subject).toBe('');
  });

  test('has a name for clients that cannot show it, in messages and events', async () => {
    const legacy = await ben.register({ event_types: ['message'], fetch_event_types: ['realm'] });
    const modern = await ben.register({
      event_types: ['message'],
      client_capabilities: { empty_topic_name: true },
    });
    expect(legacy.state.realm_empty_topic_display_name).toBe('general chat');
    const { id } = await ann.ok('POST', '/messages', { ...toLunch, topic: '' });
    expect((await messageOf(ben, id)).subject).toBe('general chat');
    expect((await messageOf(ben, id, { allow_empty_topic_name: true })).subject).toBe('');
    expect((await legacy.pending())[0].message.subject).toBe('general chat');
    expect((await modern.pending())[0].message.subject).toBe('');
  });

  test('may be forbidden by the organization, and in a channel', async () => {
    const [inherits, allows, forbids, only] = [
      'inherit',
      'allow_empty_topic',
      'disable_empty_topic',
      'empty_topic_only',
    ];
    for (const topics_policy of [inherits, allows, forbids, only]) {
      const subscriptions = [{ name: `topics: ${topics_policy}` }];
      await ann.ok('POST', '/users/me/subscriptions', { subscriptions, topics_policy });
    }
    const answers = async (): Promise<string[]> => {
      const given: string[] = [];
      for (const policy of [inherits, allows, forbids, only]) {
        for (const topic of ['', 'general chat', 'soup']) {
          const answer = await post(ann, { ...toLunch, to: `topics: ${policy}`, topic });
          if (answer.status !== 200)
            expect(expectRefusal(answer, 'BAD_REQUEST').empty_topic_display_name).toBe('general chat');
          given.push(`${policy} ${topic === 'soup' ? 'topic' : 'empty'} ${answer.status}`);
        }
      }
      return given.filter((line, index) => given.indexOf(line) === index);
    };
    const rest = [
      'allow_empty_topic empty 200',
      'allow_empty_topic topic 200',
      'disable_empty_topic empty 400',
      'disable_empty_topic topic 200',
      'empty_topic_only empty 200',
      'empty_topic_only topic 400',
    ];
    expect(await answers()).toEqual(['inherit empty 200', 'inherit topic 200', ...rest]);
    await owner.ok('PATCH', '/realm', { topics_policy: 'disable_empty_topic' });
    expect(await answers()).toEqual(['inherit empty 400', 'inherit topic 200', ...rest]);
    await owner.ok('PATCH', '/realm', { topics_policy: 'allow_empty_topic' });
  });
});

describe('direct messages', () => {
  const allow = (name: string, group: number): Promise<unknown> =>
    owner.ok('PATCH', '/realm', { [name]: { new: group } });
  afterEach(async () => {
    await allow('direct_message_permission_group', 6);
    await allow('direct_message_initiator_group', 6);
  });

  test('may be switched off, but for oneself and with bots', async () => {
    await allow('direct_message_permission_group', NOBODY);
    const bot = (await owner.ok('POST', '/register', { fetch_event_types: ['realm_user'] })).cross_realm_bots[0]
      .user_id;
    const status = async (...to: number[]) => (await post(ann, { type: 'direct', to, content: 'psst' })).status;
    expect(await status(ben.userId)).toBe(400);
    expect(await status(ben.userId, bot)).toBe(400);
    expect(await status(ann.userId)).toBe(200);
    expect(await status(bot)).toBe(200);
  });

  test('need one participant with the permission', async () => {
    await allow('direct_message_permission_group', 1);
    const refused = await post(ann, { type: 'direct', to: [ben.userId], content: 'psst' });
    expect(expectRefusal(refused, 'BAD_REQUEST').msg).toMatch(/does not include any users who can authorize it/);
    await ann.sendTo([ben, owner], 'psst');
    await owner.sendTo([ann], 'psst');
  });

  test('may be begun by some alone, and continued by all', async () => {
    await allow('direct_message_initiator_group', 1);
    expectRefusal(await post(cleo, { type: 'direct', to: [ben.userId, owner.userId], content: 'x' }), 'BAD_REQUEST');
    await owner.sendTo([ben, cleo], 'psst');
    await cleo.sendTo([ben, owner], 'yes?');
    await cleo.sendTo([cleo], 'note');
  });
});

describe('wildcards', () => {
  beforeAll(async () => {
    await channelOf('Crowd', ann, ben);
    const more: ApiClient[] = [];
    for (let count = 0; count < 14; count++) more.push(await cast.server.user());
    const principals = more.map(({ userId }) => userId);
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'Crowd' }], principals });
    for (const each of [ben, ...more]) await each.send('Crowd', 'vote', 'me');
  });

  test('need a permission where they reach many', async () => {
    const to = { type: 'channel', to: 'Crowd', topic: 'vote' };
    const all = await post(ann, { ...to, content: '@**all** hi' });
    expectRefusal(all, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED');
    const topic = await post(ann, { ...to, content: '@**topic** hi' });
    expectRefusal(topic, 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED');
    await ann.send('Crowd', 'vote', '@_**all** and `@**topic**`');
    await ann.send('Crowd', 'another', '@**topic** hi');
    await owner.ok('PATCH', '/realm', { can_mention_many_users_group: { new: MEMBERS } });
    await ann.send('Crowd', 'vote', '@**all** and @**topic** hi');
    await owner.ok('PATCH', '/realm', { can_mention_many_users_group: { new: 2 } });
  });

  test('of a topic reach those who take part in it', async () => {
    await channelOf('Quorum', ann, ben, cleo);
    const queue = await cleo.register({ event_types: ['message'] });
    const first = await ben.send('Quorum', 'dinner', 'who comes?');
    const one = await ann.send('Quorum', 'dinner', '@**topic** I do');
    const flags = async (client: ApiClient, id: number): Promise<string[]> =>
      (await messageOf(client, id)).flags.filter((flag: string) => flag.includes('mentioned'));
    const WILDCARD = ['topic_wildcard_mentioned', 'wildcard_mentioned'];
    expect(await flags(ann, one)).toEqual(WILDCARD);
    expect(await flags(ben, one)).toEqual(WILDCARD);
    expect(await flags(cleo, one)).toEqual([]);
    await cleo.ok('POST', `/messages/${first}/reactions`, { emoji_name: 'tada' });
    const two = await ann.send('Quorum', 'Dinner', '@**topic** at eight');
    expect(await flags(cleo, two)).toEqual(WILDCARD);
    expect((await queue.pending()).map((event) => event.flags)).toEqual([[], [], WILDCARD]);
    expect(idsOf(await messagesIn(cleo, [['is', 'mentioned']]))).toEqual([two]);
    const edit = { content: '@**topic** at nine' };
    await ann.ok('PATCH', `/messages/${one}`, edit);
    expect(await flags(cleo, one)).toEqual(WILDCARD);
  });

  test('in direct messages reach all participants', async () => {
    const id = await ann.sendTo([ben, cleo], '@**all** and @**topic**');
    for (const reader of [ann, ben, cleo])
      expect((await messageOf(reader, id)).flags).toEqual(
        expect.arrayContaining(['stream_wildcard_mentioned', 'wildcard_mentioned']),
      );
    expect((await messageOf(ben, id)).flags).not.toContain('topic_wildcard_mentioned');
  });

  test('a system group is named silently alone', async () => {
    for (const content of ['@*role:members* hi', 'Dear @*Members*'])
      expectRefusal(await ann.call('POST', '/messages', { ...toLunch, content }), 'BAD_REQUEST');
    const id = await ann.send('Lunch', 'soup', '@_*role:members* hi');
    expect((await messageOf(ben, id)).flags).not.toContain('mentioned');
    expectRefusal(await ann.call('PATCH', `/messages/${id}`, { content: '@*role:members* hi' }), 'BAD_REQUEST');
  });

  test('a deactivated person is named silently', async () => {
    const gone = await cast.server.user('Gone Goose');
    await owner.ok('DELETE', `/users/${gone.userId}`);
    const id = await ann.send('Lunch', 'soup', '@**Gone Goose** left');
    const { content } = (await ann.ok('GET', `/messages/${id}`)).message;
    expect(content).toBe(
      `<p><span class="user-mention silent" data-user-id="${gone.userId}">Gone Goose</span> left</p>`,
    );
  });

  test('groups reach as many as wildcards without a permission, all of a message together', async () => {
    const people: number[] = [];
    for (let index = 0; index < 16; index++) people.push((await cast.server.user()).userId);
    const group = async (name: string, members: number[]): Promise<void> => {
      await owner.ok('POST', '/user_groups/create', { name, description: '', members });
    };
    await group('left half', people.slice(0, 8));
    await group('right half', people.slice(8));
    await group('fifteen', people.slice(1));
    const id = await ann.send('Lunch', 'soup', '@*left half*');
    await ann.send('Lunch', 'soup', '@*fifteen*');
    const content = '@*left half* @*right half*';
    expectRefusal(await ann.call('POST', '/messages', { ...toLunch, content }), 'BAD_REQUEST');
    expectRefusal(await ann.call('PATCH', `/messages/${id}`, { content }), 'BAD_REQUEST');
    await ann.send('Lunch', 'soup', '@_*left half* @*right half*');
    // Members who are no participants are not told.
    await ann.sendTo([ben], content);
    await owner.ok('POST', '/messages', { ...toLunch, content });
  });
});

describe('one’s own message', () => {
  test.each([
    ['ZulipElectron/5.0', undefined, true],
    ['ZulipTerminal/0.7 (Linux)', undefined, true],
    ['ZulipAndroid/1', undefined, true],
    ['ZulipiOS/1', undefined, true],
    ['ZulipMobile/27.1', undefined, true],
    ['zulipdesktop', undefined, true],
    ['Snipe/1', undefined, true],
    ['website', undefined, true],
    ['iOS', undefined, true],
    ['Android/9', undefined, true],
    ['My Desktop App', undefined, true],
    ['ZulipFlutter/30 (Android 14)', undefined, false],
    ['ZulipPython/0.9', undefined, false],
    ['iOSApp', undefined, false],
    ['curl/8', undefined, false],
    ['ZulipPython/0.9', true, true],
    ['ZulipElectron/5.0', false, false],
  ])('through %s with read_by_sender %s is read: %s', async (agent, read_by_sender, isRead) => {
    const { id } = await ann.as(agent).ok('POST', '/messages', { ...toLunch, read_by_sender });
    expect((await messageOf(ann, id)).flags.includes('read')).toBe(isRead);
    expect((await messageOf(ben, id)).flags).not.toContain('read');
  });

  test('comes back to the queue that shows it already', async () => {
    const [own, other, foreign] = [await ann.register(), await ann.register(), await ben.register()];
    await ann.ok('POST', '/messages', { ...toLunch, queue_id: own.queueId, local_id: '17.01' });
    const echo = { local_id: '17.01', local_message_id: '17.01' };
    expect((await own.pending()).find(({ type }) => type === 'message')).toMatchObject(echo);
    for (const queue of [other, foreign]) {
      const event = (await queue.pending()).find(({ type }) => type === 'message');
      expect(event).not.toHaveProperty('local_id');
      expect(event).not.toHaveProperty('local_message_id');
    }
  });
});

describe('Idempotency-Key', () => {
  async function keyed(client: ApiClient, key: string, parameters: Record<string, string> = {}): Promise<Answer> {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...toLunch, ...parameters })) form.set(name, value);
    const headers = { authorization: basic(client.email, client.apiKey), 'idempotency-key': key };
    return exchange(`${cast.server.url}/api/v1/messages`, { method: 'POST', headers, body: form });
  }
  const countOf = async (content: string): Promise<number> =>
    (await messagesIn(ann, [['channel', 'Lunch']], { apply_markdown: false })).filter((one) => one.content === content)
      .length;

  test('the same request gives the same ID, also across a restart and when the message is gone', async () => {
    const content = 'once';
    const { id } = (await keyed(ann, 'k1', { content })).body;
    expect((await keyed(ann, 'k1', { content })).body).toMatchObject({ result: 'success', id });
    await cast.server.restart();
    expect((await keyed(ann, 'k1', { content, type: 'stream' })).body.id).toBe(id);
    expect(await countOf(content)).toBe(1);
    await ann.ok('DELETE', `/messages/${id}`);
    expect((await keyed(ann, 'k1', { content })).body.id).toBe(id);
    expect(await countOf(content)).toBe(0);
  });

  test('requests at the same time send one message', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => keyed(ann, 'k2', { content: 'together' })));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await countOf('together')).toBe(1);
  });

  test('another request under the key is refused, one after the other and at once', async () => {
    const first = await keyed(ann, 'k3', { content: 'this' });
    expectRefusal(await keyed(ann, 'k3', { content: 'that' }), 'IDEMPOTENCY_KEY_REUSED', 422);
    expectRefusal(await keyed(ann, 'k3', { content: 'this', topic: 'other' }), 'IDEMPOTENCY_KEY_REUSED', 422);
    expect((await keyed(ann, 'k3', { content: 'this' })).body.id).toBe(first.body.id);
    const answers = await Promise.all(['a', 'b', 'c'].map((content) => keyed(ann, 'k4', { content })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  test('keys belong to their users', async () => {
    const [one, other] = [await keyed(ann, 'k5'), await keyed(ben, 'k5')];
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(one.body.id).not.toBe(other.body.id);
  });

  test('a refused request keeps no key', async () => {
    expectRefusal(await keyed(ann, 'k6', { to: 'Nowhere' }), 'STREAM_DOES_NOT_EXIST');
    expect((await keyed(ann, 'k6')).status).toBe(200);
  });

  test.each(['', 'é', 'x'.repeat(256)])('the key %j is refused', async (key) => {
    expectRefusal(await keyed(ann, key), 'BAD_REQUEST');
  });

  test('no key stands in the log as it was sent', async () => {
    await keyed(ann, 'a very secret key');
    const log = await cast.server.rawLog();
    expect(log).not.toContain('a very secret key');
    expect(log).toContain('send.reserved.v1');
  });
});
