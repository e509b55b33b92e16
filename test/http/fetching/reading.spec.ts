import { expectRefusal, idsOf, messageOf, messagesIn } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { accountOf, recordFacts } from '../../support/facts.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
/** It is ann's. */
let bot: ApiClient;
let den: number;

beforeAll(async () => {
  ({ server, ann, ben, cleo } = await startWithPeople());
  const account = accountOf(server, 101, 'Ann’s bot', 400, ann);
  bot = account.client;
  await server.restart(() => recordFacts(server, account.facts));
  den = await channelOf('den', ann, ben, bot);
});
afterAll(() => server.stop());

const flag = (client: ApiClient, name: string, ...messages: number[]): Promise<any> =>
  client.ok('POST', '/messages/flags', { op: 'add', flag: name, messages });

describe('mark_topic_as_read', () => {
  const mark = (client: ApiClient, parameters: Record<string, unknown>): ReturnType<ApiClient['call']> =>
    client.call('POST', '/mark_topic_as_read', parameters);

  test('reads one topic, regardless of case', async () => {
    const id = await ann.send('den', 'Mark Me', 'x');
    const other = await ann.send('den', 'not me', 'x');
    expect((await mark(ben, { stream_id: den, topic_name: 'mark me' })).status).toBe(200);
    expect((await messageOf(ben, id)).flags).toEqual(['read']);
    expect((await messageOf(ben, other)).flags).toEqual([]);
  });

  test('the empty one by its display name', async () => {
    const id = await ann.send('den', '', 'x');
    expect((await mark(ben, { stream_id: den, topic_name: 'general chat' })).status).toBe(200);
    expect((await messageOf(ben, id)).flags).toEqual(['read']);
  });

  test('one whose newest message is none of the caller’s, but others are', async () => {
    const name = 'vault';
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      invite_only: true,
      history_public_to_subscribers: false,
      principals: [ann.userId, ben.userId],
    });
    const { stream_id } = await ann.ok('GET', '/get_stream_id', { stream: name });
    const seen = await ann.send(name, 'gap', 'x');
    await ben.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
    await ann.send(name, 'gap', 'x');
    await ann.send(name, 'hidden', 'x');
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [ben.userId] });
    for (const topic_name of ['gap', 'GAP']) expect((await mark(ben, { stream_id, topic_name })).status).toBe(200);
    expect((await messageOf(ben, seen)).flags).toContain('read');
    expectRefusal(await mark(ben, { stream_id, topic_name: 'hidden' }), 'BAD_REQUEST');
  });

  test('none of others alone, even where their messages may be read', async () => {
    const id = await ann.send('den', 'of others', 'x');
    const topic = { stream_id: den, topic_name: 'of others' };
    expectRefusal(await mark(cleo, topic), 'BAD_REQUEST');
    await flag(cleo, 'starred', id);
    expect((await mark(cleo, topic)).status).toBe(200);
  });

  test('none that is not there', async () => {
    expectRefusal(await mark(ben, { stream_id: den, topic_name: 'never used' }), 'BAD_REQUEST');
    expectRefusal(await mark(ben, { stream_id: 98_765, topic_name: 'x' }), 'BAD_REQUEST');
    expectRefusal(await mark(ben, { stream_id: den }), 'REQUEST_VARIABLE_MISSING');
    expectRefusal(await mark(ben, { topic_name: 'x' }), 'REQUEST_VARIABLE_MISSING');
  });
});

describe('collapsing', () => {
  test('is a flag as well', async () => {
    const id = await ann.send('den', 'c', 'x');
    await flag(ben, 'collapsed', id);
    expect((await messageOf(ben, id)).flags).toEqual(['collapsed']);
  });

  test('what one never received puts it into one’s history', async () => {
    const ids = [await ann.send('den', 'rows', 'x'), await ann.send('den', 'rows', 'x')];
    const own = async (): Promise<number[]> => idsOf(await messagesIn(cleo, [['topic', 'rows']]));
    expect(await own()).toEqual([]);
    const queue = await cleo.register({ event_types: ['update_message_flags'] });
    await flag(cleo, 'collapsed', ids[0]!);
    expect(await own()).toEqual(ids.slice(0, 1));
    expect((await messageOf(cleo, ids[0]!)).flags.sort()).toEqual(['collapsed', 'historical', 'read']);
    expect(await queue.pending()).toMatchObject([{ op: 'add', flag: 'collapsed', messages: ids.slice(0, 1) }]);
    const off = { op: 'remove', flag: 'collapsed', messages: ids };
    await cleo.ok('POST', '/messages/flags', off);
    expect(await own()).toEqual(ids.slice(0, 1));
    expect((await messageOf(cleo, ids[0]!)).flags.sort()).toEqual(['historical', 'read']);
  });
});

describe('the notice that a topic was resolved', () => {
  test('is read for participants who want all of them read', async () => {
    await ben.ok('PATCH', '/settings', { resolved_topic_notice_auto_read_policy: 'always' });
    const id = await ann.send('den', 'issue', 'x');
    await ben.send('den', 'issue', 'y');
    await bot.send('den', 'issue', 'z');
    await bot.ok('PATCH', `/messages/${id}`, { topic: '✔ issue', propagate_mode: 'change_all' });
    const notice = (await messagesIn(ann, [['topic', '✔ issue']])).at(-1);
    expect(notice.sender_full_name).toBe('Notification Bot');
    expect(notice.flags).toEqual([]);
    expect((await messageOf(ben, notice.id)).flags).toEqual(['read']);
  });

  test('is unread for subscribers who follow the topic, or want none of them read', async () => {
    const stream_id = await channelOf('loggia', ann, ben, bot);
    const unread = async (topic: string, setting: string, visibility_policy: number): Promise<boolean> => {
      await ben.ok('PATCH', '/settings', { resolved_topic_notice_auto_read_policy: setting });
      const id = await ann.send('loggia', topic, 'x');
      await ben.ok('POST', '/user_topics', { stream_id, topic, visibility_policy });
      await ann.ok('PATCH', `/messages/${id}`, { topic: `✔ ${topic}`, propagate_mode: 'change_all' });
      const notice = (await messagesIn(ben, [['topic', `✔ ${topic}`]])).at(-1);
      return !notice.flags.includes('read');
    };
    const [NONE, FOLLOWED] = [0, 3];
    expect(await unread('a', 'except_followed', NONE)).toBe(false);
    expect(await unread('b', 'except_followed', FOLLOWED)).toBe(true);
    expect(await unread('c', 'never', NONE)).toBe(true);
    expect(await unread('d', 'always', FOLLOWED)).toBe(false);
    await ben.ok('PATCH', '/settings', { resolved_topic_notice_auto_read_policy: 'except_followed' });
  });
});

test('read receipts name bots as well', async () => {
  const id = await ann.send('den', 'receipts', 'x');
  await flag(bot, 'read', id);
  expect((await ben.ok('GET', `/messages/${id}/read_receipts`)).user_ids).toEqual([bot.userId]);
});
