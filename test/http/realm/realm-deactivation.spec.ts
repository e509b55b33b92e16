import { runCommand } from '../../../apps/cli/src/command-line.js';
import { fetch, until } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import { ApiClient } from '../../support/client.js';
import { describeShared } from '../../support/pairings.js';
import { COUNTS_POLLS, untilHeld } from '../../support/held-polls.js';
import { startWithPeople, type Cast } from '../../support/people.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { openSharedStores, type SharedStores } from '../../support/shared-stores.js';
import { load, upload } from '../../support/uploads.js';

/** A deactivated organization: who ends it, what each route answers then, and how the operator undoes it. */

let cast: Cast;
let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
const log: string[] = [];

beforeAll(async () => {
  cast = await startWithPeople((line) => log.push(line), COUNTS_POLLS);
  ({ server, owner, ann } = cast);
});
afterAll(() => server.stop());

const deactivated = { type: 'realm', op: 'deactivated', realm_id: 1, id: expect.any(Number) };

function login(password: string): Promise<any> {
  return new ApiClient(() => server.url, '', '').call('POST', '/fetch_api_key', { username: ann.email, password });
}

async function reactivate(): Promise<string> {
  const said: string[] = [];
  await runCommand(['reactivate'], {
    environment: { DATA_DIR: server.dataDir, EVENT_STORE_URL: server.eventStoreUrl },
    print: (line) => void said.push(line),
    tell: (line) => void said.push(line),
    onInterrupt: () => undefined,
  });
  return said.join('\n');
}

describe('deactivating', () => {
  test('is for owners alone', async () => {
    const admin = await server.user('Ada Admin');
    await owner.ok('PATCH', `/users/${admin.userId}`, { role: 200 });
    for (const client of [ann, admin])
      expectRefusal(await client.call('POST', '/realm/deactivate'), 'UNAUTHORIZED_PRINCIPAL', 400);
    const tooSoon = await owner.call('POST', '/realm/deactivate', { deletion_delay_days: 13 });
    expectRefusal(tooSoon, 'BAD_REQUEST', 400);
    const broken = await owner.call('POST', '/realm/deactivate', { deletion_delay_days: 'soon' });
    expectRefusal(broken, 'REQUEST_VARIABLE_INVALID', 400);
    await ann.ok('GET', '/users/me');
    const told = await reactivate().catch(String);
    expect(told).not.toContain('active again');
  });

  test('is told to waiting clients, and ends everything', async () => {
    const waiting = await ann.register({ event_types: ['realm'] });
    const elsewhere = await ann.register({ event_types: ['message'] });
    const idle = await ann.register();
    const { url: temporary } = await ann.ok('GET', await upload(server, ann, 'soup.txt', 'hot soup'));
    expect((await load(server, temporary)).status).toBe(200);
    const polls = [waiting.poll(), elsewhere.poll()] as const;
    await untilHeld(server, polls.length);
    await owner.ok('POST', '/realm/deactivate', { deletion_delay_days: 30 });
    expect(await polls[0]).toEqual([deactivated]);
    expect(await polls[1]).toEqual([]);

    const calls: readonly [method: string, path: string, parameters?: object][] = [
      ['POST', '/register'],
      ['GET', '/events', { queue_id: idle.queueId, last_event_id: idle.lastEventId, dont_block: true }],
      ['DELETE', '/events', { queue_id: idle.queueId }],
      ['POST', '/messages', { type: 'channel', to: 'general', topic: 't', content: 'hello' }],
      ['GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 }],
      ['GET', '/users/me'],
      ['PATCH', '/settings', { enter_sends: true }],
      ['PATCH', '/realm', { description: 'again' }],
      ['POST', '/realm/deactivate'],
      ['GET', '/streams'],
    ];
    for (const client of [owner, ann]) {
      for (const [method, path, parameters] of calls)
        expectRefusal(await client.call(method, path, { ...parameters }), 'REALM_DEACTIVATED', 401);
    }
    expectRefusal(await login(`the password of ${ann.fullName}`), 'REALM_DEACTIVATED', 401);
    expect((await load(server, temporary)).status).toBe(404);
  });

  test('hides nothing from those who cannot log in', async () => {
    expectRefusal(await login('a wrong password'), 'AUTHENTICATION_FAILED', 401);
    const stranger = new ApiClient(() => server.url, ann.email, 'x'.repeat(32));
    expectRefusal(await stranger.call('GET', '/users/me'), 'INVALID_API_KEY', 401);
    const settings = await fetch(`${server.url}/api/v1/server_settings`);
    expect(await settings.json()).toMatchObject({ result: 'success', realm_name: expect.any(String) });
  });

  test('survives a restart, which tells the operator', async () => {
    await server.restart();
    expectRefusal(await owner.call('GET', '/users/me'), 'REALM_DEACTIVATED', 401);
    expect(log.join('')).toMatch(/The organization is deactivated: .*deleted from \d{4}-\d\d-\d\d on/);
  });
});

test('the operator reactivates it: keys and passwords are as before, event queues are gone', async () => {
  await server.restart(async () => {
    expect(await reactivate()).toBe('The organization is active again.');
    expect(await reactivate()).toBe('The organization is not deactivated.');
  });
  await owner.ok('PATCH', '/realm', { description: 'back' });
  expect((await login(`the password of ${ann.fullName}`)).body).toMatchObject({ api_key: ann.apiKey });
  const queue = await ann.register({ event_types: ['message'] });
  const id = await owner.send('general', 'again', 'We are back.');
  expect((await queue.pending()).map(({ message }) => message.id)).toEqual([id]);
});

test('event queues from before a deactivation stay gone after it', async () => {
  const before = await ann.register();
  await owner.ok('POST', '/realm/deactivate');
  await server.restart(async () => {
    await reactivate();
  });
  const poll = { queue_id: before.queueId, last_event_id: before.lastEventId, dont_block: true };
  expectRefusal(await ann.call('GET', '/events', poll), 'BAD_EVENT_QUEUE_ID', 400);
});

describeShared('with several processes', () => {
  let stores: SharedStores;
  const servers: TestServer[] = [];

  beforeAll(async () => {
    stores = await openSharedStores();
    for (let count = 0; count < 2; count++)
      servers.push(await startTestServer({ ...stores.environment, ...COUNTS_POLLS }));
  });
  afterAll(async () => {
    for (const one of servers) await one.stop();
    await stores.stop();
  });

  test('ends at each of them, and comes back at each of them', async () => {
    const [first, second] = servers as [TestServer, TestServer];
    const user = await first.user('Sam Sharer');
    const elsewhere = user.at(() => second.url);
    const waiting = await elsewhere.register({ event_types: ['realm'] });
    const poll = waiting.poll();
    await untilHeld(second);
    await first.owner.ok('POST', '/realm/deactivate');
    expectRefusal(await elsewhere.call('GET', '/users/me'), 'REALM_DEACTIVATED', 401);
    expectRefusal(await user.call('GET', '/users/me'), 'REALM_DEACTIVATED', 401);
    expect(await poll).toEqual([deactivated]);

    const said: string[] = [];
    const code = await runCommand(['reactivate'], {
      environment: { ...stores.environment },
      print: (line) => void said.push(line),
      tell: (line) => void said.push(line),
      onInterrupt: () => undefined,
    });
    expect([code, said]).toEqual([0, ['The organization is active again.']]);
    await until(async () => (await elsewhere.call('GET', '/users/me')).status === 200);
    await user.ok('GET', '/users/me');
  });
});
