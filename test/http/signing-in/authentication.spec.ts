import { statSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetch } from '#testing';
import { basic, exchange, expectRefusal } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let ann: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  ann = await server.user('Ann Archer');
});
afterAll(() => server.stop());

const login = (username: string, password: string): ReturnType<typeof exchange> =>
  exchange(`${server.url}/api/v1/fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username, password }),
  });

describe('server settings', () => {
  test('early mobile clients are told that the server supports them', async () => {
    const { status, body } = await exchange(`${server.url}/compatibility`);
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
  });

  test('are public and complete, under both families of names', async () => {
    const { status, body } = await exchange(`${server.url}/api/v1/server_settings`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: 'success',
      msg: '',
      service_feature_level: 421,
      service_version: expect.any(String),
      service_merge_base: expect.any(String),
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_url: server.url,
      realm_uri: server.url,
      realm_name: 'Scrollback',
      realm_icon: expect.stringMatching(/./),
      realm_description: expect.any(String),
      realm_web_public_access_enabled: false,
      external_authentication_methods: [],
    });
    expect(body.zulip_feature_level).toBe(body.service_feature_level);
    // The release of the interface that has this level.
    expect([body.zulip_version, body.zulip_merge_base]).toEqual(['11.0', '11.0']);
    expect(body.authentication_methods).toMatchObject({ password: true, email: true, dev: false, ldap: false });
    for (const offered of Object.values(body.authentication_methods)) expect(typeof offered).toBe('boolean');
  });

  test('credentials, right or wrong, change nothing', async () => {
    for (const authorization of [basic(ann.email, ann.apiKey), basic(ann.email, 'x'.repeat(32))]) {
      const { status, body } = await exchange(`${server.url}/api/v1/server_settings`, { headers: { authorization } });
      expect([status, body.realm_name]).toEqual([200, 'Scrollback']);
    }
  });
});

describe('Basic credentials', () => {
  const me = (authorization?: string): ReturnType<typeof exchange> =>
    exchange(`${server.url}/api/v1/users/me`, authorization === undefined ? {} : { headers: { authorization } });

  test('none: 401 that names the scheme', async () => {
    const answer = await me();
    expectRefusal(answer, 'UNAUTHORIZED', 401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
  });

  test.each([
    ['not base64', 'Basic %%%'],
    ['no colon', `Basic ${Buffer.from('nobody').toString('base64')}`],
    ['nothing behind the scheme', 'Basic '],
  ])('malformed (%s): 401', async (_, authorization) => {
    expectRefusal(await me(authorization), 'UNAUTHORIZED', 401);
  });

  test('another scheme: 400', async () => {
    expectRefusal(await me('Bearer abcdef'), 'BAD_REQUEST');
  });

  test.each(['short', 'x'.repeat(32), `${'x'.repeat(31)}!`, '', 'ä'.repeat(16)])(
    'a key that is none (%j): 401',
    async (key) => {
      expectRefusal(await me(basic(ann.email, key)), 'INVALID_API_KEY', 401);
    },
  );

  test("another user's key: 401", async () => {
    expectRefusal(await me(basic(server.owner.email, ann.apiKey)), 'INVALID_API_KEY', 401);
    expectRefusal(await me(basic('nobody@example.test', ann.apiKey)), 'INVALID_API_KEY', 401);
  });

  test('the name is compared ignoring case; the scheme as well', async () => {
    const { status, body } = await me(basic(ann.email.toUpperCase(), ann.apiKey));
    expect([status, body.user_id]).toEqual([200, ann.userId]);
    const lower = await me(basic(ann.email, ann.apiKey).replace('Basic', 'basic'));
    expect(lower.status).toBe(200);
  });

  test('an answer to a user is not to be cached', async () => {
    expect((await me(basic(ann.email, ann.apiKey))).headers.get('cache-control')).toMatch(/no-store|no-cache/);
  });
});

describe('logging in by password', () => {
  test('gives the API key, urlencoded and multipart', async () => {
    const body = new FormData();
    body.set('username', ann.email);
    body.set('password', 'the password of Ann Archer');
    const multipart = await exchange(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', body });
    const urlencoded = await login(ann.email, 'the password of Ann Archer');
    for (const { status, body } of [multipart, urlencoded]) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ email: ann.email, user_id: ann.userId, result: 'success', msg: '' });
      expect(body.api_key).toMatch(/^[A-Za-z0-9]{32}$/);
      expect(body.api_key).toBe(ann.apiKey);
    }
  });

  test('the name is taken ignoring case', async () => {
    expect((await login(ann.email.toUpperCase(), 'the password of Ann Archer')).body.user_id).toBe(ann.userId);
  });

  test('a wrong password and an unknown user look alike', async () => {
    const wrong = await login(ann.email, 'not it');
    const unknown = await login('nobody@example.test', 'not it');
    expectRefusal(wrong, 'AUTHENTICATION_FAILED', 401);
    expect(unknown.text).toBe(wrong.text);
    expect(unknown.status).toBe(wrong.status);
  });

  test('a missing parameter is named', async () => {
    const answer = await exchange(`${server.url}/api/v1/fetch_api_key`, {
      method: 'POST',
      body: new URLSearchParams({ username: ann.email }),
    });
    expect(expectRefusal(answer, 'REQUEST_VARIABLE_MISSING').var_name).toBe('password');
  });

  test('a user name that is no address is a bad request', async () => {
    expect(expectRefusal(await login('ann', 'whatever'), 'BAD_REQUEST').msg).toBe('Enter a valid email address.');
  });

  test('five wrong passwords are enough, and a right one then waits as well', async () => {
    const limited = await startTestServer({ RATE_LIMITS: 'on' });
    try {
      const attempt = (password: string): ReturnType<typeof exchange> =>
        exchange(`${limited.url}/api/v1/fetch_api_key`, {
          method: 'POST',
          body: new URLSearchParams({ username: 'olive@example.test', password }),
        });
      for (let count = 1; count <= 5; count++)
        expectRefusal(await attempt(`wrong ${count}`), 'AUTHENTICATION_FAILED', 401);
      const sixth = await attempt('wrong');
      expect(expectRefusal(sixth, 'RATE_LIMIT_HIT', 429)['retry-after']).toBeGreaterThan(0);
      expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0);
      expectRefusal(await attempt('correct horse'), 'RATE_LIMIT_HIT', 429);
    } finally {
      await limited.stop();
    }
  });

  test('a hundred wrong passwords are enough from one address, wherever they are asked for', async () => {
    const limited = await startTestServer({ RATE_LIMITS: 'on' });
    try {
      const { url, owner } = limited;
      const [ben, cleo] = [await limited.user('Ben Baker'), await limited.user('Cleo Cole')];
      const byKey = (username: string, password: string): ReturnType<typeof exchange> =>
        exchange(`${url}/api/v1/fetch_api_key`, { method: 'POST', body: new URLSearchParams({ username, password }) });
      const page = await fetch(`${url}/login/`);
      const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const csrfmiddlewaretoken = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
      const byPage = (username: string, password: string): Promise<Response> => {
        const body = new URLSearchParams({ csrfmiddlewaretoken, username, password });
        return fetch(`${url}/login/`, { method: 'POST', headers: { cookie }, body, redirect: 'manual' });
      };
      const inSettings = (client: ApiClient, old_password: string): ReturnType<typeof exchange> =>
        client.call('PATCH', '/settings', { old_password, new_password: 'quite another one' });
      const again = ({ email, apiKey }: ApiClient, password: string): ReturnType<typeof exchange> =>
        exchange(`${url}/json/fetch_api_key`, {
          method: 'POST',
          headers: { authorization: basic(email, apiKey) },
          body: new URLSearchParams({ password }),
        });

      const wrong = await Promise.all(Array.from({ length: 86 }, (_, i) => byKey(`user${i}@example.test`, 'wrong')));
      expect(new Set(wrong.map(({ body }) => body.code))).toEqual(new Set(['AUTHENTICATION_FAILED']));
      for (let i = 0; i < 4; i++) expect((await byPage(`user${i}@example.test`, 'wrong')).status).toBe(401);
      for (let i = 0; i < 5; i++) expectRefusal(await inSettings(ben, 'wrong'), 'BAD_REQUEST');
      for (let i = 0; i < 5; i++) expectRefusal(await again(owner, 'wrong'), 'BAD_REQUEST');

      const password = 'the password of Cleo Cole';
      expectRefusal(await again(cleo, password), 'RATE_LIMIT_HIT', 429);
      expectRefusal(await inSettings(cleo, password), 'RATE_LIMIT_HIT', 429);
      for (const { status, headers } of [await byPage(cleo.email, password), await byKey(cleo.email, password)]) {
        expect(status).toBe(429);
        // The limit of calls is not reached.
        expect(Number(headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0);
      }
      expect((await cleo.ok('GET', '/users/me')).email).toBe(cleo.email);
    } finally {
      await limited.stop();
    }
  });
});

test('owner.zuliprc is for the owner of the files alone, and has what clients read', () => {
  const path = join(server.dataDir, 'owner.zuliprc');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(/^\[api\]$/m);
  expect(text).toMatch(/^email=olive@example\.test$/m);
  expect(text).toMatch(/^key=[A-Za-z0-9]{32}$/m);
  expect(text).toContain(`site=${server.url}`);
});

test('credentials survive a restart', async () => {
  await server.restart();
  expect((await ann.ok('GET', '/users/me')).user_id).toBe(ann.userId);
  expect((await login(ann.email, 'the password of Ann Archer')).body.api_key).toBe(ann.apiKey);
});

describe('creating users', () => {
  const account = { email: 'ben@example.test', password: 'a good long password', full_name: 'Ben Baker' };

  test('the owner may; the account logs in at once', async () => {
    const { user_id } = await server.owner.ok('POST', '/users', account);
    expect(Number.isInteger(user_id)).toBe(true);
    expect((await login(account.email, account.password)).body).toMatchObject({ user_id, email: account.email });
  });

  test('others may not', async () => {
    // Whatever the password is: no password of theirs is hashed.
    for (const password of [account.password, 'abc']) {
      const asked = { ...account, email: 'new@example.test', password };
      const { msg } = expectRefusal(await ann.call('POST', '/users', asked), 'BAD_REQUEST');
      expect(msg).toBe('User not authorized to create users');
    }
    expectRefusal(await server.owner.call('GET', '/users/new@example.test'), 'BAD_REQUEST');
  });

  test.each([
    ['an address in use', { email: 'ANN.archer@example.test' }],
    ['no address', { email: 'not an address' }],
    ['a weak password', { password: 'abc' }],
    ['an endless password', { password: 'a1B!'.repeat(50) }],
    ['a short name', { full_name: 'A' }],
    ['an endless name', { full_name: 'A'.repeat(101) }],
    ['a name with markup', { full_name: 'Ann *Archer*' }],
    ['a name that ends like a mention', { full_name: 'Ann|12' }],
    ['a control character', { full_name: 'Ann\u0007Archer' }],
  ])('%s is refused', async (_, change) => {
    const answer = await server.owner.call('POST', '/users', { ...account, email: 'cleo@example.test', ...change });
    expectRefusal(answer, 'BAD_REQUEST');
  });

  test.each(['email', 'password', 'full_name'])('without %s it is named', async (missing) => {
    const answer = await server.owner.call('POST', '/users', { ...account, [missing]: undefined });
    expect(expectRefusal(answer, 'REQUEST_VARIABLE_MISSING').var_name).toBe(missing);
  });
});

describe('reading users', () => {
  const shape = {
    user_id: expect.any(Number),
    email: expect.stringContaining('@'),
    delivery_email: expect.stringContaining('@'),
    full_name: expect.any(String),
    date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/),
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    role: 400,
    timezone: expect.any(String),
    avatar_version: expect.any(Number),
  };

  test('by ID and by address', async () => {
    const { user } = await server.owner.ok('GET', `/users/${ann.userId}`);
    expect(user).toMatchObject({ ...shape, user_id: ann.userId, full_name: 'Ann Archer', email: ann.email });
    expect((await server.owner.ok('GET', `/users/${ann.email}`)).user).toEqual(user);
    expect((await server.owner.ok('GET', `/users/${encodeURIComponent(ann.email.toUpperCase())}`)).user).toEqual(user);
  });

  test('by what stands for an address that is hidden, also when it is not', async () => {
    const standIn = `user${ann.userId}@127.0.0.1`;
    const { user } = await server.owner.ok('GET', `/users/${ann.userId}`);
    expect((await server.owner.ok('GET', `/users/${standIn}`)).user).toEqual(user);
    await server.owner.ok('PATCH', `/users/${standIn}`, { full_name: 'Ann Archer' });
    for (const other of [`user${ann.userId}@example.test`, 'user987654@127.0.0.1', `user${ann.userId}@127.0.0.1.test`])
      expectRefusal(await server.owner.call('GET', `/users/${other}`), 'BAD_REQUEST');
  });

  test('profile data only on request', async () => {
    expect((await ann.ok('GET', `/users/${ann.userId}`)).user).not.toHaveProperty('profile_data');
    const asked = await ann.ok('GET', `/users/${ann.userId}`, { include_custom_profile_fields: true });
    expect(asked.user.profile_data).toEqual({});
  });

  test('an avatar address is given to those who do not compute it', async () => {
    for (const name of ['client_gravatar', 'client_extavatar']) {
      expect((await ann.ok('GET', `/users/${ann.userId}`, { [name]: false })).user.avatar_url).toMatch(/./);
      expect((await ann.ok('GET', `/users/${ann.userId}`, { [name]: true })).user.avatar_url).toBeNull();
    }
    const [listed] = (await ann.ok('GET', '/users', { user_ids: [ann.userId], client_gravatar: false })).members;
    expect((await ann.ok('GET', '/users/me')).avatar_url).toBe(listed.avatar_url);
    expect((await ann.ok('GET', '/users/me', { client_gravatar: true })).avatar_url).toBeNull();
    const both = { client_gravatar: true, client_extavatar: true };
    expectRefusal(await ann.call('GET', `/users/${ann.userId}`, both), 'REQUEST_CONFUSING_VAR');
  });

  test('everyone, the owner and bots included', async () => {
    const { members } = await ann.ok('GET', '/users');
    const owner = members.find(({ email }: { email: string }) => email === server.owner.email);
    expect(owner).toMatchObject({ role: 100, is_owner: true, is_admin: true, full_name: 'Olive Owner' });
    expect(members.find(({ user_id }: { user_id: number }) => user_id === ann.userId)).toMatchObject(shape);
    const few = await ann.ok('GET', '/users', { user_ids: [ann.userId] });
    expect(few.members.map(({ user_id }: { user_id: number }) => user_id)).toEqual([ann.userId]);
  });

  test('oneself, flat', async () => {
    const body = await ann.ok('GET', '/users/me');
    expect(body).toMatchObject({ ...shape, user_id: ann.userId, max_message_id: expect.any(Number), profile_data: {} });
    expect(body).not.toHaveProperty('user');
  });

  test.each(['/users/999999', '/users/nobody@example.test', '/users/0', '/users/99999999999999999999'])(
    '%s is nobody',
    async (path) => {
      expectRefusal(await ann.call('GET', path), 'BAD_REQUEST');
    },
  );

  test('unknown parameters are ignored, and named', async () => {
    const body = await ann.ok('GET', '/users/me', { colour: 'red', user_id: 7 });
    expect([...body.ignored_parameters_unsupported].sort()).toEqual(['colour', 'user_id']);
    expect(await ann.ok('GET', '/users/me')).not.toHaveProperty('ignored_parameters_unsupported');
  });
});
