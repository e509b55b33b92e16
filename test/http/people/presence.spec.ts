import { expectRefusal } from '../../support/answers.js';
import type { Answer, ApiClient, TestQueue } from '../../support/client.js';
import { startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
beforeAll(async () => ({ server, owner, ann, ben, cleo } = await startWithPeople()));
afterAll(() => server.stop());

type Parameters = Record<string, unknown>;

const report = (client: ApiClient, parameters: Parameters = {}): Promise<Answer> =>
  client.call('POST', '/users/me/presence', { status: 'active', ...parameters });
const told = async (client: ApiClient, parameters: Parameters = {}): Promise<any> => {
  const { status, body } = await report(client, { status: 'idle', slim_presence: true, ...parameters });
  expect(status).toBe(200);
  return body;
};
const listen = (client: ApiClient, parameters: Parameters = {}): Promise<TestQueue> =>
  client.register({ event_types: ['presence'], fetch_event_types: [], ...parameters });
const heard = async (queue: TestQueue): Promise<any[]> => (await queue.pending()).map(({ id: _, ...event }) => event);
const stamp = expect.any(Number);
const modern = { active_timestamp: stamp, idle_timestamp: stamp };
const website = { client: 'website', status: 'active', timestamp: stamp, pushable: false };

describe('reporting', () => {
  test('the answer has all users, in the format of earlier clients', async () => {
    await report(ann);
    const { body } = await report(ben, { status: 'idle', new_user_input: true });
    expect(body).toEqual({
      result: 'success',
      msg: '',
      presences: expect.objectContaining({
        [ann.email]: { aggregated: website, website },
        [ben.email]: { aggregated: { ...website, status: 'idle' }, website: { ...website, status: 'idle' } },
      }),
      server_timestamp: stamp,
      presence_last_update_id: stamp,
    });
    expect(body.presences).not.toHaveProperty([cleo.email]);
    const now = Date.now() / 1000;
    expect(Math.abs(body.server_timestamp - now)).toBeLessThan(60);
    expect(Number.isInteger(body.presence_last_update_id)).toBe(true);
    for (const { website: one } of Object.values<any>(body.presences)) expect(now - one.timestamp).toBeLessThan(60);
  });

  test('or in the modern one', async () => {
    const { presences } = await told(ann);
    expect(presences).toEqual({ [ann.userId]: modern, [ben.userId]: modern });
    // Ben was never seen active, so he was when he joined.
    const { user } = await ann.ok('GET', `/users/${ben.userId}`);
    expect(presences[ben.userId].active_timestamp).toBe(Date.parse(user.date_joined) / 1000);
  });

  test('or what changed since an earlier answer', async () => {
    const all = await told(ann, { slim_presence: false, last_update_id: -1 });
    expect(all.presences).toEqual({ [ann.userId]: modern, [ben.userId]: modern });
    const { presence_last_update_id: last_update_id } = all;
    expect(await told(ann, { last_update_id })).toMatchObject({
      presences: {},
      presence_last_update_id: last_update_id,
    });
    await report(cleo);
    const next = await told(ann, { last_update_id });
    expect(next.presences).toEqual({ [cleo.userId]: modern });
    expect(next.presence_last_update_id).toBeGreaterThan(last_update_id);
  });

  test('or nothing', async () => {
    expect((await report(ann, { ping_only: true })).body).toEqual({ result: 'success', msg: '' });
    expect((await report(ann, { ping_only: true, other: 1 })).body).toEqual({
      result: 'success',
      msg: '',
      ignored_parameters_unsupported: ['other'],
    });
  });

  test('or nobody', async () => {
    expect((await told(ann, { history_limit_days: 0 })).presences).toEqual({});
    expect((await told(ann, { history_limit_days: 0, last_update_id: -1 })).presences).toEqual({});
  });

  test('or all that the server has', async () => {
    const { presences } = await told(ann, { history_limit_days: 100_000 });
    expect(presences).toMatchObject({ [ann.userId]: modern });
  });

  test.each<[string, Parameters]>([
    ['another status', { status: 'offline' }],
    ['a status that is written as JSON', { status: '"active"' }],
    ['a history before all time', { history_limit_days: -1 }],
  ])('%s is refused', async (_, parameters) => {
    expectRefusal(await report(ann, parameters), 'BAD_REQUEST');
  });

  test('a status is needed, and IDs are numbers', async () => {
    expect(expectRefusal(await ann.call('POST', '/users/me/presence'), 'REQUEST_VARIABLE_MISSING')).toMatchObject({
      var_name: 'status',
    });
    expectRefusal(await report(ann, { last_update_id: 'x' }), 'REQUEST_VARIABLE_INVALID');
    expectRefusal(await report(ann, { ping_only: 'x' }), 'REQUEST_VARIABLE_INVALID');
  });
});

describe('asking for one person', () => {
  const status = { status: 'active', timestamp: stamp };
  const of = (idOrEmail: string | number): Promise<Answer> =>
    ben.call('GET', `/users/${encodeURIComponent(idOrEmail)}/presence`);

  test('by ID or e-mail address', async () => {
    const presence = { aggregated: status, website: status };
    expect((await of(ann.userId)).body).toEqual({ result: 'success', msg: '', presence });
    expect((await of(ann.email.toUpperCase())).body).toEqual({ result: 'success', msg: '', presence });
  });

  test('nobody, a bot, and someone who was never there', async () => {
    expectRefusal(await of(9999), 'BAD_REQUEST');
    expectRefusal(await of('nobody@example.test'), 'BAD_REQUEST');
    const { cross_realm_bots } = (await ben.register({ fetch_event_types: ['realm_user'] })).state;
    expectRefusal(await of(cross_realm_bots[0].user_id), 'BAD_REQUEST');
    expectRefusal(await of((await server.user('Silent Sam')).userId), 'BAD_REQUEST');
  });
});

test('asking for all, as earlier clients do', async () => {
  const body = await cleo.ok('GET', '/realm/presence');
  expect(body).toEqual({ result: 'success', msg: '', presences: expect.any(Object), server_timestamp: stamp });
  expect(body.presences[ann.email]).toEqual({ aggregated: website, website });
});

describe('registering', () => {
  const state = async (parameters: Parameters): Promise<any> =>
    (await ann.register({ event_types: [], fetch_event_types: ['presence'], ...parameters })).state;

  test('in both formats, with the ID to go on from', async () => {
    const legacy = await state({});
    expect(legacy.presences[ben.email]).toEqual({ aggregated: expect.anything(), website: expect.anything() });
    const slim = await state({ slim_presence: true });
    expect(slim).toMatchObject({ presences: { [ben.userId]: modern }, server_timestamp: stamp });
    expect((await told(ann, { last_update_id: slim.presence_last_update_id })).presences).toEqual({});
  });

  test('with a history of some days', async () => {
    const { presences } = await state({ slim_presence: true, presence_history_limit_days: 0 });
    expect(presences).toEqual({});
    const all = await state({ slim_presence: true, presence_history_limit_days: 100_000 });
    expect(Object.keys(all.presences)).toContain(String(ann.userId));
  });

  test('clients learn how often to report', async () => {
    const constants = (await ann.register({ fetch_event_types: ['realm'] })).state;
    expect(constants).toMatchObject({
      server_presence_ping_interval_seconds: 60,
      server_presence_offline_threshold_seconds: 200,
    });
  });
});

describe('who comes online', () => {
  test('is told once, to each client in its format', async () => {
    const dora = await server.user('Dora Dale');
    const [slim, legacy, simplified] = [
      await listen(ann, { slim_presence: true }),
      await listen(dora),
      await listen(ben, { client_capabilities: { simplified_presence_events: true } }),
    ];
    await report(dora);
    await report(dora);
    const event = { type: 'presence', user_id: dora.userId, server_timestamp: stamp, presence: { website } };
    expect(await heard(slim)).toEqual([event]);
    expect(await heard(legacy)).toEqual([{ ...event, email: dora.email }]);
    expect(await heard(simplified)).toEqual([{ type: 'presence', presences: { [dora.userId]: modern } }]);
  });
});

describe('who does not want to be seen', () => {
  const share = (client: ApiClient, presence_enabled: boolean): Promise<any> =>
    client.ok('PATCH', '/settings', { presence_enabled });

  test('looks offline at once, and is not recorded until they want to be', async () => {
    const eve = await server.user('Eve East');
    await report(eve);
    const queue = await listen(ann, { slim_presence: true });
    await share(eve, false);
    const [event] = await heard(queue);
    expect(event).toMatchObject({ type: 'presence', user_id: eve.userId, presence: { website } });
    const now = Date.now() / 1000;
    expect(now - event.presence.website.timestamp).toBeGreaterThan(200);
    await report(eve);
    expect(await heard(queue)).toEqual([]);
    const { presences } = await told(ann);
    expect(now - presences[eve.userId].idle_timestamp).toBeGreaterThan(200);
    expect((await ann.ok('GET', `/users/${eve.userId}/presence`)).presence.aggregated.status).toBe('offline');
    // They see the others all the same.
    expect((await told(eve)).presences).toHaveProperty([ann.userId]);
    await share(eve, true);
    expect(await heard(queue)).toMatchObject([{ user_id: eve.userId, presence: { website: { status: 'active' } } }]);
    expect((await ann.ok('GET', `/users/${eve.userId}/presence`)).presence.aggregated.status).toBe('active');
  });

  test('is offline after changing their mind within a second', async () => {
    const jack = await server.user('Jack Jones');
    const queue = await listen(ann, { slim_presence: true });
    for (const isEnabled of [false, true, false]) await share(jack, isEnabled);
    const { presences } = await told(ann);
    expect(Date.now() / 1000 - presences[jack.userId].idle_timestamp).toBeGreaterThan(200);
    expect((await ann.ok('GET', `/users/${jack.userId}/presence`)).presence.aggregated.status).toBe('offline');
    const wereOnline = (await heard(queue)).map(({ presence }) => presence.website.timestamp > Date.now() / 1000 - 200);
    expect(wereOnline.at(-1)).toBe(false);
    await share(jack, true);
    expect((await ann.ok('GET', `/users/${jack.userId}/presence`)).presence.aggregated.status).toBe('active');
  });

  test('who was never recorded stays unknown or offline', async () => {
    const finn = await server.user('Finn Fay');
    await share(finn, false);
    await report(finn);
    const { presence } = await ann.ok('GET', `/users/${finn.userId}/presence`);
    expect(presence.aggregated.status).toBe('offline');
  });
});

test('a deactivated account is not there', async () => {
  const gus = await server.user('Gus Gray');
  await report(gus);
  expect((await told(ann)).presences).toHaveProperty([gus.userId]);
  await owner.ok('DELETE', `/users/${gus.userId}`);
  expect((await told(ann)).presences).not.toHaveProperty([gus.userId]);
  expectRefusal(await ann.call('GET', `/users/${gus.userId}/presence`), 'BAD_REQUEST');
});

test('an organization can do without', async () => {
  const queue = await listen(ann);
  const hana = await server.user('Hana Hill');
  await owner.ok('PATCH', '/realm', { presence_disabled: true });
  try {
    expect(await told(hana)).toMatchObject({ presences: {}, presence_last_update_id: -1 });
    expect((await ann.ok('GET', '/realm/presence')).presences).toEqual({});
    const { state } = await ann.register({ fetch_event_types: ['presence', 'realm'] });
    expect(state).toMatchObject({ presences: {}, presence_last_update_id: -1, realm_presence_disabled: true });
    expectRefusal(await ann.call('GET', `/users/${ben.userId}/presence`), 'BAD_REQUEST');
    expect(await heard(queue)).toEqual([]);
  } finally {
    await owner.ok('PATCH', '/realm', { presence_disabled: false });
  }
  expect((await told(ann)).presences).not.toHaveProperty([hana.userId]);
});

test('presence is not in the log, and a restarted server still knows it', async () => {
  const ivy = await server.user('Ivy Irwin');
  // A server that ends records the rest of what is recorded at its own pace, such as sign-ins.
  await server.restart();
  const before = await server.rawLog();
  await report(ivy);
  const { presences, presence_last_update_id: last_update_id } = await told(ann, { last_update_id: -1 });
  expect((await server.rawLog()).length).toBe(before.length);
  await server.restart();
  expect((await told(ann, { last_update_id: -1 })).presences).toEqual(presences);
  // More than what changed is no harm; less would be.
  expect((await told(ann, { last_update_id })).presence_last_update_id).toBeGreaterThanOrEqual(last_update_id);
});
