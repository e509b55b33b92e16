import { streams } from '#event-store';
import type { JsonObject } from '#kernel';
import { until } from '#testing';
import { expectRefusal, idsOf, messageOf, messagesIn } from '../../support/answers.js';
import type { Answer, ApiClient } from '../../support/client.js';
import { recordIn } from '../../support/facts.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let tea: number;
/** IDs of messages by what they hold. */
const held: Record<string, number> = {};

const said = (senderId: number, channelId: number, topic: string, content: string, rendered?: string) => {
  const data = { senderId, channelId, topic, content, client: 'test', at: Math.floor(Date.now() / 1000) };
  const files = rendered?.includes('"/user_uploads/') === true ? { files: [{ fileId: 1, ownerId: senderId }] } : {};
  const more = { ...files, ...(rendered === undefined ? {} : { rendered }) };
  return { type: 'message.sent.v1', data: { ...data, ...more } as JsonObject };
};
/** What files look like in messages, as rendering leaves them. */
const FILES = {
  picture:
    '<p><a href="/user_uploads/2/ab/cat.png">cat.png</a></p>\n<div class="message_inline_image"><a href="/user_uploads/2/ab/cat.png" title="cat.png"><img src="/user_uploads/thumbnail/2/ab/cat.png/840x560.webp"></a></div>',
  paper: '<p><a href="/user_uploads/2/ab/tea.pdf">tea.pdf</a></p>',
  foreign: '<p><a href="https://elsewhere.test/user_uploads/2/ab/tea.pdf">tea.pdf</a></p>',
};

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  tea = await channelOf('tea', ann, ben);
  const last = await ann.send('tea', 'begin', 'x');
  const files = Object.entries(FILES).map(([name, html]) => said(ann.userId, tea, 'files', name, html));
  Object.keys(FILES).forEach((name, index) => (held[name] = last + 1 + index));
  await server.restart(() => recordIn(server, streams.messages, files));
});
afterAll(() => server.stop());

const get = (client: ApiClient, parameters: Record<string, unknown>): Promise<Answer> =>
  client.call('GET', '/messages', parameters);
const fetched = (client: ApiClient, parameters: Record<string, unknown>): Promise<any> =>
  client.ok('GET', '/messages', parameters);

describe('messages of 10 kB of emoji', () => {
  const COUNT = 170;
  const BYTES_MAX = 8_100_000;
  let ids: number[];
  beforeAll(async () => {
    const content = '😀'.repeat(2_500);
    ids = [await ann.send('tea', 'emoji', content)];
    const { message } = await ann.ok('GET', `/messages/${ids[0]}`);
    const facts = Array.from({ length: COUNT - 1 }, () => said(ann.userId, tea, 'emoji', content, message.content));
    for (let n = 1; n < COUNT; n++) ids.push(ids[0]! + n);
    await server.restart(async () => {
      // Each append holds 1 MiB at most.
      for (let from = 0; from < facts.length; from += 15)
        await recordIn(server, streams.messages, facts.slice(from, from + 15));
    });
  });
  const narrow = [{ operator: 'topic', operand: 'emoji' }];

  test('come in answers of 8 MB, one after the other', async () => {
    const found: number[] = [];
    for (let anchor: number | string = 'oldest', isLast = false; !isLast;) {
      const { status, text, body } = await get(ben, { narrow, anchor, num_before: 0, num_after: 5_000 });
      expect(status).toBe(200);
      expect(text.length).toBeLessThan(BYTES_MAX);
      const some = idsOf(body.messages).filter((id) => !found.includes(id));
      expect(some.length).toBeGreaterThan(0);
      found.push(...some);
      isLast = body.found_newest;
      anchor = found.at(-1)!;
    }
    expect(found).toEqual(ids);
  });

  test('by every way to ask for them', async () => {
    for (const asked of [
      { anchor: 'newest', num_before: 5_000, num_after: 0 },
      { anchor: 'first_unread', num_before: 10, num_after: 4_000 },
      { anchor: ids[80], num_before: 2_000, num_after: 2_000 },
      { message_ids: ids },
    ]) {
      // The time of a search is bounded as well: on a busy machine an answer may be cut before it is full.
      await until(async () => {
        const { status, text, body } = await get(ben, asked);
        expect(status).toBe(200);
        expect(text.length).toBeLessThan(BYTES_MAX);
        expect(body.found_oldest && body.found_newest).toBe(false);
        return text.length > BYTES_MAX * 0.9;
      });
    }
  });
});

describe('messages by their IDs', () => {
  test('come without an anchor, and are the whole answer', async () => {
    const ids = [await ann.send('tea', 'listed', '1'), await ann.send('tea', 'listed', '2')];
    const { messages, ...rest } = await fetched(ben, { message_ids: [...ids, ids[0]].reverse() });
    expect(idsOf(messages)).toEqual(ids);
    expect(rest).toMatchObject({ found_anchor: false, found_oldest: true, found_newest: true, history_limited: false });
  });

  test.each<[string, Record<string, unknown>]>([
    ['an anchor', { anchor: 'newest' }],
    ['num_before', { num_before: 0 }],
    ['num_after', { num_after: 1 }],
    ['use_first_unread_anchor', { use_first_unread_anchor: true }],
  ])('and %s exclude each other', async (_, parameters) => {
    const answer = await get(ann, { message_ids: [1], ...parameters });
    expect(expectRefusal(answer, 'BAD_REQUEST').msg).toContain('message_ids');
  });

  test('of a narrow without channels are the caller’s own; of a channel, all that they may read', async () => {
    const message_ids = [await ann.send('tea', 'outside', 'x'), await ann.sendTo([cleo], 'x')];
    const asked = async (narrow?: unknown): Promise<number[]> =>
      idsOf((await fetched(cleo, { message_ids, narrow })).messages);
    expect(await asked()).toEqual(message_ids);
    expect(await asked([])).toEqual(message_ids);
    expect(await asked([['sender', ann.email]])).toEqual(message_ids.slice(1));
    expect(await asked([['topic', 'outside']])).toEqual([]);
    expect(await asked([['channels', 'public']])).toEqual(message_ids.slice(0, 1));
    const narrow = [
      ['channel', 'tea'],
      ['sender', ann.email],
    ];
    expect(await asked(narrow)).toEqual(message_ids.slice(0, 1));
    await cleo.ok('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: message_ids.slice(0, 1) });
    expect(await asked([['topic', 'outside']])).toEqual(message_ids.slice(0, 1));
  });
});

describe('avatar addresses', () => {
  const avatars = async (client: ApiClient, id: number, parameters: Record<string, unknown>): Promise<unknown[]> => {
    const [listed] = (await fetched(client, { message_ids: [id], ...parameters })).messages;
    return [listed.avatar_url, (await messageOf(client, id, parameters)).avatar_url];
  };

  test('are left to clients that compute them, by either name of the parameter', async () => {
    const id = await ann.send('tea', 'avatars', 'x');
    const address = expect.stringMatching(/^https?:.*|^\/.+/);
    expect(await avatars(ben, id, {})).toEqual([null, null]);
    for (const name of ['client_gravatar', 'client_extavatar']) {
      expect(await avatars(ben, id, { [name]: true })).toEqual([null, null]);
      expect(await avatars(ben, id, { [name]: false })).toEqual([address, address]);
    }
    for (const path of ['/messages', `/messages/${id}`]) {
      const answer = await ben.call('GET', path, { message_ids: [id], client_gravatar: true, client_extavatar: true });
      expectRefusal(answer, 'REQUEST_CONFUSING_VAR');
    }
  });
});

describe('has', () => {
  test.each([
    ['image', ['picture']],
    ['attachment', ['picture', 'paper']],
    ['link', ['picture', 'paper', 'foreign']],
  ])('%s', async (operand, names) => {
    const topic = ['topic', 'files'];
    expect(idsOf(await messagesIn(ben, [topic, ['has', operand]]))).toEqual(names.map((name) => held[name]));
    const rest = await messagesIn(ben, [topic, { operator: 'has', operand, negated: true }]);
    expect(idsOf(rest)).toEqual(Object.keys(FILES).flatMap((name) => (names.includes(name) ? [] : [held[name]])));
  });
});

describe('the first unread message', () => {
  const firstUnread = async (narrow: unknown): Promise<number> =>
    (await fetched(ben, { narrow, anchor: 'first_unread', num_before: 0, num_after: 0 })).anchor;
  const NONE = 10_000_000_000_000_000;

  test('is of no muted topic', async () => {
    await ben.ok('POST', '/mark_all_as_read');
    const muted = await ann.send('tea', 'muted', 'x');
    await ben.ok('POST', '/user_topics', { stream_id: tea, topic: 'muted', visibility_policy: 1 });
    for (const narrow of [[], [['channel', 'tea']], [['topic', 'muted']]]) expect(await firstUnread(narrow)).toBe(NONE);
    const heard = await ann.send('tea', 'heard', 'x');
    for (const narrow of [[], [['channel', 'tea']]]) expect(await firstUnread(narrow)).toBe(heard);
    await ben.ok('POST', '/user_topics', { stream_id: tea, topic: 'muted', visibility_policy: 0 });
    expect(await firstUnread([])).toBe(muted);
  });
});

describe('a direct message', () => {
  test('names all participants in one order, for every viewer and sender', async () => {
    const ids = [await cleo.sendTo([ann, ben], 'x'), await ann.sendTo([cleo, ben], 'x')];
    const expected = [ann, ben, cleo].map(({ userId, email, fullName }) => ({
      id: userId,
      email,
      full_name: fullName,
      is_mirror_dummy: false,
    }));
    for (const client of [ann, ben, cleo])
      for (const id of ids) expect((await messageOf(client, id)).display_recipient).toEqual(expected);
    // Not as they are numbered, but as their addresses are sorted.
    owner.userId = (await owner.ok('GET', '/users/me')).user_id;
    const pair = await messageOf(cleo, await cleo.sendTo([owner], 'x'));
    expect(pair.display_recipient.map(({ email }: any) => email)).toEqual([cleo.email, owner.email].sort());
    const note = await messageOf(cleo, await cleo.sendTo([cleo], 'x'));
    expect(note.display_recipient).toEqual(expected.slice(2));
  });
});

/** The last of the story: where servers stand behind each answer, so many messages make all that follows slow. */
test('flags of more messages than one request may touch are changed up to the limit', async () => {
  const flood = await channelOf('flood', ann, ben);
  const first = (await ann.send('tea', 'begin', 'y')) + 1;
  const many = Array.from({ length: 5010 }, (_, index) => said(ann.userId, flood, 'flood', `drop ${index}`));
  await server.restart(() => recordIn(server, streams.messages, many));
  const narrow = [['topic', 'flood']];
  const flag = (parameters: Record<string, unknown>): Promise<any> =>
    ben.ok('POST', '/messages/flags/narrow', { narrow, op: 'add', flag: 'starred', ...parameters });
  const some = await flag({ anchor: 'oldest', num_before: 0, num_after: 1_000_000, flag: 'collapsed' });
  expect(some).toMatchObject({
    processed_count: 5000,
    updated_count: 5000,
    first_processed_id: first,
    last_processed_id: first + 4999,
    found_oldest: true,
    found_newest: false,
  });
  // Each side gives way to the other, down to a half.
  expect(await flag({ anchor: first + 2505, num_before: 1_000_000, num_after: 1_000_000 })).toMatchObject({
    first_processed_id: first + 5,
    last_processed_id: first + 5005,
    found_oldest: false,
    found_newest: false,
  });
  const rest = await flag({ anchor: first + 4999, include_anchor: false, num_before: 0, num_after: 1_000_000 });
  expect(rest).toMatchObject({ processed_count: 10, updated_count: 4, found_newest: true });
});

test.each(['9007199254740992', '9007199254740993', '9999999999999999', '9'.repeat(40)])(
  'the anchor %s is the newest',
  async (anchor) => {
    const window = { narrow: [], num_before: 2, num_after: 2 };
    const newest = await fetched(ben, { ...window, anchor: 'newest' });
    expect(await fetched(ben, { ...window, anchor })).toEqual(newest);
  },
);
