import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from '#testing';
import { expectRefusal } from '../support/answers.js';
import type { ApiClient } from '../support/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

// eslint-disable-next-line @typescript-eslint/no-require-imports -- the package is CommonJS without types, as published
const zulipInit: (config: Record<string, string>) => Promise<any> = require('zulip-js');

let server: TestServer;
let ann: any;
let ben: any;
let annAccount: ApiClient;
let benAccount: ApiClient;

const ok = (answer: any): any => {
  expect(answer).toMatchObject({ result: 'success', msg: '' });
  return answer;
};

beforeAll(async () => {
  server = await startTestServer();
  [annAccount, benAccount] = [await server.user('Ann Archer'), await server.user('Ben Baker')];
  ann = await zulipInit({ username: annAccount.email, apiKey: annAccount.apiKey, realm: server.url });
  ben = await zulipInit({ username: benAccount.email, password: 'the password of Ben Baker', realm: server.url });
});
afterAll(() => server.stop());

test('a password becomes a key', () => {
  expect(ben.config.apiKey).toBe(benAccount.apiKey);
});

test('server settings, profile and users', async () => {
  expect(ok(await ann.server.settings()).zulip_feature_level).toBe(421);
  expect(ok(await ann.users.me.getProfile()).user_id).toBe(annAccount.userId);
  const emails = ok(await ann.users.retrieve({ client_gravatar: true })).members.map(({ email }: any) => email);
  expect(emails).toEqual(expect.arrayContaining([annAccount.email, benAccount.email]));
  const owner = await zulipInit({ username: server.owner.email, apiKey: server.owner.apiKey, realm: server.url });
  const account = { email: 'cleo@example.test', password: 'a good long password', full_name: 'Cleo Cole' };
  expect(ok(await owner.users.create(account)).user_id).toBeGreaterThan(0);
});

describe('a conversation', () => {
  let queue: { queue_id: string; last_event_id: number };
  let first: number;

  /** The next events, from as many polls as they need: what one client waits for may come in several answers. */
  const events = async (count: number): Promise<any[]> => {
    const received: any[] = [];
    while (received.length < count) {
      const answer = ok(await ben.events.retrieve({ ...queue, dont_block: false }));
      const fresh = answer.events.filter(({ type }: any) => type !== 'heartbeat');
      received.push(...fresh);
      for (const { id } of answer.events) queue.last_event_id = Math.max(queue.last_event_id, id);
    }
    return received;
  };

  test('begins with a channel, to which others are added', async () => {
    const created = await ann.users.me.subscriptions.add({
      subscriptions: JSON.stringify([{ name: 'js', description: 'From a script' }]),
      principals: JSON.stringify([annAccount.userId, benAccount.userId]),
    });
    expect(ok(created).subscribed).toEqual({ [annAccount.userId]: ['js'], [benAccount.userId]: ['js'] });
    const names = ok(await ben.streams.subscriptions.retrieve()).subscriptions.map(({ name }: any) => name);
    expect(names).toContain('js');
    expect(ok(await ben.streams.retrieve({ include_public: true })).streams.length).toBeGreaterThan(1);
  });

  test('is listened to', async () => {
    const { queue_id, last_event_id } = ok(await ben.queues.register({ apply_markdown: 'false' }));
    queue = { queue_id, last_event_id };
    const waiting = events(1);
    const sent = ok(await ann.messages.send({ to: 'js', type: 'stream', subject: 'hi', content: 'Hello **you**' }));
    first = sent.id;
    const [event] = await waiting;
    expect(event).toMatchObject({ type: 'message', message: { id: first, content: 'Hello **you**', subject: 'hi' } });
  });

  test('goes on in private', async () => {
    const { id } = ok(await ben.messages.send({ to: annAccount.email, type: 'private', content: 'psst' }));
    const group = ok(
      await ben.messages.send({ to: [annAccount.userId, benAccount.userId], type: 'direct', content: 'both' }),
    );
    expect((await events(2)).map(({ message }) => message?.id)).toEqual([id, group.id]);
    const narrow = [{ operator: 'dm', operand: [benAccount.userId] }];
    const found = ok(await ann.messages.retrieve({ anchor: 'newest', num_before: 10, num_after: 0, narrow }));
    expect(found.messages.map((message: any) => message.id)).toEqual([id, group.id]);
  });

  test('is seen coming', async () => {
    ok(await ann.typing.send({ op: 'start', to: [benAccount.userId] }));
    ok(await ann.typing.send({ op: 'stop', to: [annAccount.userId, benAccount.userId] }));
    const sender = { user_id: annAccount.userId, email: annAccount.email };
    const typing = { type: 'typing', message_type: 'direct', sender };
    expect(await events(2)).toMatchObject([
      { ...typing, op: 'start' },
      { ...typing, op: 'stop' },
    ]);
  });

  test('is read back', async () => {
    const found = await ann.messages.retrieve({
      anchor: 1_000_000_000,
      num_before: 100,
      num_after: 0,
      narrow: [{ operator: 'stream', operand: 'js' }],
    });
    expect(ok(found).messages.map(({ id }: any) => id)).toEqual([first]);
    expect(ok(await ben.messages.getById({ message_id: first })).message.content).toBe(
      '<p>Hello <strong>you</strong></p>',
    );
    const { stream_id } = ok(await ben.streams.getStreamId('js'));
    const { topics } = ok(await ben.streams.topics.retrieve({ stream_id }));
    expect(topics).toEqual([{ name: 'hi', max_id: first }]);
  });

  test('is edited, moved and looked up', async () => {
    ok(await ann.messages.update({ message_id: first, content: 'Hello again' }));
    ok(await ben.messages.update({ message_id: first, topic: 'moved', propagate_mode: 'change_all' }));
    const { message_history } = ok(await ben.messages.getHistoryById({ message_id: first }));
    expect(message_history.map(({ topic, content }: any) => [topic, content])).toEqual([
      ['hi', 'Hello **you**'],
      ['hi', 'Hello again'],
      ['moved', 'Hello again'],
    ]);
    // The move is announced in the topic.
    const types = (await events(3)).map(({ type }) => type);
    expect(types).toEqual(['update_message', 'update_message', 'message']);
  });

  test('gets reactions and flags', async () => {
    const reaction = { message_id: first, emoji_name: 'tada' };
    ok(await ben.reactions.add(reaction));
    ok(await ben.reactions.remove({ ...reaction, emoji_code: '1f389', reaction_type: 'unicode_emoji' }));
    ok(await ben.reactions.add(reaction));
    ok(await ben.messages.deleteReactionById({ message_id: first, emoji_name: 'tada' }));
    expect(ok(await ben.messages.flags.add({ flag: 'starred', messages: [first] })).messages).toEqual([first]);
    expect(ok(await ben.messages.getById({ message_id: first })).message.flags).toContain('starred');
    ok(await ben.messages.flags.remove({ flag: 'starred', messages: [first] }));
    const types = (await events(6)).map(({ type, op }) => `${type}/${op}`);
    expect(types).toEqual([
      ...['reaction/add', 'reaction/remove', 'reaction/add', 'reaction/remove'],
      ...['update_message_flags/add', 'update_message_flags/remove'],
    ]);
  });

  test('has a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'scrollback-zulip-js-'));
    try {
      writeFileSync(join(folder, 'notes.txt'), 'Bread and butter');
      const file = createReadStream(join(folder, 'notes.txt'));
      const { url } = ok(await ann.callEndpoint('/user_uploads', 'POST', { file }));
      ok(await ann.messages.send({ to: 'js', type: 'stream', subject: 'files', content: `[notes.txt](${url})` }));
      expect((await events(1)).map(({ type }) => type)).toEqual(['message']);
      const authorization = `Basic ${btoa(`${benAccount.email}:${benAccount.apiKey}`)}`;
      const opened = await fetch(`${server.url}${url}`, { headers: { authorization } });
      expect([opened.status, await opened.text()]).toEqual([200, 'Bread and butter']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('ends', async () => {
    ok(await ann.messages.deleteById({ message_id: first }));
    // It was the channel's oldest.
    expect((await events(2)).map(({ type }) => type)).toEqual(['delete_message', 'stream']);
    const left = ok(await ben.users.me.subscriptions.remove({ subscriptions: JSON.stringify(['js']) }));
    expect(left.removed).toEqual(['js']);
    ok(await ben.queues.deregister({ queue_id: queue.queue_id }));
    const gone = await ben.events.retrieve({ ...queue, dont_block: true });
    expect(gone).toMatchObject({ result: 'error', code: 'BAD_EVENT_QUEUE_ID' });
  });
});

test('what the server does not have is an error that can be read', async () => {
  expect(ok(await ann.filters.retrieve()).filters).toEqual([]);
  for (const answer of [await ann.users.me.pointer.retrieve(), await ann.callEndpoint('/no/such')])
    expect(answer).toMatchObject({ result: 'error', code: expect.any(String) });
  expectRefusal(await annAccount.call('GET', '/no/such'), 'BAD_REQUEST', 404);
});
