/** Pending work: what waits or failed, with its reasons; the operator has it tried again, or gives it up. */
import { createServer, type Server } from 'node:http';
import { until } from '#testing';
import { expectRefusal, messagesIn } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { later } from '../../support/later.js';
import { MailServer } from '../../support/mail-server.js';
import { OperatorCalls } from '../../support/operator.js';
import { channelOf } from '../../support/people.js';
import { PushBouncer } from '../../support/push-bouncer.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const lines: string[] = [];
let server: TestServer;
let operator: OperatorCalls;
let ann: ApiClient, ben: ApiClient;
let service: Server;
let bouncer: PushBouncer;
let origin: string;
let mailPort: number;
let isServiceWell = false;

beforeAll(async () => {
  service = createServer((request, response) => {
    request.resume();
    response.writeHead(isServiceWell ? 200 : 503).end(JSON.stringify({ content: 'At last' }));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(service.address() as { port: number }).port}`;
  bouncer = await PushBouncer.start();
  const mails = await MailServer.start();
  mailPort = mails.port;
  await mails.stop();
  const environment = {
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    PUSH_BOUNCER_URL: bouncer.url,
    WEBHOOK_HOSTS: '127.0.0.1',
    WEBHOOK_NETWORKS: '127.0.0.0/8',
  };
  server = await startTestServer(environment, (line) => void lines.push(line));
  operator = new OperatorCalls(server);
  ann = await server.user('Ann Archer');
  ben = await server.user('Ben Baker');
});
afterAll(async () => {
  await server.stop();
  await bouncer.stop();
  service.closeAllConnections();
  service.close();
});

const pending = async (kind: string): Promise<any[]> => (await operator.ok('GET', 'pending', { kind })).pending;
const pathOf = ({ kind, id }: any): string => `pending/${kind}/${encodeURIComponent(id)}`;

/** The first item of the kind, as soon as an attempt has failed. */
async function failed(kind: string): Promise<any> {
  await until(async () => (await pending(kind)).some(({ attempts }) => attempts > 0));
  return (await pending(kind)).find(({ attempts }) => attempts > 0);
}

const linesWith = (text: string): any[] => lines.filter((line) => line.includes(text)).map((line) => JSON.parse(line));

test('a mail that the mail server has not taken is listed, and sent as soon as somebody asks', async () => {
  const gone = await server.user('Gone Gina');
  await server.owner.ok('DELETE', `/users/${gone.userId}`, { deactivation_notification_comment: 'Bye.' });
  const item = await failed('mail');
  expect(item).toMatchObject({ kind: 'mail', what: 'account-deactivated', attempts: 1, reason: expect.any(String) });
  expect(item.next_at).toBeGreaterThan(item.since);
  const { history } = await operator.ok('GET', pathOf(item));
  expect(history.map(({ type }: any) => type)).toEqual(['mail.queued.v1', 'mail.postponed.v1']);
  expect(history[1].reason).toBe(item.reason);
  const mails = await MailServer.start({}, mailPort);
  try {
    await operator.ok('POST', `${pathOf(item)}/retry`);
    await until(() => mails.taken.length === 1);
    await until(async () => (await pending('mail')).length === 0);
  } finally {
    await mails.stop();
  }
  expectRefusal(await operator.call('POST', `${pathOf(item)}/retry`), 'BAD_REQUEST', 404);
});

test('a mail that is given up is not sent, and the log says why', async () => {
  const gone = await server.user('Gone Gerd');
  await server.owner.ok('DELETE', `/users/${gone.userId}`, { deactivation_notification_comment: 'Bye.' });
  const item = await failed('mail');
  expectRefusal(await operator.call('POST', `${pathOf(item)}/drop`), 'REQUEST_VARIABLE_MISSING', 400);
  expectRefusal(await operator.call('POST', `${pathOf(item)}/drop`, { reason: '' }), 'BAD_REQUEST', 400);
  await operator.ok('POST', `${pathOf(item)}/drop`, { reason: 'The address is gone.' });
  expect(await pending('mail')).toEqual([]);
  expect(await server.rawLog()).toContain('The address is gone.');
  expectRefusal(await operator.call('GET', pathOf(item)), 'BAD_REQUEST', 404);
});

async function botOf(owner: ApiClient): Promise<number> {
  const asked = { full_name: 'Slow Bot', short_name: 'slow', bot_type: 3, payload_url: JSON.stringify(`${origin}/x`) };
  return (await owner.ok('POST', '/bots', asked)).user_id;
}

test('a call that failed has its reason, in the list and once a minute in the log', async () => {
  const bot = await botOf(ann);
  await ben.sendTo([bot], 'one');
  await ben.sendTo([bot], 'two');
  await until(async () => (await pending('webhook')).filter(({ attempts }) => attempts > 0).length === 2);
  const items = await pending('webhook');
  for (const item of items)
    expect(item).toMatchObject({
      what: expect.stringMatching(/^message \d+, bot Slow Bot$/),
      reason: expect.stringContaining('503'),
    });
  const told = linesWith('Work in the background has failed').filter(({ kind }) => kind === 'webhook');
  expect(told).toEqual([
    expect.objectContaining({ target: new URL(origin).host, reason: 'The service answered with status 503.' }),
  ]);
  await operator.ok('POST', `${pathOf(items[0])}/drop`, { reason: 'It hangs.' });
  const narrow = [{ operator: 'dm', operand: [bot] }];
  await until(async () => {
    const messages = await messagesIn(ann, narrow, { apply_markdown: false });
    return messages.some(({ content }) =>
      content.includes('The operator of the server has dropped the call: It hangs.'),
    );
  });
  isServiceWell = true;
  await operator.call('POST', `${pathOf(items[1])}/retry`);
  await until(async () => {
    const messages = await messagesIn(ben, narrow, { apply_markdown: false });
    return messages.some(({ content }) => content === 'At last');
  });
  await until(async () => (await pending('webhook')).length === 0);
  isServiceWell = false;
  await ben.sendTo([bot], 'three');
  // Attempts that the operator asks for count as well.
  await until(async () => {
    const [item] = await pending('webhook');
    if (item !== undefined) await operator.call('POST', `${pathOf(item)}/retry`);
    return linesWith('Work in the background is given up').length > 0;
  });
  expect(linesWith('Work in the background is given up')).toEqual([
    expect.objectContaining({ kind: 'webhook', target: new URL(origin).host, reason: told[0].reason }),
  ]);
  await until(async () => (await pending('webhook')).length === 0);
});

test('a notification that the push service has not taken is told again when it is asked for', async () => {
  await ben.ok('POST', '/users/me/apns_device_token', { token: 'ab'.repeat(32), appid: 'org.chat.App' });
  bouncer.answering = (_, response) => void response.writeHead(503).end();
  const id = await ann.sendTo([ben], 'hello');
  const item = await failed('push');
  expect(item).toMatchObject({ what: `message ${id}, users ${ben.userId}`, reason: expect.any(String) });
  bouncer.answering = undefined;
  bouncer.taken.clear();
  expect((await operator.ok('POST', 'pending/push/retry')).retried).toBeLessThanOrEqual(1);
  await until(() => bouncer.taken.size > 0);
  await until(async () => (await pending('push')).length === 0);
});

test('a registration that the push service has not taken is listed, tried again, and given up', async () => {
  const register = (push_account_id: number) =>
    ann.ok('POST', '/mobile_push/register', {
      token_kind: 'fcm',
      push_account_id,
      push_public_key: Buffer.alloc(32, 7).toString('base64'),
      bouncer_public_key: Buffer.alloc(32, 8).toString('base64'),
      encrypted_push_registration: Buffer.alloc(200, 9).toString('base64'),
    });
  const kind = 'push-registration';
  bouncer.answering = (_, response) => void response.writeHead(503).end();
  await register(71);
  await register(72);
  await until(async () => (await pending(kind)).filter(({ attempts }) => attempts > 0).length === 2);
  const [item, other] = (await pending(kind)).toSorted((a, b) => a.what.localeCompare(b.what));
  expect(item).toMatchObject({ what: `user ${ann.userId}, account 71`, reason: expect.stringContaining('503') });
  expect(item.next_at).toBeGreaterThan(item.since);
  const { history } = await operator.ok('GET', pathOf(other));
  expect(history.map(({ type }: any) => type).slice(0, 2)).toEqual([
    'push-registration.requested.v1',
    'push-registration.postponed.v1',
  ]);
  const told = linesWith('Work in the background has failed').find((line) => line.kind === kind);
  expect(told).toMatchObject({ target: 'the push service', reason: item.reason });
  await operator.ok('POST', `${pathOf(other)}/drop`, { reason: 'The phone is gone.' });
  expect(await server.rawLog()).toContain('The phone is gone.');
  bouncer.answering = undefined;
  await operator.call('POST', `${pathOf(item)}/retry`);
  await until(async () => (await pending(kind)).length === 0);
  const { state } = await ann.register({ fetch_event_types: ['push_device'] });
  expect(state.push_devices).toEqual({
    71: { status: 'active' },
    72: { status: 'failed', error_code: 'FAILED_TO_CONNECT_BOUNCER' },
  });
});

test('a scheduled message that could not be sent waits until it is asked for', async () => {
  const channel = await channelOf('annex', ann);
  const time = Math.floor(Date.now() / 1000) + 3_600;
  const message = { type: 'channel', to: channel, topic: 'plans', content: 'secret plan' };
  await ann.ok('POST', '/scheduled_messages', { ...message, scheduled_delivery_timestamp: time });
  await server.owner.ok('PATCH', `/streams/${channel}`, {
    can_send_message_group: JSON.stringify({ new: await nobody() }),
  });
  await later(3_600, () => until(async () => (await pending('scheduled')).length === 1));
  const [item] = await pending('scheduled');
  expect(item).toMatchObject({ attempts: 1, next_at: null, reason: expect.any(String) });
  expect(JSON.stringify(item)).not.toContain('secret plan');
  await server.owner.ok('PATCH', `/streams/${channel}`, {
    can_send_message_group: JSON.stringify({ new: await everyone() }),
  });
  await later(3_600, async () => {
    await operator.ok('POST', `${pathOf(item)}/retry`);
    await until(async () => (await ann.ok('GET', '/scheduled_messages')).scheduled_messages.length === 0);
    // Its notice is due by the clock of now.
    await until(async () => (await pending('push')).length === 0);
  });
  const narrow = [{ operator: 'channel', operand: channel }];
  expect((await messagesIn(ann, narrow, { apply_markdown: false })).map(({ content }) => content)).toContain(
    'secret plan',
  );
  expect(await pending('scheduled')).toEqual([]);
});

const groupNamed = async (name: string): Promise<number> =>
  (await operator.ok('GET', 'groups')).groups.find((group: any) => group.name === name).group_id;
const nobody = (): Promise<number> => groupNamed('role:nobody');
const everyone = (): Promise<number> => groupNamed('role:everyone');

test('the list tells kinds apart, is limited, and is for the operator and owners', async () => {
  for (const name of ['Gone Gil', 'Gone Greta']) {
    const { userId } = await server.user(name);
    await server.owner.ok('DELETE', `/users/${userId}`, { deactivation_notification_comment: 'Bye.' });
  }
  await until(async () => (await pending('mail')).length >= 2);
  const { pending: some, more_of } = await operator.ok('GET', 'pending', { limit: '1' });
  expect([some.map(({ kind }: any) => kind), more_of]).toEqual([['mail'], ['mail']]);
  await operator.ok('POST', 'pending/mail/retry');
  for (const item of await pending('mail')) await operator.ok('POST', `${pathOf(item)}/drop`, { reason: 'Enough.' });
  expectRefusal(await operator.call('GET', 'pending', { kind: 'letter' }), 'BAD_REQUEST', 400);
  for (const kind of ['mail', 'push', 'push-registration', 'webhook', 'follow-up', 'export', 'scheduled']) {
    expect(await pending(kind)).toEqual([]);
    expectRefusal(await operator.call('GET', `pending/${kind}/none`), 'BAD_REQUEST', 404);
    expectRefusal(await operator.call('POST', `pending/${kind}/none/drop`, { reason: 'x' }), 'BAD_REQUEST', 404);
  }
  await server.owner.ok('GET', '/operator/pending');
  expectRefusal(await ann.call('GET', '/operator/pending'), 'UNAUTHORIZED_PRINCIPAL');
  expectRefusal(await ann.call('POST', '/operator/pending/mail/retry'), 'UNAUTHORIZED_PRINCIPAL');
  expectRefusal(await ann.call('POST', '/operator/pending/mail/x/drop', { reason: 'x' }), 'UNAUTHORIZED_PRINCIPAL');
});
