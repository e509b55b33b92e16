/** Signing in with a browser: by password, and at a real OpenID provider. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fetch, freePort } from '#testing';
import { basic, expectRefusal } from '../../support/answers.js';
import { CookieBrowser } from '../../support/browser.js';
import type { ApiClient } from '../../support/client.js';
import { csrfTokenOf } from '../../support/signed-in.js';
import { startTestServer, type TestServer } from '../../support/server.js';

let provider: ChildProcess;
let issuer: string;
let server: TestServer;
let ann: ApiClient;
const PASSWORD = 'the password of Ann Archer';

beforeAll(async () => {
  const port = await freePort();
  provider = spawn(
    process.execPath,
    [join(__dirname, '../../support/identity-provider.mjs'), `http://127.0.0.1:${port}/complete/oidc`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  issuer = await new Promise((resolve) => {
    provider.stdout?.on('data', (chunk: Buffer) => {
      const found = /^http:\S+/m.exec(chunk.toString())?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  server = await startTestServer({
    PORT: String(port),
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'chat',
    OIDC_CLIENT_SECRET: 'a secret of the client',
    OIDC_NAME: 'Acme',
  });
  ann = await server.user('Ann Archer');
});
afterAll(async () => {
  await server.stop();
  provider.kill();
});

class Browser extends CookieBrowser {
  constructor() {
    super(() => server.url);
  }

  signIn(password = PASSWORD, more: Record<string, string> = {}): Promise<Response> {
    return this.form('/login/', { username: ann.email, password, ...more });
  }

  csrfToken(): Promise<string> {
    return csrfTokenOf(server.url, `sessionid=${this.cookie('sessionid')}`);
  }

  async isSignedIn(): Promise<boolean> {
    return (await (await this.send(`${server.url}/login/`)).text()).includes(`(${ann.email})`);
  }
}

const as = (claims: object): Promise<Response> =>
  fetch(`${issuer}/as`, { method: 'POST', body: JSON.stringify(claims) });
const OIDC = '/accounts/login/social/oidc';

describe('by password', () => {
  test('a page without scripts, with labels for its fields', async () => {
    const response = await new Browser().send(`${server.url}/login/`);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    const html = await response.text();
    expect(html).toContain('<label for="password">Password</label>');
    expect(html).toContain('autocomplete="current-password"');
    expect(html).not.toContain('<script');
  });

  test('signs in, to a page of this server alone, with a new session each time', async () => {
    const browser = new Browser();
    const first = await browser.signIn(PASSWORD, { next: '/api/docs?x=1' });
    expect([first.status, first.headers.get('location')]).toEqual([303, '/api/docs?x=1']);
    expect(await browser.isSignedIn()).toBe(true);
    const session = browser.cookie('sessionid');
    const others = ['//evil.test/', '/\\evil.test', 'https://evil.test/', 'javascript:alert(1)', '/a\nb'];
    for (const next of others) {
      const another = new Browser();
      expect((await another.signIn(PASSWORD, { next })).headers.get('location')).toBe('/');
      expect(another.cookie('sessionid')).not.toBe(session);
    }
  });

  test('the cookie is out of reach of scripts and other sites, and the log holds no token', async () => {
    const browser = new Browser();
    const [session = ''] = (await browser.signIn()).headers
      .getSetCookie()
      .filter((set) => set.startsWith('sessionid='));
    expect(session).toMatch(/^sessionid=\d+\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/);
    expect(await server.rawLog()).not.toContain(browser.cookie('sessionid')!.split('.')[1]);
  });

  test('scripts tell sessions apart by a mark that opens nothing, and that goes with the session', async () => {
    const browser = new Browser();
    const [mark = ''] = (await browser.signIn()).headers.getSetCookie().filter((set) => set.startsWith('sessionmark='));
    expect(mark).toMatch(/^sessionmark=s\w+; Path=\/; SameSite=Lax; Max-Age=1209600$/);
    const other = new Browser();
    await other.signIn();
    expect(other.cookie('sessionmark')).not.toBe(browser.cookie('sessionmark'));
    const asked = await fetch(`${server.url}/api/v1/session`, {
      headers: { cookie: `sessionid=${browser.cookie('sessionmark')}` },
    });
    expect(await asked.json()).toMatchObject({ signed_in: false });
    await browser.form('/accounts/logout/', {});
    expect([browser.cookie('sessionid'), browser.cookie('sessionmark')]).toEqual([undefined, undefined]);
  });

  test('a wrong password and an unknown address look alike', async () => {
    const browser = new Browser();
    const wrong = await browser.signIn('wrong');
    expect(wrong.status).toBe(401);
    expect(await wrong.text()).toContain('<p role="alert">Your username or password is incorrect</p>');
    const unknown = await browser.form('/login/', { username: 'no@example.test', password: 'wrong' });
    expect([unknown.status, await unknown.text()]).toEqual([401, expect.stringContaining('password is incorrect')]);
    expect(await browser.isSignedIn()).toBe(false);
  });

  test('without the token of the page, nothing happens', async () => {
    const body = new URLSearchParams({ username: ann.email, password: PASSWORD });
    expect((await fetch(`${server.url}/login/`, { method: 'POST', body })).status).toBe(403);
  });

  test('a session counts in calls with the token of its forms', async () => {
    const browser = new Browser();
    await browser.signIn();
    const call = (headers: Record<string, string>): Promise<Response> =>
      browser.send(`${server.url}/json/fetch_api_key`, {
        method: 'POST',
        body: new URLSearchParams({ password: PASSWORD }),
        headers,
      });
    const answer = await call({ 'x-csrftoken': await browser.csrfToken() });
    expect([answer.status, await answer.json()]).toMatchObject([200, { api_key: ann.apiKey, email: ann.email }]);
    const byForm = await browser.form('/json/fetch_api_key', { password: PASSWORD });
    expect([byForm.status, Object.keys((await byForm.json()) as object)]).toEqual([
      200,
      ['result', 'msg', 'api_key', 'email'],
    ]);
    const refused = await call({});
    expect([refused.status, await refused.json()]).toMatchObject([403, { result: 'error', code: 'CSRF_FAILED' }]);
  });

  test('a page renews the API key, and the session ends with the old one', async () => {
    const browser = new Browser();
    const eve = await server.user('Eve Early');
    await browser.form('/login/', { username: eve.email, password: 'the password of Eve Early' });
    const path = '/users/me/api_key/regenerate';
    const renew = (prefix: string, headers: Record<string, string>): Promise<Response> =>
      browser.send(`${server.url}${prefix}${path}`, { method: 'POST', headers });
    const token = { 'x-csrftoken': await browser.csrfToken() };
    expect((await renew('/json', {})).status).toBe(403);
    expect((await renew('/api/v1', {})).status).toBe(403);
    expect((await eve.call('GET', '/users/me')).status).toBe(200);
    const answer = await renew('/json', token);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { result: 'success', msg: '', api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/) },
    ]);
    expectRefusal(await eve.call('GET', '/users/me'), 'INVALID_API_KEY', 401);
    expect((await renew('/json', token)).status).toBe(401);
  });

  test('signing out ends the session, not only the cookie', async () => {
    const browser = new Browser();
    await browser.signIn();
    const session = browser.cookie('sessionid')!;
    expect((await browser.form('/accounts/logout/', {})).headers.get('location')).toBe('/login/');
    expect(browser.cookie('sessionid')).toBeUndefined();
    browser.steal('sessionid', session);
    expect(await browser.isSignedIn()).toBe(false);
  });

  test('a session survives a restart, and ends with the password', async () => {
    const browser = new Browser();
    await browser.signIn();
    await server.restart();
    expect(await browser.isSignedIn()).toBe(true);
    const [before, after] = [PASSWORD, 'Quite another one 77'];
    await ann.ok('PATCH', '/settings', { old_password: before, new_password: after });
    expect(await browser.isSignedIn()).toBe(false);
    await ann.ok('PATCH', '/settings', { old_password: after, new_password: before });
  });

  test('a session ends with the account, also when it comes back', async () => {
    const browser = new Browser();
    await browser.signIn();
    await server.owner.ok('DELETE', `/users/${ann.userId}`);
    expect(await browser.isSignedIn()).toBe(false);
    await server.owner.ok('POST', `/users/${ann.userId}/reactivate`);
    expect(await browser.isSignedIn()).toBe(false);
  });
});

describe('at an OpenID provider', () => {
  beforeEach(() => as({ email: ann.email, email_verified: true }));

  test('it is offered, and leads to a session', async () => {
    const settings = await (await fetch(`${server.url}/api/v1/server_settings`)).json();
    expect(settings.authentication_methods['openid connect']).toBe(true);
    expect(settings.external_authentication_methods).toEqual([
      {
        name: 'oidc',
        display_name: 'Acme',
        display_icon: null,
        login_url: OIDC,
        signup_url: '/accounts/register/social/oidc',
      },
    ]);
    const browser = new Browser();
    const page = await (await browser.send(`${server.url}/login/`)).text();
    expect(page).toContain(`<a href="${OIDC}?next=%2F">Sign in with Acme</a>`);
    const { url, response } = await browser.open(`${server.url}${OIDC}?next=/api/docs`);
    expect([url, response.status]).toEqual([`${server.url}/api/docs`, 200]);
    expect(await browser.isSignedIn()).toBe(true);
    expect(browser.cookie('oidc')).toBeUndefined();
  });

  test('an app gets the key, by its one-time pad, and the browser no session', async () => {
    const browser = new Browser();
    const otp = 'a1'.repeat(32);
    const { url } = await browser.open(`${server.url}${OIDC}?mobile_flow_otp=${otp}`);
    const { protocol, hostname, searchParams } = new URL(url);
    expect([protocol, hostname]).toEqual(['zulip:', 'login']);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      realm: server.url,
      email: ann.email,
      user_id: String(ann.userId),
    });
    const encrypted = Buffer.from(searchParams.get('otp_encrypted_api_key')!, 'hex');
    expect(Buffer.from(encrypted.map((byte) => byte ^ 0xa1)).toString()).toBe(ann.apiKey);
    expect(browser.cookie('sessionid')).toBeUndefined();
    expect((await browser.send(`${server.url}${OIDC}?mobile_flow_otp=abc`)).status).toBe(400);
  });

  test.each([
    ['an address that is not verified', { email: 'ann.archer@example.test', email_verified: false }],
    ['an address of which nothing is said', { email: 'ann.archer@example.test' }],
    ['no address', { email_verified: true }],
    ['an unknown address', { email: 'stranger@example.test', email_verified: true }],
  ])('%s opens nothing', async (_, claims) => {
    await as(claims);
    const browser = new Browser();
    const { response } = await browser.open(`${server.url}${OIDC}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    expect(browser.cookie('sessionid')).toBeUndefined();
  });

  test('a deactivated account, and one of a bot, open nothing', async () => {
    const ben = await server.user('Ben Baker');
    await server.owner.ok('DELETE', `/users/${ben.userId}`);
    await ann.ok('POST', '/bots', { full_name: 'Helper', short_name: 'helper' });
    const [{ username }] = (await ann.ok('GET', '/bots')).bots;
    for (const email of [ben.email, username]) {
      await as({ email, email_verified: true });
      expect((await new Browser().open(`${server.url}${OIDC}`)).response.status).toBe(401);
    }
  });

  /** Goes as far as the provider's answer. */
  async function answered(browser: Browser): Promise<string> {
    for (let at = `${server.url}${OIDC}`; ;) {
      const location = (await browser.send(at)).headers.get('location');
      at = new URL(location ?? '', at).href;
      if (at.startsWith(`${server.url}/complete`)) return at;
    }
  }

  test('an answer opens nothing in another browser, twice, or changed', async () => {
    const browser = new Browser();
    const stolen = await answered(browser);
    expect((await new Browser().send(stolen)).status).toBe(401);
    const attacker = new Browser();
    await attacker.send(`${server.url}${OIDC}`);
    expect((await attacker.send(stolen)).status).toBe(401);
    expect((await browser.send(stolen)).status).toBe(303);
    expect((await browser.send(stolen)).status).toBe(401);
    const other = new Browser();
    const changed = new URL(await answered(other));
    changed.searchParams.set('code', 'x');
    expect((await other.send(changed.href)).status).toBe(401);
    expect((await new Browser().send(`${server.url}/complete/oidc`)).status).toBe(401);
  });

  test('it can be turned off by the organization', async () => {
    const browser = new Browser();
    const late = await answered(browser);
    await server.owner.ok('PATCH', '/realm', { authentication_methods: { 'OpenID Connect': false } });
    expect((await new Browser().send(`${server.url}${OIDC}`)).status).toBe(404);
    expect((await browser.send(late)).status).toBe(404);
    const settings = await (await fetch(`${server.url}/api/v1/server_settings`)).json();
    expect(settings.external_authentication_methods).toEqual([]);
    expect(await (await browser.send(`${server.url}/login/`)).text()).not.toContain('Acme');
    await server.owner.ok('PATCH', '/realm', { authentication_methods: { 'OpenID Connect': true } });
  });

  test('credentials of the interface open no page', async () => {
    const authorization = basic(ann.email, ann.apiKey);
    const page = await (await fetch(`${server.url}/login/`, { headers: { authorization } })).text();
    expect(page).toContain('Sign in to');
  });
});
