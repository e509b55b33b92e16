import { createHash } from 'node:crypto';
import { basic, channelId, exchange, expectRefusal, idsOf, messageOf, messagesIn } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let hall: number;
let yard: number;

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  hall = await channelOf('hall', ann, ben, cleo);
  yard = await channelOf('yard', ann, ben, cleo);
  await owner.subscribe('hall');
});
afterAll(() => server.stop());

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const edit = (client: ApiClient, id: number, parameters: Record<string, unknown>): ReturnType<ApiClient['call']> =>
  client.call('PATCH', `/messages/${id}`, parameters);
const edited = async (client: ApiClient, id: number, parameters: Record<string, unknown>): Promise<any> =>
  client.ok('PATCH', `/messages/${id}`, parameters);
const placeOf = async (client: ApiClient, id: number): Promise<[number, string]> => {
  const { stream_id, subject } = await messageOf(client, id, { allow_empty_topic_name: true });
  return [stream_id, subject];
};
const QUIET = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };

describe('editing content', () => {
  test('changes it for all readers, with the time of the edit', async () => {
    const id = await ann.send('hall', 'edit', 'first');
    const body = await edited(ann, id, { content: 'second **thoughts**', prev_content_sha256: sha256('first') });
    expect(body.detached_uploads).toEqual([]);
    const message = await messageOf(ben, id);
    expect(message.content).toBe('<p>second <strong>thoughts</strong></p>');
    expect(message.last_edit_timestamp).toBeGreaterThanOrEqual(message.timestamp);
    expect(message).not.toHaveProperty('last_moved_timestamp');
    expect(message.edit_history).toEqual([
      {
        user_id: ann.userId,
        timestamp: message.last_edit_timestamp,
        prev_content: 'first',
        prev_rendered_content: '<p>first</p>',
      },
    ]);
    const [listed] = await messagesIn(ben, [['id', String(id)]]);
    expect(listed.edit_history).toEqual(message.edit_history);
  });

  test('of an unedited message there is no history', async () => {
    const message = await messageOf(ann, await ann.send('hall', 'edit', 'only'));
    for (const name of ['edit_history', 'last_edit_timestamp', 'last_moved_timestamp'])
      expect(message).not.toHaveProperty(name);
  });

  test('based on something else: refused, unchanged', async () => {
    const id = await ann.send('hall', 'edit', 'mine');
    const answer = await edit(ann, id, { content: 'x', prev_content_sha256: sha256('not mine') });
    expect(expectRefusal(answer, 'EXPECTATION_MISMATCH').field_name).toBe('prev_content_sha256');
    expect((await messageOf(ann, id)).content).toBe('<p>mine</p>');
    for (const prev_content_sha256 of ['', 'zz', sha256('mine').toUpperCase().slice(1), sha256('mine').repeat(2)])
      expectRefusal(await edit(ann, id, { content: 'x', prev_content_sha256 }), 'EXPECTATION_MISMATCH');
    await edited(ann, id, { content: 'x', prev_content_sha256: sha256('mine').toUpperCase() });
  });

  test('moving what is based on something else is refused as well', async () => {
    const id = await ann.send('hall', 'edit', 'mine');
    for (const place of [{ topic: 'moved' }, { stream_id: yard }]) {
      const answer = await edit(ben, id, { ...place, prev_content_sha256: sha256('not mine') });
      expect(expectRefusal(answer, 'EXPECTATION_MISMATCH').field_name).toBe('prev_content_sha256');
    }
    expect(await placeOf(ann, id)).toEqual([hall, 'edit']);
    await edited(ben, id, { topic: 'moved', prev_content_sha256: sha256('mine'), ...QUIET });
    expect(await placeOf(ann, id)).toEqual([hall, 'moved']);
  });

  test('with its current topic and any mode: nothing else is edited or moved', async () => {
    const ids = [await ann.send('hall', 'Terminal', 'a'), await ann.send('hall', 'Terminal', 'b')];
    for (const propagate_mode of ['change_later', 'change_all'])
      await edited(ann, ids[0]!, { content: propagate_mode, topic: 'Terminal', propagate_mode, message_id: ids[0] });
    expect((await messageOf(ann, ids[0]!)).edit_history).toHaveLength(2);
    expect(await messageOf(ann, ids[0]!)).not.toHaveProperty('last_moved_timestamp');
    expect(await messageOf(ann, ids[1]!)).not.toHaveProperty('edit_history');
  });

  test('null in a JSON body is no content and no topic', async () => {
    const send = async (method: string, path: string, body: object): Promise<any> => {
      const authorization = basic(ann.email, ann.apiKey);
      const headers = { authorization, 'content-type': 'application/json' };
      return exchange(`${server.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
    };
    const id = await ann.send('hall', 'edit', 'first');
    expect((await send('PATCH', `/messages/${id}`, { content: 'second', topic: null, stream_id: null })).status).toBe(
      200,
    );
    expect((await send('PATCH', `/messages/${id}`, { content: null, topic: 'other' })).status).toBe(200);
    expect(await placeOf(ann, id)).toEqual([hall, 'other']);
    expect((await messageOf(ann, id)).content).toBe('<p>second</p>');
    const missing = await send('POST', '/messages', { type: 'channel', to: hall, topic: 't', content: null });
    expect(expectRefusal(missing, 'REQUEST_VARIABLE_MISSING').var_name).toBe('content');
  });

  test('of two editors who saw the same, one wins', async () => {
    const id = await ann.send('hall', 'edit', 'base');
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((content) => edit(ann, id, { content, prev_content_sha256: sha256('base') })),
    );
    const codes = answers.map(({ body }) => body.code ?? 'won').sort();
    expect(codes).toEqual(['EXPECTATION_MISMATCH', 'EXPECTATION_MISMATCH', 'won']);
    const { message_history } = await ann.ok('GET', `/messages/${id}/history`);
    expect(message_history).toHaveLength(2);
  });

  test('emptied content says that it was deleted', async () => {
    const id = await ann.send('hall', 'edit', 'oops');
    await edited(ann, id, { content: '  ' });
    expect((await ann.ok('GET', `/messages/${id}`)).raw_content).toBe('(deleted)');
  });

  test('only by its sender', async () => {
    const id = await ann.send('hall', 'edit', 'hers');
    for (const client of [ben, owner]) expectRefusal(await edit(client, id, { content: 'x' }), 'BAD_REQUEST');
    expect((await messageOf(ann, id)).content).toBe('<p>hers</p>');
  });

  test('what one may not edit is told before what the new content mentions or has', async () => {
    const locked = {
      name: 'locked',
      description: '',
      members: [],
      can_mention_group: { direct_members: [], direct_subgroups: [] },
    };
    await owner.ok('POST', '/user_groups/create', locked);
    const id = await ben.send('hall', 'edit', 'his');
    const refused = async (client: ApiClient, parameters: object): Promise<string> => {
      const { body } = await edit(client, id, { ...parameters });
      expect(body.code).toBe('BAD_REQUEST');
      return body.msg;
    };
    const permission = "You don't have permission to edit this message";
    for (const content of ['@*locked*', 'a\u0000b']) expect(await refused(ann, { content })).toBe(permission);
    await owner.ok('PATCH', '/realm', { allow_message_editing: false });
    expect(await refused(ben, { content: '@*locked*' })).toMatch(/turned off message editing/);
    await owner.ok('PATCH', '/realm', { allow_message_editing: true });
    expect(await refused(ben, { content: '@*locked*' })).toMatch(/not allowed to mention/);
    // Who runs the channel may move messages in it.
    const movers = async (group: unknown): Promise<void> => {
      await owner.ok('PATCH', '/realm', { can_move_messages_between_topics_group: { new: group } });
    };
    const { realm_can_move_messages_between_topics_group: all } = (await owner.register()).state;
    await movers({ direct_members: [], direct_subgroups: [] });
    expect(await refused(ben, { content: '@*locked*', topic: 'elsewhere' })).toBe(permission);
    await movers(all);
    expect(await refused(ben, { content: '@*locked*', topic: 'elsewhere' })).toMatch(/not allowed to mention/);
  });

  test.each<[string, Record<string, unknown>]>([
    ['nothing', {}],
    ['the same content', { content: 'as it was' }],
    ['the same topic', { topic: ' edit ' }],
    ['content and channel', { content: 'x', stream_id: 1 }],
    ['a mode without a move', { content: 'x', propagate_mode: 'change_all' }],
    ['an unknown mode', { topic: 'x', propagate_mode: 'change_some' }],
    ['a NUL', { content: 'a\u0000b' }],
    ['a bad topic', { topic: 'a\u0007b' }],
    ['an unknown channel', { stream_id: 98_765 }],
    ['no channel ID', { stream_id: 'hall' }],
  ])('%s is refused', async (_, parameters) => {
    const id = await ann.send('hall', 'edit', 'as it was');
    const answer = await edit(ann, id, parameters);
    expect([answer.status, answer.body.result]).toEqual([400, 'error']);
    expect(await messageOf(ann, id)).not.toHaveProperty('edit_history');
  });

  test('of direct messages: content only', async () => {
    const id = await ann.sendTo([ben], 'first');
    await edited(ann, id, { content: 'second' });
    expect((await messageOf(ben, id)).content).toBe('<p>second</p>');
    expectRefusal(await edit(ann, id, { topic: 'x' }), 'BAD_REQUEST');
    expectRefusal(await edit(ann, id, { stream_id: hall }), 'BAD_REQUEST');
  });

  test('one client repeats the ID among the parameters', async () => {
    const id = await ann.send('hall', 'edit', 'first');
    const query = new URLSearchParams({ message_id: String(id), content: 'by query' });
    expect((await ann.call('PATCH', `/messages/${id}?${query.toString()}`)).status).toBe(200);
    expect((await messageOf(ann, id)).content).toBe('<p>by query</p>');
  });
});

describe('moving within a channel', () => {
  const threeIn = async (topic: string): Promise<number[]> => {
    const ids: number[] = [];
    for (const content of ['a', 'b', 'c']) ids.push(await ann.send('hall', topic, content));
    return ids;
  };

  test.each([
    ['change_one', [0, 1, 0]],
    ['change_later', [0, 1, 1]],
    ['change_all', [1, 1, 1]],
  ])('%s', async (propagate_mode, moved) => {
    const ids = await threeIn(`from ${propagate_mode}`);
    await edited(ben, ids[1]!, { topic: `to ${propagate_mode}`, propagate_mode, ...QUIET });
    for (const [index, id] of ids.entries())
      expect(await placeOf(ann, id)).toEqual([hall, `${moved[index] === 1 ? 'to' : 'from'} ${propagate_mode}`]);
    const there = await messagesIn(cleo, [
      ['channel', 'hall'],
      ['topic', `to ${propagate_mode}`],
    ]);
    expect(idsOf(there)).toEqual(ids.filter((_, index) => moved[index] === 1));
    const left = await messagesIn(cleo, [
      ['channel', 'hall'],
      ['topic', `from ${propagate_mode}`],
    ]);
    expect(idsOf(left)).toEqual(ids.filter((_, index) => moved[index] === 0));
    const { topics } = await ann.ok('GET', `/users/me/${hall}/topics`);
    const names = topics.map(({ name }: any) => name);
    expect(names).toContain(`to ${propagate_mode}`);
    expect(names.includes(`from ${propagate_mode}`)).toBe(moved.includes(0));
  });

  test('change_one is the default', async () => {
    const ids = await threeIn('default mode');
    await edited(ann, ids[0]!, { topic: 'elsewhere', ...QUIET });
    expect(await placeOf(ann, ids[1]!)).toEqual([hall, 'default mode']);
  });

  test('the history says where from and where to; the target alone has its content', async () => {
    const ids = await threeIn('history from');
    await edited(ann, ids[0]!, { content: 'A', topic: 'history to', propagate_mode: 'change_all', ...QUIET });
    const target = await messageOf(ann, ids[0]!);
    expect(target.edit_history).toEqual([
      {
        user_id: ann.userId,
        timestamp: expect.any(Number),
        prev_content: 'a',
        prev_rendered_content: '<p>a</p>',
        prev_topic: 'history from',
        topic: 'history to',
      },
    ]);
    expect(target.last_moved_timestamp).toBe(target.edit_history[0].timestamp);
    expect(target.last_edit_timestamp).toBe(target.edit_history[0].timestamp);
    const follower = await messageOf(ann, ids[1]!);
    expect(follower.edit_history).toEqual([
      { user_id: ann.userId, timestamp: expect.any(Number), prev_topic: 'history from', topic: 'history to' },
    ]);
    expect(follower).not.toHaveProperty('last_edit_timestamp');
    expect(follower.content).toBe('<p>b</p>');
  });

  test('with an edit is told at once, and is one entry of the history', async () => {
    const ids = await threeIn('both from');
    const queues = [await ben.register({ event_types: ['update_message'] }), await ann.register({})];
    await edited(ann, ids[1]!, { content: 'B', topic: 'both to', propagate_mode: 'change_later', ...QUIET });
    for (const queue of queues) {
      expect(await queue.pending()).toEqual([
        expect.objectContaining({
          type: 'update_message',
          message_id: ids[1],
          message_ids: ids.slice(1),
          stream_id: hall,
          orig_subject: 'both from',
          subject: 'both to',
          propagate_mode: 'change_later',
          orig_content: 'b',
          content: 'B',
          rendered_content: '<p>B</p>',
        }),
      ]);
    }
    const { message_history } = await ben.ok('GET', `/messages/${ids[1]}/history`);
    expect(message_history).toMatchObject([
      { content: 'b', topic: 'both from' },
      { content: 'B', topic: 'both to', prev_content: 'b', prev_topic: 'both from' },
    ]);
    expect(message_history).toHaveLength(2);
    const found = await messagesIn(cleo, [
      ['topic', 'both to'],
      ['search', 'B'],
    ]);
    expect(idsOf(found)).toEqual([ids[1]]);
  });

  test('topics that differ in case are one topic', async () => {
    const ids = [await ann.send('hall', 'Spelling', 'a'), await ann.send('hall', 'spelling', 'b')];
    await edited(ann, ids[0]!, { topic: 'spelt', propagate_mode: 'change_all', ...QUIET });
    expect(await placeOf(ann, ids[1]!)).toEqual([hall, 'spelt']);
  });

  test('a change of case is a change', async () => {
    const id = await ann.send('hall', 'case', 'a');
    await edited(ann, id, { topic: 'CASE', ...QUIET });
    expect(await placeOf(ann, id)).toEqual([hall, 'CASE']);
  });

  test('to the empty topic and back', async () => {
    const id = await ann.send('hall', 'to empty', 'a');
    await edited(ann, id, { topic: '', ...QUIET });
    expect(await placeOf(ann, id)).toEqual([hall, '']);
    await edited(ann, id, { topic: 'back again', ...QUIET });
    expect(await placeOf(ann, id)).toEqual([hall, 'back again']);
    const { message_history } = await ann.ok('GET', `/messages/${id}/history`);
    expect(message_history.map(({ topic }: any) => topic)).toEqual(['to empty', 'general chat', 'back again']);
  });

  test('notices tell both topics, when asked', async () => {
    const ids = await threeIn('notice from');
    await edited(ann, ids[0]!, {
      topic: 'notice to',
      propagate_mode: 'change_all',
      send_notification_to_old_thread: true,
      send_notification_to_new_thread: true,
    });
    const bots = async (topic: string): Promise<any[]> =>
      (
        await messagesIn(ann, [
          ['channel', 'hall'],
          ['topic', topic],
        ])
      ).filter(({ sender_full_name }) => sender_full_name === 'Notification Bot');
    const [from, to] = [await bots('notice from'), await bots('notice to')];
    expect([from.length, to.length]).toEqual([1, 1]);
    expect(from[0].content).toContain('notice to');
    expect(to[0].content).toContain('notice from');
    for (const { content } of [from[0], to[0]])
      expect(content).toContain(`<span class="user-mention silent" data-user-id="${ann.userId}">Ann Archer</span>`);
  });

  test('resolving is no move, and is told once', async () => {
    const ids = await threeIn('question');
    await edited(ben, ids[0]!, { topic: '✔ question', propagate_mode: 'change_all' });
    expect(await placeOf(ann, ids[2]!)).toEqual([hall, '✔ question']);
    const message = await messageOf(ann, ids[0]!);
    expect(message).not.toHaveProperty('last_moved_timestamp');
    expect(message.edit_history[0]).toMatchObject({ prev_topic: 'question', topic: '✔ question' });
    const all = await messagesIn(ann, [
      ['channel', 'hall'],
      ['topic', '✔ question'],
    ]);
    const notices = all.filter(({ sender_full_name }) => sender_full_name === 'Notification Bot');
    expect(notices.map(({ content }) => content)).toEqual([expect.stringContaining('resolved')]);
    const old = await messagesIn(ann, [
      ['channel', 'hall'],
      ['topic', 'question'],
    ]);
    expect(old).toEqual([]);
  });
});

describe('moving to another channel', () => {
  test('keeps the topic, or takes a new one', async () => {
    const one = await ann.send('hall', 'wander', 'a');
    await edited(ann, one, { stream_id: yard, ...QUIET });
    expect(await placeOf(ben, one)).toEqual([yard, 'wander']);
    const two = await ann.send('hall', 'wander off', 'a');
    await edited(ann, two, { stream_id: yard, topic: 'arrived', ...QUIET });
    expect(await placeOf(ben, two)).toEqual([yard, 'arrived']);
    expect((await messageOf(ben, two)).edit_history).toEqual([
      {
        user_id: ann.userId,
        timestamp: expect.any(Number),
        prev_stream: hall,
        stream: yard,
        prev_topic: 'wander off',
        topic: 'arrived',
      },
    ]);
    const { message_history } = await ben.ok('GET', `/messages/${two}/history`);
    expect(message_history.map(({ stream, prev_stream }: any) => [prev_stream, stream])).toEqual([
      [undefined, undefined],
      [hall, yard],
    ]);
  });

  test('takes the whole topic along', async () => {
    const ids = [await ann.send('hall', 'all along', 'a'), await ben.send('hall', 'all along', 'b')];
    await edited(ben, ids[1]!, { stream_id: yard, propagate_mode: 'change_all', ...QUIET });
    expect(
      idsOf(
        await messagesIn(ann, [
          ['channel', 'yard'],
          ['topic', 'all along'],
        ]),
      ),
    ).toEqual(ids);
    expect(
      await messagesIn(ann, [
        ['channel', 'hall'],
        ['topic', 'all along'],
      ]),
    ).toEqual([]);
  });

  test('leaves each message its own spelling of the topic', async () => {
    const ids = [await ann.send('hall', 'As Spelt', '1'), await ann.send('hall', 'as spelt', '2')];
    await edited(ann, ids[1]!, { stream_id: yard, propagate_mode: 'change_all', ...QUIET });
    expect(await placeOf(ann, ids[0]!)).toEqual([yard, 'As Spelt']);
    expect(await placeOf(ann, ids[1]!)).toEqual([yard, 'as spelt']);
    expect((await messageOf(ann, ids[0]!)).edit_history[0]).not.toHaveProperty('topic');
  });

  test('into a topic where something is already, everything stands in order', async () => {
    const first = await ann.send('yard', 'mixed', '1');
    const second = await ann.send('hall', 'mixed', '2');
    const third = await ann.send('yard', 'mixed', '3');
    await edited(ann, second, { stream_id: yard, ...QUIET });
    expect(
      idsOf(
        await messagesIn(ann, [
          ['channel', 'yard'],
          ['topic', 'mixed'],
        ]),
      ),
    ).toEqual([first, second, third]);
  });

  test('not into a channel that one does not know, or may not write to', async () => {
    await cleo.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'cell' }], invite_only: true });
    await owner.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'podium' }],
      can_send_message_group: { direct_members: [], direct_subgroups: [] },
    });
    const id = await ann.send('hall', 'stays', 'a');
    for (const name of ['cell', 'podium'])
      expectRefusal(await edit(ann, id, { stream_id: await channelId(owner, name) }), 'BAD_REQUEST');
    expect(await placeOf(ann, id)).toEqual([hall, 'stays']);
  });
});

describe('history', () => {
  test('begins with the original, and tells each change', async () => {
    const id = await ann.send('hall', 'long story', 'once');
    await edited(ann, id, { content: 'once upon' });
    await edited(ben, id, { topic: 'longer story', ...QUIET });
    await edited(ann, id, { content: 'once upon a time' });
    const { message_history } = await cleo.ok('GET', `/messages/${id}/history`);
    const timestamp = expect.any(Number);
    expect(message_history).toEqual([
      { topic: 'long story', content: 'once', rendered_content: '<p>once</p>', timestamp, user_id: ann.userId },
      {
        topic: 'long story',
        content: 'once upon',
        rendered_content: '<p>once upon</p>',
        prev_content: 'once',
        prev_rendered_content: '<p>once</p>',
        content_html_diff: expect.any(String),
        timestamp,
        user_id: ann.userId,
      },
      {
        topic: 'longer story',
        prev_topic: 'long story',
        content: 'once upon',
        rendered_content: '<p>once upon</p>',
        timestamp,
        user_id: ben.userId,
      },
      {
        topic: 'longer story',
        content: 'once upon a time',
        rendered_content: '<p>once upon a time</p>',
        prev_content: 'once upon',
        prev_rendered_content: '<p>once upon</p>',
        content_html_diff: expect.any(String),
        timestamp,
        user_id: ann.userId,
      },
    ]);
    const { edit_history } = await messageOf(ann, id);
    expect(edit_history.map((entry: any) => Object.keys(entry).filter((key) => key.startsWith('prev_')))).toEqual([
      ['prev_content', 'prev_rendered_content'],
      ['prev_topic'],
      ['prev_content', 'prev_rendered_content'],
    ]);
  });

  test('of a message that was never changed: itself', async () => {
    const id = await ann.sendTo([ben], 'plain');
    const { message_history } = await ben.ok('GET', `/messages/${id}/history`);
    expect(message_history).toEqual([
      {
        topic: '',
        content: 'plain',
        rendered_content: '<p>plain</p>',
        timestamp: expect.any(Number),
        user_id: ann.userId,
      },
    ]);
    expectRefusal(await cleo.call('GET', `/messages/${id}/history`), 'BAD_REQUEST');
  });

  test.each([
    ['shared', true],
    ['protected', false],
  ])('hides versions from before a reader could read it (%s history)', async (name, shared) => {
    const subscribe = (client: ApiClient, more = {}): Promise<any> =>
      client.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only: true, ...more });
    await subscribe(ann, { history_public_to_subscribers: shared });
    const id = await ann.send(name, 'plans', 'the secret');
    await edited(ann, id, { content: 'nothing to see' });
    await subscribe(ann, { principals: [cleo.userId] });
    await edited(ann, id, { content: 'nothing at all' });
    await edited(ann, id, { stream_id: hall, ...QUIET });
    const answers = async (client: ApiClient): Promise<string> =>
      JSON.stringify([
        await client.ok('GET', `/messages/${id}/history`),
        await messageOf(client, id),
        await messagesIn(client, [['id', String(id)]]),
      ]);
    expect((await answers(ann)).match(/the secret/g)).not.toHaveLength(0);
    for (const client of [ben, cleo]) expect(await answers(client)).not.toContain('secret');
    expect((await answers(cleo)).includes('nothing to see')).toBe(shared);
    expect(await answers(ben)).not.toContain('nothing to see');
  });

  test('of many large versions is the first one and the newest, and the message stays small', async () => {
    const version = (n: number): string => `${n} ${'😀'.repeat(2_000)}`;
    const id = await ann.send('hall', 'large', version(0));
    for (let n = 1; n <= 40; n++) await edited(ann, id, { content: version(n) });
    const history = await ben.call('GET', `/messages/${id}/history`);
    const entries: any[] = history.body.message_history;
    expect(entries[0].content).toBe(version(0));
    expect(entries.at(-1).content).toBe(version(40));
    expect(entries.at(-1).prev_content).toBe(version(39));
    expect(entries.length).toBeGreaterThan(3);
    expect(entries.length).toBeLessThan(15);
    for (const [index, { prev_content }] of entries.entries()) expect(prev_content).toBe(entries[index - 1]?.content);
    expect(history.text.length).toBeLessThan(2_000_000);
    const { text, body } = await ben.call('GET', `/messages/${id}`);
    expect(body.message.edit_history[0].prev_content).toBe(version(39));
    expect(text.length).toBeLessThan(500_000);
  });
});

describe('deleting', () => {
  test('by its sender and by an administrator, for all readers', async () => {
    for (const client of [ann, owner]) {
      const id = await ann.send('hall', 'delete', 'x');
      await client.ok('DELETE', `/messages/${id}`);
      for (const reader of [ann, ben, owner]) {
        expectRefusal(await reader.call('GET', `/messages/${id}`), 'BAD_REQUEST');
        expectRefusal(await reader.call('GET', `/messages/${id}/history`), 'BAD_REQUEST');
        expect(await messagesIn(reader, [['id', String(id)]])).toEqual([]);
      }
      expectRefusal(await ann.call('DELETE', `/messages/${id}`), 'BAD_REQUEST');
      expectRefusal(await edit(ann, id, { content: 'x' }), 'BAD_REQUEST');
      expectRefusal(await ann.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }), 'BAD_REQUEST');
    }
  });

  test('not by others', async () => {
    const id = await ann.send('hall', 'delete', 'x');
    expectRefusal(await ben.call('DELETE', `/messages/${id}`), 'BAD_REQUEST');
    expect((await messageOf(ben, id)).content).toBe('<p>x</p>');
  });

  test('a deleted ID is never used again, and topics forget', async () => {
    const id = await ann.send('hall', 'last of its kind', 'x');
    await ann.ok('DELETE', `/messages/${id}`);
    expect(await ann.send('hall', 'next', 'x')).toBeGreaterThan(id);
    const { topics } = await ann.ok('GET', `/users/me/${hall}/topics`);
    expect(topics.map(({ name }: any) => name)).not.toContain('last of its kind');
  });
});

describe('a message that moves out of sight', () => {
  const outsiders = (): ApiClient[] => [cleo];
  let secret: number;
  let id: number;
  let sibling: number;
  let queue: TestQueue;

  beforeAll(async () => {
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'vault' }],
      invite_only: true,
      history_public_to_subscribers: true,
      principals: [ann.userId, ben.userId],
    });
    secret = await channelId(ann, 'vault');
    id = await ann.send('hall', 'going away', 'the treasure');
    sibling = await cleo.send('hall', 'going away', 'my own words');
    await cleo.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    await cleo.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
    queue = await cleo.register({ client_capabilities: { bulk_message_deletion: true } });
    await edited(ann, id, { stream_id: secret, topic: 'hidden place', propagate_mode: 'change_all' });
  });

  test('is on no route any more', async () => {
    for (const client of outsiders()) {
      for (const message of [id, sibling]) {
        const flag = { messages: [message], op: 'add', flag: 'starred' };
        const refused: [string, string, Record<string, unknown>?][] = [
          ['GET', `/messages/${message}`],
          ['GET', `/messages/${message}/history`],
          ['PATCH', `/messages/${message}`, { content: 'x' }],
          ['DELETE', `/messages/${message}`],
          ['POST', `/messages/${message}/reactions`, { emoji_name: 'smile' }],
          ['DELETE', `/messages/${message}/reactions`, { emoji_name: 'tada' }],
          ['POST', '/messages/flags', flag],
        ];
        for (const [method, path, parameters] of refused)
          expect([method, path, (await client.call(method, path, parameters)).status]).toEqual([method, path, 400]);
      }
      const narrows = [
        [],
        [['id', String(id)]],
        [['topic', 'hidden place']],
        [['topic', 'going away']],
        [['is', 'starred']],
        [{ operator: 'sender', operand: ann.userId }],
        [['channel', 'hall']],
        [['channels', 'public']],
        [{ operator: 'channel', operand: 'hall', negated: true }],
      ];
      for (const narrow of narrows) {
        const seen = idsOf(await messagesIn(client, narrow));
        expect([narrow, seen.filter((one) => one === id || one === sibling)]).toEqual([narrow, []]);
      }
      const byIds = await client.ok('GET', '/messages', { message_ids: [id, sibling] });
      expect(byIds.messages).toEqual([]);
      const { state } = await client.register();
      expect(JSON.stringify([state.starred_messages, state.unread_msgs])).not.toContain(String(id));
    }
  });

  test('its old readers are told that it is deleted, and never where it went', async () => {
    const events = await queue.pending();
    const deletions = events.filter(({ type }) => type === 'delete_message');
    expect(deletions).toEqual([
      {
        id: expect.any(Number),
        type: 'delete_message',
        message_type: 'stream',
        message_ids: [id, sibling],
        stream_id: hall,
        topic: 'going away',
      },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/hidden place|vault|the treasure/);
    expect(JSON.stringify(events)).not.toContain(`"new_stream_id":${secret}`);
  });

  test('those who had it without a subscription are told as well', async () => {
    const visitor = await server.user('Vera Visitor');
    const starred = await ann.send('hall', 'seen from outside', 'a third treasure');
    await visitor.ok('POST', '/messages/flags', { messages: [starred], op: 'add', flag: 'starred' });
    const outside = await visitor.register({ client_capabilities: { bulk_message_deletion: true } });
    await edited(ann, starred, { stream_id: secret, ...QUIET });
    expect((await outside.pending()).map(({ type, message_ids }) => [type, message_ids])).toEqual([
      ['delete_message', [starred]],
    ]);
  });

  test('insiders see it where it is', async () => {
    for (const client of [ann, ben]) expect(await placeOf(client, id)).toEqual([secret, 'hidden place']);
    expect((await messageOf(ben, id)).reactions).toHaveLength(1);
  });

  test('what was not delivered yet is checked again when it is', async () => {
    const late = await cleo.register();
    const other = await ann.send('hall', 'not yet delivered', 'another treasure');
    await edited(ann, other, { stream_id: secret, ...QUIET });
    expect(JSON.stringify(await late.pending())).not.toContain('another treasure');
  });

  test('after a restart as well', async () => {
    await server.restart();
    expectRefusal(await cleo.call('GET', `/messages/${id}`), 'BAD_REQUEST');
    expect(await placeOf(ben, id)).toEqual([secret, 'hidden place']);
  });
});

describe('somebody without a subscription whom only an edit mentions', () => {
  const deletions: [name: string, act: (ids: readonly number[], topic: string) => Promise<unknown>][] = [
    ['messages', (ids) => Promise.all(ids.map((id) => ann.ok('DELETE', `/messages/${id}`)))],
    ['a topic', (_, topic_name) => owner.ok('POST', `/streams/${hall}/delete_topic`, { topic_name })],
  ];
  test.each(deletions)('is told of the deletion of %s', async (name, act) => {
    const visitor = await server.user(`Visitor of ${name}`);
    const ids = [];
    for (const mention of [`@**Visitor of ${name}**`, `@**Visitor of ${name}**, then not any more`, 'nobody']) {
      const id = await ann.send('hall', name, 'to nobody');
      await edited(ann, id, { content: mention });
      if (mention.includes('then')) await edited(ann, id, { content: 'to nobody again' });
      ids.push(id);
    }
    const queue = await visitor.register({ event_types: ['delete_message'] });
    await act(ids, name);
    const told = await queue.pending();
    expect(told.map(({ message_id }) => message_id).sort((a, b) => a - b)).toEqual(ids.slice(0, 2));
  });
});

describe('leaving a private channel', () => {
  test('closes its messages to the leaver', async () => {
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'closet' }],
      invite_only: true,
      principals: [ann.userId, cleo.userId],
    });
    const id = await ann.send('closet', 't', 'while she was here');
    await cleo.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    const queue = await cleo.register();
    await ann.send('closet', 't', 'not read yet');
    await cleo.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['closet'] });
    await ann.send('closet', 't', 'after she left');
    expectRefusal(await cleo.call('GET', `/messages/${id}`), 'BAD_REQUEST');
    expectRefusal(await cleo.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }), 'BAD_REQUEST');
    expect(JSON.stringify(await queue.pending())).not.toMatch(/not read yet|after she left/);
  });
});
