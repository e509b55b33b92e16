/** Outgoing webhook bots call their services, over real sockets. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { until } from '#testing';
import { messageOf, messagesIn } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { later } from '../../support/later.js';
import { startTestServer, type TestServer } from '../../support/server.js';

interface Call {
  readonly path: string;
  readonly type: string | undefined;
  readonly text: string;
}

let server: TestServer;
let ann: ApiClient;
let ben: ApiClient;
let service: Server;
let origin: string;
const calls: Call[] = [];

/** Calls that are not answered, now and at most. */
let [stalling, mostStalling] = [0, 0];

const POLL = { widget_type: 'poll', extra_data: { question: 'Q', options: ['a', 'b'] } };

/** What the service answers by its path. */
const ANSWERS: Record<string, (response: ServerResponse, count: number) => void> = {
  '/hello': (response) => response.end(JSON.stringify({ content: 'Hello *you*' })),
  '/old': (response) => response.end(JSON.stringify({ response_string: 'An older word' })),
  '/silent': (response) => response.end(JSON.stringify({ response_not_required: true, content: 'not said' })),
  '/poll': (response) => response.end(JSON.stringify({ content: 'Vote', widget_content: POLL })),
  '/poll-text': (response) => response.end(JSON.stringify({ content: 'Vote', widget_content: JSON.stringify(POLL) })),
  '/bad-poll': (response) =>
    response.end(JSON.stringify({ content: 'Vote', widget_content: { ...POLL, widget_type: 'dance' } })),
  '/blank': (response) => response.end(JSON.stringify({ content: ' ' })),
  '/slack': (response) => response.end(JSON.stringify({ text: 'From Slack' })),
  '/html': (response) => response.end('<html>'),
  '/list': (response) => response.end('[]'),
  '/refuse': (response) => response.writeHead(403).end('{}'),
  '/moved': (response) => response.writeHead(302, { location: `${origin}/hello` }).end(),
  '/flaky': (response, count) =>
    response.writeHead(count === 1 ? 503 : 200).end(JSON.stringify({ content: 'At last' })),
  '/stall': (response) => {
    mostStalling = Math.max(mostStalling, ++stalling);
    response.once('close', () => stalling--);
  },
  '/cut': (response) => response.socket?.destroy(),
  '/huge': (response) => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    let sent = 0;
    const more = (): void => {
      while (sent < 100 && !response.destroyed) {
        sent++;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  },
};

beforeAll(async () => {
  service = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const path = request.url ?? '';
      calls.push({ path, type: request.headers['content-type'], text });
      ANSWERS[path]?.(response, callsAt(path).length);
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(service.address() as { port: number }).port}`;
  server = await startTestServer({
    WEBHOOK_HOSTS: '127.0.0.1,10.0.0.1',
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    WEBHOOK_TIMEOUT_SECONDS: '1',
  });
  ann = await server.user('Ann Archer');
  ben = await server.user('Ben Baker');
  await ann.subscribe('den');
  await ben.subscribe('den');
});
afterAll(async () => {
  await server.stop();
  service.closeAllConnections();
  service.close();
});

const callsAt = (path: string): readonly Call[] => calls.filter((call) => call.path === path);
let bots = 0;

async function botAt(path: string, more: Record<string, unknown> = {}): Promise<{ id: number; name: string }> {
  const name = `Bot ${++bots}`;
  const url = path.startsWith('/') ? `${origin}${path}` : path;
  const asked = { full_name: name, short_name: `bot${bots}`, bot_type: 3, payload_url: JSON.stringify(url), ...more };
  return { id: (await ann.ok('POST', '/bots', asked)).user_id, name };
}

const fromBot = async (client: ApiClient, narrow: unknown, botId: number): Promise<any[]> =>
  (await messagesIn(client, narrow, { apply_markdown: false })).filter(({ sender_id }) => sender_id === botId);
const direct = (...ids: number[]): unknown => [{ operator: 'dm', operand: ids }];
const topic = (name: string): unknown => [
  { operator: 'channel', operand: 'den' },
  { operator: 'topic', operand: name },
];

/** What the bot says there, as soon as it says something. */
async function said(client: ApiClient, narrow: unknown, botId: number): Promise<any> {
  await until(async () => (await fromBot(client, narrow, botId)).length > 0);
  const messages = await fromBot(client, narrow, botId);
  expect(messages).toHaveLength(1);
  return messages[0];
}

test('a direct message is sent to the service, whose answer the bot says', async () => {
  const bot = await botAt('/hello', { service_name: 'greeter' });
  const id = await ben.sendTo([bot.id], 'Good **morning**');
  expect(await said(ben, direct(bot.id), bot.id)).toMatchObject({
    content: 'Hello *you*',
    type: 'private',
    client: 'OutgoingWebhookResponse',
  });
  const [call, ...more] = callsAt('/hello');
  expect([call?.type, more]).toEqual(['application/json', []]);
  const { realm_bots } = (await ann.register({ fetch_event_types: ['realm_bot'] })).state;
  const { token } = realm_bots.find(({ user_id }: any) => user_id === bot.id).services[0];
  const botMessage = await messageOf(ben, id, { apply_markdown: false, client_gravatar: false });
  const { flags: _, ...message } = botMessage;
  expect(JSON.parse(call!.text)).toEqual({
    data: 'Good **morning**',
    message: { ...message, rendered_content: '<p>Good <strong>morning</strong></p>' },
    bot_email: expect.stringMatching(/^bot\d+-bot@/),
    bot_full_name: bot.name,
    token,
    trigger: 'direct_message',
  });
});

test('in a channel it is called when it is mentioned by name, and answers in the topic', async () => {
  const bot = await botAt('/old');
  await ben.send('den', 'quiet', 'Nothing for a bot');
  await ben.send('den', 'quiet', `@_**${bot.name}** is named silently`);
  await ben.send('den', 'loud', `@**${bot.name}** hello`);
  expect(await said(ann, topic('loud'), bot.id)).toMatchObject({ content: 'An older word', subject: 'loud' });
  expect(callsAt('/old').map(({ text }) => JSON.parse(text).trigger)).toEqual(['mention']);
  expect(await fromBot(ann, topic('quiet'), bot.id)).toEqual([]);
});

test("in Slack's form, for channels alone", async () => {
  const bot = await botAt('/slack', { interface_type: 2 });
  const id = await ben.send('den', 'slack', `@**${bot.name}** hello`);
  expect(await said(ann, topic('slack'), bot.id)).toMatchObject({ content: 'From Slack' });
  const [call] = callsAt('/slack');
  expect(call?.type).toBe('application/x-www-form-urlencoded');
  const form = Object.fromEntries(new URLSearchParams(call?.text));
  expect(form).toMatchObject({
    token: expect.stringMatching(/./),
    channel_name: 'den',
    thread_ts: String(id),
    user_id: `U${ben.userId}`,
    user_name: ben.fullName,
    text: `@**${bot.name}** hello`,
    trigger_word: 'mention',
    service_id: String(bot.id),
  });
  await ben.sendTo([bot.id], 'hello');
  expect((await said(ann, direct(bot.id), bot.id)).content).toContain('no direct messages');
});

test.each(['/poll', '/poll-text'])('%s: a service may ask for a widget', async (path) => {
  const bot = await botAt(path);
  const queue = await ben.register({ event_types: JSON.stringify(['message', 'submessage']) });
  await ben.sendTo([bot.id], 'hello');
  const message = await said(ben, direct(bot.id), bot.id);
  const widget = { sender_id: bot.id, msg_type: 'widget', content: JSON.stringify(POLL) };
  expect(message).toMatchObject({ content: 'Vote', submessages: [{ ...widget, message_id: message.id }] });
  const told: any[] = [];
  await until(async () => {
    told.push(...(await queue.pending()).filter((event) => event.message?.sender_id === bot.id));
    return told.length > 0;
  });
  expect(told[0].message.submessages).toEqual(message.submessages);
  const vote = { message_id: message.id, msg_type: 'widget', content: '{"type":"vote","key":"canned,0","vote":1}' };
  await ben.ok('POST', '/submessage', vote);
  await server.restart();
  expect((await messageOf(ben, message.id)).submessages).toHaveLength(2);
});

test('a widget that is not valid is left out', async () => {
  const bot = await botAt('/bad-poll');
  await ben.sendTo([bot.id], 'hello');
  expect(await said(ben, direct(bot.id), bot.id)).toMatchObject({ content: 'Vote', submessages: [] });
  expect(await fromBot(ann, direct(bot.id), bot.id)).toEqual([]);
});

test('what bots say, and edits, call no service', async () => {
  const bot = await botAt('/silent');
  const { user_id, api_key } = await ann.ok('POST', '/bots', { full_name: 'Parrot', short_name: 'parrot' });
  const parrot = ann.at(() => server.url);
  const { members } = await ann.ok('GET', '/users', { user_ids: [user_id] });
  Object.assign(parrot, { email: members[0].email, apiKey: api_key });
  await parrot.sendTo([bot.id], 'Polly');
  const id = await ben.send('den', 'edits', 'first');
  await ben.ok('PATCH', `/messages/${id}`, { content: `@**${bot.name}**` });
  await ben.sendTo([bot.id], 'the only one');
  await until(() => callsAt('/silent').length > 0);
  expect(callsAt('/silent').map(({ text }) => JSON.parse(text).data)).toEqual(['the only one']);
});

test.each(['/silent', '/blank'])('%s: a service may have nothing to say', async (path) => {
  const bot = await botAt(path);
  const before = callsAt(path).length;
  await ben.sendTo([bot.id], 'hello');
  await until(() => callsAt(path).length > before);
  const after = await botAt('/hello');
  await ben.sendTo([after.id], 'hello');
  await said(ben, direct(after.id), after.id);
  expect(await fromBot(ben, direct(bot.id), bot.id)).toEqual([]);
  expect(await fromBot(ann, direct(bot.id), bot.id)).toEqual([]);
});

test.each([
  ['/html', 'no JSON'],
  ['/list', 'no object'],
  ['/refuse', 'status 403'],
  ['/moved', 'status 302'],
  ['/huge', 'larger than 256 KiB'],
  ['http://10.0.0.1/x', 'in a network that this server may not call'],
  ['http://evil.test/', 'may not call evil.test'],
])('%s: the owner is told', async (path, text) => {
  const bot = await botAt(path);
  const before = callsAt(path).length;
  const id = await ben.sendTo([bot.id], 'hello');
  const told = await said(ann, direct(bot.id), bot.id);
  expect(told.content).toContain(`Message ${id} to your bot @_**${bot.name}|${bot.id}**`);
  expect(told.content).toContain(text);
  expect(await fromBot(ben, direct(bot.id), bot.id)).toEqual([]);
  if (path.startsWith('/')) expect(callsAt(path)).toHaveLength(before + 1);
});

test('a service that fails is called again, and what it says then counts', async () => {
  const bot = await botAt('/flaky');
  await ben.sendTo([bot.id], 'hello');
  expect((await said(ben, direct(bot.id), bot.id)).content).toBe('At last');
  expect(callsAt('/flaky')).toHaveLength(2);
});

test('services that stall or hang up keep nobody waiting', async () => {
  const staller = await botAt('/stall');
  const cutting = await botAt('/cut');
  for (let count = 0; count < 20; count++) await ben.sendTo([staller.id], `hello ${count}`);
  await ben.sendTo([cutting.id], 'hello');
  const bot = await botAt('/hello');
  await ben.sendTo([bot.id], 'hello');
  expect((await said(ben, direct(bot.id), bot.id)).content).toBe('Hello *you*');
  // One bot has four calls at a time.
  expect(mostStalling).toBe(4);
});

test('a call that was claimed or waits when the server ends is made after the next start', async () => {
  const bot = await botAt('/flaky2');
  ANSWERS['/flaky2'] = (response, count) => {
    if (count > 1) response.end(JSON.stringify({ content: 'After the restart' }));
    else response.writeHead(503).end();
  };
  await ben.sendTo([bot.id], 'hello');
  await until(() => callsAt('/flaky2').length === 1);
  await server.restart();
  // The claim of the process that ended lasts as long as a call may take.
  const told = await later(20, () => said(ben, direct(bot.id), bot.id));
  expect(told.content).toBe('After the restart');
});
