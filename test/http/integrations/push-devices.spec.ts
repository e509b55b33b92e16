/** Devices for push notifications (endpoints.md §14). */
import { applyEvents, until } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { later } from '../../support/later.js';
import { json, jsonError, PushBouncer } from '../../support/push-bouncer.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { loadSodium } from '../../support/sodium.js';

const APPLE = '0a1B'.repeat(16);
const GOOGLE = 'cR7:APA91b-x_Y';
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const BLOB = base64(Buffer.alloc(100, 7));
const SERVICE_KEY = base64(Buffer.alloc(32, 9));
const bare = ({ id: _, ...event }: any): any => event;

let sodium: any;
let bouncer: PushBouncer;
let server: TestServer;
let ann: ApiClient, ben: ApiClient;
const lines: string[] = [];

beforeAll(async () => {
  sodium = await loadSodium();
  bouncer = await PushBouncer.start();
  server = await startTestServer({ PUSH_BOUNCER_URL: bouncer.url }, (line) => lines.push(line));
  ann = await server.user('Ann Archer');
  ben = await server.user('Ben Baker');
});
afterAll(async () => {
  await server.stop();
  await bouncer.stop();
});
afterEach(() => {
  bouncer.answering = undefined;
});

const fields = async (client: ApiClient): Promise<any> =>
  (await client.register({ fetch_event_types: ['push_device', 'device'] })).state;

describe('without a push service', () => {
  let bare: TestServer;
  beforeAll(async () => {
    bare = await startTestServer();
  });
  afterAll(() => bare.stop());

  test('devices by token are kept, and nothing can be sent', async () => {
    const { owner } = bare;
    const asked = { token_kind: 'fcm', push_account_id: 7, push_public_key: SERVICE_KEY };
    const whole = { ...asked, bouncer_public_key: SERVICE_KEY, encrypted_push_registration: BLOB };
    expectRefusal(await owner.call('POST', '/mobile_push/register', whole), 'PUSH_SERVICE_NOT_CONFIGURED');
    expectRefusal(await owner.call('POST', '/mobile_push/register', asked), 'REQUEST_VARIABLE_MISSING');
    expectRefusal(await owner.call('POST', '/mobile_push/e2ee/test_notification'), 'NO_ACTIVE_PUSH_DEVICE');
    expectRefusal(await owner.call('POST', '/mobile_push/test_notification'), 'BAD_REQUEST');
    expectRefusal(
      await owner.call('POST', '/mobile_push/test_notification', { token: GOOGLE }),
      'INVALID_PUSH_DEVICE_TOKEN',
    );
    await owner.ok('POST', '/users/me/android_gcm_reg_id', { token: GOOGLE });
    expectRefusal(await owner.call('POST', '/mobile_push/test_notification'), 'PUSH_SERVICE_NOT_CONFIGURED');
    const { state } = await owner.register({ fetch_event_types: ['realm'] });
    expect(state.realm_push_notifications_enabled).toBe(false);
    expect(await owner.ok('GET', '/server_settings')).toMatchObject({ push_notifications_enabled: false });
  });
});

test('the server says that it has a push service', async () => {
  const { state } = await ann.register({ fetch_event_types: ['realm'] });
  expect(state.realm_push_notifications_enabled).toBe(true);
  expect(await ann.ok('GET', '/server_settings')).toMatchObject({ push_notifications_enabled: true });
});

test('tokens are added and removed, on each path', async () => {
  const queue = await ann.register();
  for (const path of ['/users/me/apns_device_token', '/users/me/platformpush_device_token']) {
    await ann.ok('POST', path, { token: APPLE, appid: 'org.chat.App' });
    await ann.ok('POST', path, { token: APPLE, appid: 'org.chat.App' });
    await ann.ok('DELETE', path, { token: APPLE });
    expectRefusal(await ann.call('DELETE', path, { token: APPLE }), 'BAD_REQUEST');
    expectRefusal(await ann.call('POST', path, { token: '', appid: 'x' }), 'BAD_REQUEST');
    expectRefusal(await ann.call('POST', path, { token: 'a'.repeat(4097), appid: 'x' }), 'BAD_REQUEST');
    expectRefusal(await ann.call('POST', path, { token: 'xyz', appid: 'x' }), 'BAD_REQUEST');
    expectRefusal(await ann.call('POST', path, { token: APPLE, appid: '../x' }), 'BAD_REQUEST');
    expectRefusal(await ann.call('POST', path, { token: APPLE }), 'REQUEST_VARIABLE_MISSING');
  }
  const path = '/users/me/android_gcm_reg_id';
  await ann.ok('POST', path, { token: GOOGLE });
  expectRefusal(await ben.call('DELETE', path, { token: GOOGLE }), 'BAD_REQUEST');
  expectRefusal(await ann.call('POST', path, { token: '' }), 'BAD_REQUEST');
  expectRefusal(await ann.call('POST', path, {}), 'REQUEST_VARIABLE_MISSING');
  await ann.ok('DELETE', path, { token: GOOGLE });
  expect(await queue.pending()).toEqual([]);
});

test('a bot has no devices', async () => {
  const { user_id, api_key } = await ann.ok('POST', '/bots', { full_name: 'Bot', short_name: 'bot' });
  const { email } = (await ann.ok('GET', `/users/${user_id}`)).user;
  const bot = Object.assign(Object.create(Object.getPrototypeOf(ann)), ann, { email, apiKey: api_key }) as ApiClient;
  expectRefusal(await bot.call('POST', '/users/me/android_gcm_reg_id', { token: GOOGLE }), 'BAD_REQUEST');
  expectRefusal(await bot.call('POST', '/register_client_device'), 'BAD_REQUEST');
  expectRefusal(await bot.call('POST', '/mobile_push/e2ee/test_notification'), 'BAD_REQUEST');
});

test('client devices come and go', async () => {
  const queue = await ann.register();
  const others = await ben.register();
  const { device_id } = await ann.ok('POST', '/register_client_device');
  expectRefusal(await ben.call('POST', '/remove_client_device', { device_id }), 'BAD_REQUEST');
  expectRefusal(await ann.call('POST', '/remove_client_device'), 'REQUEST_VARIABLE_MISSING');
  const whole = await fields(ann);
  expect(whole.devices).toEqual({
    [device_id]: {
      push_key_id: null,
      push_token_id: null,
      pending_push_token_id: null,
      push_token_last_updated_timestamp: null,
      push_registration_error_code: null,
    },
  });
  const added = await queue.pending();
  expect(added.map(bare)).toEqual([{ type: 'device', op: 'add', device_id }]);
  expect(applyEvents(queue.state, added)['devices']).toEqual(whole.devices);
  await ann.ok('POST', '/remove_client_device', { device_id });
  expectRefusal(await ann.call('POST', '/remove_client_device', { device_id }), 'BAD_REQUEST');
  expect((await queue.pending()).map(bare)).toEqual([{ type: 'device', op: 'remove', device_id }]);
  const next = (await ann.ok('POST', '/register_client_device')).device_id;
  expect(next).toBe(Number(device_id) + 1);
  await ann.ok('POST', '/remove_client_device', { device_id: next });
  expect(await others.pending()).toEqual([]);
});

test('an account registers, is tested with what only its device can read, and is forgotten', async () => {
  const queue = await ann.register();
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  const whole = {
    token_kind: 'fcm',
    push_account_id: 77,
    push_public_key: base64(publicKey),
    bouncer_public_key: SERVICE_KEY,
    encrypted_push_registration: BLOB,
  };
  const bad: [object, string][] = [
    [{ push_public_key: 'AAAA' }, 'BAD_REQUEST'],
    [{ bouncer_public_key: 'AAAA' }, 'INVALID_BOUNCER_PUBLIC_KEY'],
    [{ encrypted_push_registration: 'AAAA' }, 'BAD_REQUEST'],
    [{ encrypted_push_registration: '!'.repeat(200) }, 'BAD_REQUEST'],
    [{ token_kind: 'pigeon' }, 'BAD_REQUEST'],
    [{ push_account_id: 'x' }, 'REQUEST_VARIABLE_INVALID'],
  ];
  for (const [change, code] of bad)
    expectRefusal(await ann.call('POST', '/mobile_push/register', { ...whole, ...change }), code);
  await ann.ok('POST', '/mobile_push/register', whole);
  await ann.ok('POST', '/mobile_push/register', whole);
  const events: any[] = [];
  await until(async () => {
    events.push(...(await queue.pending()));
    return events.length >= 2;
  });
  expect(events.map(bare)).toEqual([
    { type: 'push_device', push_account_id: '77', status: 'pending' },
    { type: 'push_device', push_account_id: '77', status: 'active' },
  ]);
  const { push_devices } = await fields(ann);
  expect(push_devices).toEqual({ 77: { status: 'active' } });
  expect(applyEvents(queue.state, events)['push_devices']).toEqual(push_devices);
  expect(bouncer.devices).toEqual([
    {
      realm_uuid: expect.any(String),
      push_account_id: 77,
      bouncer_public_key: SERVICE_KEY,
      encrypted_push_registration: BLOB,
    },
  ]);
  expect((await fields(ben)).push_devices).toEqual({});

  await ann.ok('POST', '/mobile_push/e2ee/test_notification', { push_account_id: 77 });
  const { body, authorization } = bouncer.requests.at(-1)!;
  expect(authorization).toBe(`Basic ${btoa('org:key')}`);
  const [{ device_id, payload }] = body.push_requests;
  expect([device_id, payload.push_account_id]).toEqual([1, 77]);
  const sealed = Buffer.from(payload.encrypted_data, 'base64');
  const opened = JSON.parse(sodium.crypto_box_seal_open(sealed, publicKey, privateKey, 'text'));
  expect(opened).toMatchObject({ type: 'test', user_id: ann.userId, realm_url: server.url });
  const other = { push_account_id: 78 };
  expectRefusal(await ann.call('POST', '/mobile_push/e2ee/test_notification', other), 'NO_ACTIVE_PUSH_DEVICE');

  bouncer.answering = (_, response) => {
    json(response, { delete_device_ids: [1] });
  };
  await ann.ok('POST', '/mobile_push/e2ee/test_notification');
  const gone = { status: 'failed', error_code: 'INVALID_REMOTE_PUSH_DEVICE_TOKEN' };
  expect((await queue.pending()).map(bare)).toEqual([{ type: 'push_device', push_account_id: '77', ...gone }]);
  expect((await fields(ann)).push_devices).toEqual({ 77: gone });
  expectRefusal(await ann.call('POST', '/mobile_push/e2ee/test_notification'), 'NO_ACTIVE_PUSH_DEVICE');
});

test('the push service is refused, broken, silent, unclear, or endless', async () => {
  await ben.ok('POST', '/users/me/apns_device_token', { token: APPLE, appid: 'org.chat.App' });
  await ben.ok('POST', '/users/me/android_gcm_reg_id', { token: GOOGLE });
  await ben.ok('POST', '/mobile_push/test_notification', { token: GOOGLE });
  expect(bouncer.requests.at(-1)!.body).toMatchObject({
    user_id: ben.userId,
    apple_devices: [],
    android_devices: [GOOGLE],
    gcm_payload: { type: 'test', user_id: ben.userId },
  });
  const answers: [NonNullable<PushBouncer['answering']>, string, number][] = [
    [(_, response) => jsonError(response, 401, 'INVALID_ZULIP_SERVER'), 'ADMIN_ACTION_REQUIRED', 400],
    [(_, response) => jsonError(response, 500, 'X'), 'INTERNAL_SERVER_ERROR_ON_BOUNCER', 502],
    [(_, response) => response.destroy(), 'FAILED_TO_CONNECT_BOUNCER', 502],
    [(_, response) => response.end('<html>'), 'FAILED_TO_CONNECT_BOUNCER', 502],
    [(_, response) => response.writeHead(302, { location: '/' }).end(), 'FAILED_TO_CONNECT_BOUNCER', 502],
    [
      (_, response) => jsonError(response, 400, 'INVALID_REMOTE_PUSH_DEVICE_TOKEN'),
      'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
      400,
    ],
  ];
  for (const [answering, code, status] of answers) {
    bouncer.answering = answering;
    expectRefusal(await ben.call('POST', '/mobile_push/test_notification'), code, status);
  }
  let sent = 0;
  const ended = new Promise<void>((end) => {
    bouncer.answering = (_, response) => {
      response.on('close', end);
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const write = (): void => {
        while (sent < 1600 && !response.destroyed) {
          sent++;
          if (!response.write(chunk)) break;
        }
        if (sent < 1600 && !response.destroyed) response.once('drain', write);
      };
      write();
    };
  });
  expectRefusal(await ben.call('POST', '/mobile_push/test_notification'), 'FAILED_TO_CONNECT_BOUNCER', 502);
  await ended;
  expect(sent).toBeLessThan(1600);
  bouncer.answering = (_, response) => {
    json(response, { deleted_devices: { android_devices: [GOOGLE], apple_devices: [] } });
  };
  const tested = await ben.call('POST', '/mobile_push/test_notification', { token: GOOGLE });
  expectRefusal(tested, 'INVALID_REMOTE_PUSH_DEVICE_TOKEN');
  expectRefusal(await ben.call('DELETE', '/users/me/android_gcm_reg_id', { token: GOOGLE }), 'BAD_REQUEST');
});

test('a registration survives a restart of both, is tried again, or fails with its code', async () => {
  const queue = await ben.register({ event_types: ['push_device', 'device'] });
  bouncer.answering = (_, response) => jsonError(response, 503, 'X');
  const { device_id } = await ben.ok('POST', '/register_client_device');
  const secret = Buffer.concat([Buffer.of(0x31), Buffer.alloc(32, 5)]);
  const asked = {
    device_id,
    push_key_id: 4_000_000_000,
    push_key: base64(secret),
    token_kind: 'apns',
    token_id: base64(Buffer.alloc(8, 1)),
    bouncer_public_key: SERVICE_KEY,
    encrypted_push_registration: BLOB,
  };
  expectRefusal(await ann.call('POST', '/mobile_push/register', asked), 'BAD_REQUEST');
  expectRefusal(await ben.call('POST', '/mobile_push/register', { ...asked, token_id: undefined }), 'BAD_REQUEST');
  expectRefusal(await ben.call('POST', '/mobile_push/register', { device_id }), 'BAD_REQUEST');
  const tried = bouncer.requests.length;
  await ben.ok('POST', '/mobile_push/register', asked);
  await until(() => bouncer.requests.length > tried);
  await server.restart();
  bouncer.answering = undefined;
  const at = { push_token_id: asked.token_id, push_token_last_updated_timestamp: expect.any(Number) };
  const none = { pending_push_token_id: null, push_registration_error_code: null };
  await later(60, () => until(async () => (await fields(ben)).devices[device_id].push_token_id === asked.token_id));
  expect((await fields(ben)).devices[device_id]).toEqual({ push_key_id: 4_000_000_000, ...at, ...none });
  bouncer.answering = (_, response) => jsonError(response, 400, 'REQUEST_EXPIRED');
  const again = { ...asked, push_key_id: undefined, push_key: undefined, token_id: base64(Buffer.alloc(8, 2)) };
  await ben.ok('POST', '/mobile_push/register', again);
  await until(async () => (await fields(ben)).devices[device_id].push_registration_error_code === 'REQUEST_EXPIRED');
  const events = await queue.pending();
  const type = { type: 'device', op: 'update', device_id };
  expect(events.map(bare)).toEqual([
    { type: 'device', op: 'add', device_id },
    { ...type, push_key_id: 4_000_000_000 },
    { ...type, pending_push_token_id: asked.token_id },
    { ...type, ...at, ...none },
    { ...type, pending_push_token_id: again.token_id },
    { ...type, pending_push_token_id: null, push_registration_error_code: 'REQUEST_EXPIRED' },
  ]);
  expect(applyEvents(queue.state, events)['devices']).toEqual((await fields(ben)).devices);
});

test('no log line contains a token or a key', () => {
  expect(lines.length).toBeGreaterThan(0);
  for (const secret of [APPLE, GOOGLE, BLOB, SERVICE_KEY]) expect(lines.join('')).not.toContain(secret);
});
