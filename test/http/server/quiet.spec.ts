/** Copies of a server, and the first start of a release: what QUIET and READ_ONLY keep from happening. */
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { runCommand } from '../../../apps/cli/src/command-line.js';
import { until } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import { letAudit } from '../../support/audit.js';
import type { ApiClient } from '../../support/client.js';
import { later } from '../../support/later.js';
import { PushBouncer } from '../../support/push-bouncer.js';
import { startTestServer, type TestServer } from '../../support/server.js';

/** More than any timer and any work takes to be found due: they are looked for twice a second. */
const TURNS = 8;

/** Counts who connects and what is said, and answers nothing. */
class Ear {
  connections = 0;
  bytes = 0;
  readonly #server: Server = createServer((socket) => {
    this.connections++;
    socket.on('data', (chunk) => (this.bytes += chunk.length)).on('error', () => undefined);
    // Mail servers speak first.
    socket.end('421 later\r\n');
  });

  async listen(): Promise<number> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
  }
}

const [smtp, service] = [new Ear(), new Ear()];
const environment: Record<string, string> = {};
let bouncer: PushBouncer;
let server: TestServer;
let ann: ApiClient;
/** Made before the copy. */
let archive: { readonly id: number; readonly export_url: string | null };

beforeAll(async () => {
  bouncer = await PushBouncer.start();
  const [smtpPort, servicePort] = [await smtp.listen(), await service.listen()];
  Object.assign(environment, {
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    PUSH_BOUNCER_URL: bouncer.url,
    WEBHOOK_HOSTS: '127.0.0.1',
    WEBHOOK_NETWORKS: '127.0.0.0/8',
  });
  server = await startTestServer(environment);
  ann = await server.user('Ann Archer');
  ann.userId = (await ann.ok('GET', '/users/me')).user_id;
  await ann.ok('POST', '/users/me/android_gcm_reg_id', { token: 'a-token-of-a-device' });
  const { user_id: botId } = await server.owner.ok('POST', '/bots', {
    full_name: 'Caller',
    short_name: 'caller',
    bot_type: 3,
    payload_url: JSON.stringify(`http://127.0.0.1:${servicePort}/`),
    interface_type: 1,
  });
  await letAudit(server.owner, ann);
  const exported = await server.owner.ok('POST', '/export/realm', { export_type: 1 });
  await until(async () => {
    archive = (await server.owner.ok('GET', '/export/realm')).exports.find(
      ({ id }: { id: number }) => id === exported.id,
    );
    return archive.export_url !== null;
  });
  // What a busy server has to do when it is copied: it stops before any of it is due.
  environment['QUIET'] = 'on';
  await server.restart();
  await server.owner.ok('POST', '/messages', { type: 'direct', to: [botId], content: 'call' });
  await server.owner.sendTo([ann], 'a word for a device');
  await server.owner.ok('POST', '/invites', {
    invitee_emails: 'cleo@example.test',
    stream_ids: [],
    invite_expires_in_minutes: null,
  });
  await server.owner.ok('POST', '/scheduled_messages', {
    type: 'direct',
    to: [ann.userId],
    content: 'scheduled',
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3_600,
  });
});
afterAll(async () => {
  await server.stop();
  await bouncer.stop();
  for (const ear of [smtp, service]) ear.close();
});

const outgoing = () => ({
  mail: smtp.connections,
  calls: service.connections,
  pushes: bouncer.requests.length,
});
const contents = async (): Promise<string[]> => {
  const { messages } = await ann.ok('GET', '/messages', { anchor: 'newest', num_before: 20, num_after: 0 });
  return messages.map(({ content }: { content: string }) => content);
};
const position = async (): Promise<number> => (await server.owner.ok('GET', '/operator/projections')).position;
/** What the doctor says of the settings. */
const doubts = async (): Promise<string[]> =>
  (await server.owner.ok('GET', '/operator/doctor')).checks
    .filter(({ name }: { name: string }) => name === 'settings')
    .map(({ text }: { text: string }) => text);
/** Long enough for what would act by itself, at a time at which all is due. */
const turns = (): Promise<void> =>
  later(3_601, async () => {
    const atMs = Date.now() + 2_000;
    for (let turn = 0; turn < TURNS || Date.now() < atMs; turn++) {
      await ann.ok('GET', '/users/me');
      await new Promise((next) => setTimeout(next, 250));
    }
  });

async function scrollback(...args: string[]): Promise<string> {
  const out: string[] = [];
  await runCommand([...args, '--data', server.dataDir], {
    environment: {},
    print: (line) => void out.push(line),
    tell: (line) => void out.push(line),
    onInterrupt: () => undefined,
  });
  return out.join('\n');
}

test('a quiet server sends nothing, and keeps what is due', async () => {
  // On shared stores the status is that of the last two seconds.
  await turns();
  const before = await position();
  await turns();
  expect(outgoing()).toEqual({ mail: 0, calls: 0, pushes: 0 });
  expect(smtp.bytes + service.bytes).toBe(0);
  expect(await contents()).not.toContain('<p>scheduled</p>');
  expect(await position()).toBe(before);
  expect(await doubts()).toContainEqual(expect.stringMatching(/^QUIET is on: /));
});

test('a quiet server says that it tries nothing, not that it does', async () => {
  const { pending } = await server.owner.ok('GET', '/operator/pending', { kind: 'mail' });
  const due = await server.owner.call('POST', `/operator/pending/mail/${pending[0].id}/retry`);
  expectRefusal(due, 'BAD_REQUEST', 400);
  expect(due.body.msg).toContain('waits for a start without QUIET');
  expect(await server.owner.ok('POST', '/operator/pending/mail/retry')).toMatchObject({
    retried: 0,
    under_way: pending.length,
    is_quiet: true,
  });
  expect((await server.owner.ok('POST', '/operator/pending/follow-up/retry')).is_quiet).toBe(false);
  const [QUIET, to] = ['This server is quiet: nothing is sent or tried until it starts without QUIET.', ann.email];
  expect(await scrollback('pending', 'retry', 'mail')).toBe(`Due now: 0. Due already: ${pending.length}. ${QUIET}`);
  expect(await scrollback('users', 'reset-password', to, '--mail')).toBe(`A mail to ${to} has the link. ${QUIET}`);
  expect(await scrollback('users', 'invite', 'dora@example.test')).toBe(`Invited: 1. ${QUIET}`);
});

test('a quiet server deletes an export, and keeps its content, which may be of the server in use', async () => {
  const before = server.files.names();
  expect(before).not.toEqual([]);
  await server.owner.ok('DELETE', `/export/realm/${archive.id}`);
  const { exports: left } = await server.owner.ok('GET', '/export/realm');
  expect(left).toEqual([expect.objectContaining({ id: archive.id, deleted_timestamp: expect.any(Number) })]);
  expect(server.files.names()).toEqual(before);
});

test('an export that waits is listed, and has failed once it is given up', async () => {
  const { id } = await server.owner.ok('POST', '/export/realm', { export_type: 1 });
  const path = `/operator/pending/export/${id}`;
  const pending = async (): Promise<any[]> =>
    (await server.owner.ok('GET', '/operator/pending', { kind: 'export' })).pending;
  await until(async () => (await pending()).length === 1);
  expect(await pending()).toEqual([
    expect.objectContaining({ id: String(id), what: 'public archive', attempts: 0, reason: null }),
  ]);
  const retried = await server.owner.call('POST', `${path}/retry`);
  expectRefusal(retried, 'BAD_REQUEST', 400);
  expect(retried.body.msg).toContain('waits for a start without QUIET');
  await server.owner.ok('POST', `${path}/drop`, { reason: 'Nobody waits for it.' });
  await until(async () => (await pending()).length === 0);
  const { exports: left } = await server.owner.ok('GET', '/export/realm');
  expect(left.find((one: { id: number }) => one.id === id)).toMatchObject({
    pending: false,
    failed_timestamp: expect.any(Number),
    export_url: null,
  });
  expect(await server.rawLog()).toContain('Nobody waits for it.');
  for (const verb of ['drop', 'retry'])
    expectRefusal(await server.owner.call('POST', `${path}/${verb}`, { reason: 'Again.' }), 'BAD_REQUEST', 404);
});

test('a server that only answers questions records nothing, whoever asks for what', async () => {
  environment['READ_ONLY'] = 'on';
  delete environment['QUIET'];
  await server.restart();
  const before = await position();
  const { queue_id, last_event_id } = await ann.ok('POST', '/register', { event_types: ['message'] });
  await ann.ok('GET', '/events', { queue_id, last_event_id, dont_block: true }).catch(() => undefined);
  expect((await contents()).length).toBeGreaterThan(0);
  expect(await ann.ok('POST', '/messages/render', { content: '*text*' })).toMatchObject({
    rendered: '<p><em>text</em></p>',
  });
  const linkifier = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.test/{id}', content: '#1' };
  expect((await server.owner.ok('POST', '/realm/linkifiers/try', linkifier)).links).toHaveLength(1);
  for (const [method, path, parameters] of [
    ['POST', '/messages', { type: 'direct', to: [ann.userId], content: 'no' }],
    ['PATCH', '/realm', { name: 'Other' }],
    ['POST', '/users/me/presence', { status: 'active' }],
    ['POST', '/messages/flags', { messages: [1], op: 'add', flag: 'read' }],
    ['DELETE', '/users/me', {}],
    ['POST', '/typing', { op: 'start', to: [ann.userId] }],
    ['POST', '/audit/requests', {}],
  ] as const)
    expectRefusal(await ann.call(method, path, parameters), 'READ_ONLY', 403);
  for (const path of ['requests', 'requests/1/approve', 'nothing']) {
    const unknown = await server.owner.call('POST', `/other/${path}`, { reason: 'x' });
    expect(unknown.status).toBe(404);
    const { status, body } = await server.owner.call('POST', `/audit/${path}`, { reason: 'x' });
    expect([path, status, body]).toEqual([path, 404, unknown.body]);
  }
  await ann.ok('DELETE', '/events', { queue_id });
  await server.owner.ok('POST', '/operator/projections/messages/rebuild');
  expect((await doubts()).filter((text) => /QUIET|READ_ONLY/.test(text))).toEqual([
    'READ_ONLY is on: nothing is recorded, and what is due waits.',
  ]);
  await turns();
  expect(await position()).toBe(before);
  expect(outgoing()).toEqual({ mail: 0, calls: 0, pushes: 0 });
});

test('a server that only answers questions does not start on an empty log', async () => {
  await expect(startTestServer({ READ_ONLY: 'on' })).rejects.toThrow(
    'READ_ONLY=on needs a log that has an organization',
  );
});

test('what was due is done by a start without them', async () => {
  delete environment['READ_ONLY'];
  await server.restart();
  await until(() => smtp.connections > 0 && service.connections > 0 && bouncer.requests.length > 0);
  await later(3_601, () => until(async () => (await contents()).includes('<p>scheduled</p>')));
});
