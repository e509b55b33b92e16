/** Ways to an API key besides the password, and how an organization turns ways off. */
import { request } from 'node:http';
import { SignJWT } from 'jose';
import { basic, exchange, expectRefusal } from '../../support/answers.js';
import type { Answer, ApiClient } from '../../support/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const KEY = 'a secret of the two systems, long enough';
let server: TestServer;
let ann: ApiClient;
let kim: ApiClient;
let gone: ApiClient;

beforeAll(async () => {
  server = await startTestServer({ JWT_AUTH_KEY: KEY, DEV_LOGIN: 'on' });
  ann = await server.user('Ann Archer');
  kim = await server.user('Kim Kent');
  gone = await server.user('Gone Gray');
  await server.owner.ok('DELETE', `/users/${gone.userId}`);
});
afterAll(() => server.stop());

const at = (url: string, path: string, form: Record<string, string>): Promise<Answer> =>
  exchange(`${url}/api/v1${path}`, { method: 'POST', body: new URLSearchParams(form) });
const post = (path: string, form: Record<string, string> = {}): Promise<Answer> => at(server.url, path, form);
const token = (claims: Record<string, unknown>): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(KEY));
const byToken = async (claims: Record<string, unknown>, more: Record<string, string> = {}): Promise<Answer> =>
  post('/jwt/fetch_api_key', { token: await token(claims), ...more });

async function botOf(client: ApiClient): Promise<string> {
  await client.ok('POST', '/bots', { full_name: 'Helper', short_name: 'helper' });
  return (await client.ok('GET', '/bots')).bots[0].username;
}

describe('by a token of another system', () => {
  test('the key and the address of the account', async () => {
    const answer = await byToken({ email: ann.email.toUpperCase(), exp: Math.floor(Date.now() / 1000) + 60 });
    expect([answer.status, answer.body]).toEqual([
      200,
      { result: 'success', msg: '', api_key: ann.apiKey, email: ann.email },
    ]);
  });

  test('and on request the user, without profile data', async () => {
    const { user } = (await byToken({ email: ann.email }, { include_profile: 'true' })).body;
    expect(user).toEqual((await ann.ok('GET', `/users/${ann.userId}`, { client_gravatar: false })).user);
    expect(user).not.toHaveProperty('profile_data');
    expect((await byToken({ email: ann.email }, { include_profile: 'false' })).body).not.toHaveProperty('user');
    expectRefusal(await byToken({ email: ann.email }, { include_profile: 'yes' }), 'REQUEST_VARIABLE_INVALID');
  });

  test.each([
    ['no token', {}, 'No JSON web token passed in request'],
    ['an empty token', { token: '' }, 'No JSON web token passed in request'],
    ['a token that is none', { token: 'x.y.z' }, 'Bad JSON web token'],
  ])('%s is refused', async (_, form, msg) => {
    expect(expectRefusal(await post('/jwt/fetch_api_key', form), 'BAD_REQUEST').msg).toBe(msg);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['expired', { email: 'ann.archer@example.test', exp: 1 }, 'Bad JSON web token'],
    ['for another organization', { email: 'ann.archer@example.test', aud: 'https://other.test' }, 'Bad JSON web token'],
    ['without an address', { sub: '1' }, 'No email specified in JSON web token claims'],
  ])('a token %s is refused', async (_, claims, msg) => {
    expect(expectRefusal(await byToken(claims), 'BAD_REQUEST').msg).toBe(msg);
  });

  test('unknown addresses, bots and deactivated accounts get no key', async () => {
    expectRefusal(await byToken({ email: 'nobody@example.test' }), 'AUTHENTICATION_FAILED', 401);
    expectRefusal(await byToken({ email: await botOf(ann) }), 'AUTHENTICATION_FAILED', 401);
    expectRefusal(await byToken({ email: gone.email }), 'USER_DEACTIVATED', 401);
  });

  test('the address of an account in other letters that only look alike is another address', async () => {
    const [kelvinSign, longS] = ['\u212a', '\u017f'];
    for (const email of [kim.email.replace('k', kelvinSign), ann.email.replace('s', longS)])
      expectRefusal(await byToken({ email }), 'AUTHENTICATION_FAILED', 401);
    expect((await byToken({ email: kim.email.toUpperCase() })).body.api_key).toBe(kim.apiKey);
  });
});

describe('without any proof, for development', () => {
  test('the key of each account by its address', async () => {
    const { status, body } = await post('/dev_fetch_api_key', { username: ann.email });
    expect([status, body]).toEqual([
      200,
      { result: 'success', msg: '', api_key: ann.apiKey, email: ann.email, user_id: ann.userId },
    ]);
  });

  test('unknown and deactivated accounts have none, and names are addresses', async () => {
    expectRefusal(await post('/dev_fetch_api_key', { username: 'no@example.test' }), 'AUTHENTICATION_FAILED', 401);
    expectRefusal(await post('/dev_fetch_api_key', { username: gone.email }), 'USER_DEACTIVATED', 401);
    expectRefusal(await post('/dev_fetch_api_key', { username: 'ann' }), 'BAD_REQUEST');
    expect(expectRefusal(await post('/dev_fetch_api_key'), 'REQUEST_VARIABLE_MISSING').var_name).toBe('username');
  });

  test('people who can sign in are listed, administrators apart', async () => {
    const { body } = await exchange(`${server.url}/api/v1/dev_list_users`);
    const realm = { realm_url: server.url, realm_uri: server.url };
    expect(body.direct_admins).toEqual([{ email: server.owner.email, ...realm }]);
    expect(body.direct_users).toEqual([ann, kim].map(({ email }) => ({ email, ...realm })));
  });
});

test('a host below that of the organization is another organization', async () => {
  const own = new URL(server.url).host;
  const claims = { token: await token({ email: ann.email }) };
  for (const [path, form] of [
    ['/jwt/fetch_api_key', claims],
    ['/dev_fetch_api_key', { username: ann.email }],
    ['/fetch_api_key', { username: ann.email, password: 'the password of Ann Archer' }],
  ] as const) {
    expect((await withHost(own, path, form)).status).toBe(200);
    expect((await withHost(`other.${own}`, path, form)).status).toBe(404);
    expect((await withHost('other.localhost', path, form)).code).toBe('NONEXISTENT_SUBDOMAIN');
  }
});

describe('what is not set up', () => {
  let plain: TestServer;
  beforeAll(async () => {
    plain = await startTestServer();
  });
  afterAll(() => plain.stop());

  test('is refused, and not advertised', async () => {
    const { url } = plain;
    const claims = { token: await token({ email: plain.owner.email }) };
    expect(expectRefusal(await at(url, '/jwt/fetch_api_key', claims), 'BAD_REQUEST').msg).toMatch(/not enabled/);
    expectRefusal(await at(url, '/dev_fetch_api_key', { username: plain.owner.email }), 'BAD_REQUEST');
    expectRefusal(await exchange(`${url}/api/v1/dev_list_users`), 'BAD_REQUEST');
    const { authentication_methods } = (await exchange(`${url}/api/v1/server_settings`)).body;
    expect(authentication_methods).toMatchObject({ dev: false, password: true, 'openid connect': false });
    const { state } = await plain.owner.register({ fetch_event_types: ['realm'] });
    expect(state.realm_authentication_methods).toEqual({ Email: { enabled: true, available: true } });
    const only = { authentication_methods: { Email: false } };
    expect(expectRefusal(await plain.owner.call('PATCH', '/realm', only), 'BAD_REQUEST').msg).toMatch(/^At least one/);
  });
});

describe('an organization turns a way off', () => {
  const change = (methods: object): Promise<Answer> =>
    server.owner.call('PATCH', '/realm', { authentication_methods: methods });
  const shown = async (): Promise<any> => (await exchange(`${server.url}/api/v1/server_settings`)).body;
  const login = (): Promise<Answer> =>
    post('/fetch_api_key', { username: ann.email, password: 'the password of Ann Archer' });

  afterEach(() => change({ Email: true, Dev: true }));

  test('passwords: nobody gets a key by one, and all clients are told', async () => {
    const queue = await ann.register({ event_types: ['realm'] });
    expect((await change({ Email: false })).status).toBe(200);
    const on = { enabled: true, available: true };
    const authentication_methods = { Email: { ...on, enabled: false }, Dev: on };
    expect(await queue.pending()).toMatchObject([
      { type: 'realm', op: 'update_dict', property: 'default', data: { authentication_methods } },
    ]);
    const { state } = await ann.register({ fetch_event_types: ['realm'] });
    expect(state).toMatchObject({
      realm_authentication_methods: authentication_methods,
      realm_password_auth_enabled: false,
      realm_email_auth_enabled: false,
    });
    expect(await shown()).toMatchObject({
      email_auth_enabled: false,
      authentication_methods: { password: false, email: false, dev: true },
    });
    expectRefusal(await login(), 'PASSWORD_AUTH_DISABLED', 401);
    expectRefusal(
      await post('/fetch_api_key', { username: 'nobody@example.test', password: 'x' }),
      'PASSWORD_AUTH_DISABLED',
      401,
    );
    const own = await exchange(`${server.url}/json/fetch_api_key`, {
      method: 'POST',
      headers: { authorization: basic(ann.email, ann.apiKey) },
      body: new URLSearchParams({ password: 'the password of Ann Archer' }),
    });
    expectRefusal(own, 'BAD_REQUEST');
    expect((await ann.ok('GET', '/users/me')).user_id).toBe(ann.userId);
  });

  test('development', async () => {
    await change({ Dev: false });
    expectRefusal(await post('/dev_fetch_api_key', { username: ann.email }), 'BAD_REQUEST');
    expect((await shown()).authentication_methods).toMatchObject({ dev: false, password: true });
    expect((await login()).status).toBe(200);
  });

  test('only owners may, not all at once, and only what there is', async () => {
    const asked = { authentication_methods: { Dev: false } };
    expectRefusal(await ann.call('PATCH', '/realm', asked), 'UNAUTHORIZED_PRINCIPAL');
    await server.owner.ok('PATCH', `/users/${ann.userId}`, { role: 200 });
    expectRefusal(await ann.call('PATCH', '/realm', asked), 'UNAUTHORIZED_PRINCIPAL');
    expectRefusal(await change({ Email: false, Dev: false }), 'BAD_REQUEST');
    expectRefusal(await change({ SAML: true }), 'BAD_REQUEST');
    expectRefusal(await change({ Email: 'no' }), 'BAD_REQUEST');
    expectRefusal(await change(['Email']), 'BAD_REQUEST');
    expect((await shown()).authentication_methods).toMatchObject({ dev: true, password: true });
  });
});

/** With another Host header, which `fetch` does not send. */
function withHost(
  host: string,
  path: string,
  form: Record<string, string>,
): Promise<{ status: number; code?: string }> {
  const { hostname, port } = new URL(server.url);
  const body = new URLSearchParams(form).toString();
  const headers = { host, 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: `/api/v1${path}`, method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, code: JSON.parse(text).code }));
    })
      .on('error', reject)
      .end(body);
  });
}
