/** Sessions of browsers on the interface: what counts, what guards them, and how they end. */
import { ask, headersOf } from '#testing';
import { basic } from '../../support/answers.js';
import { CookieBrowser } from '../../support/browser.js';
import type { ApiClient } from '../../support/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let ann: ApiClient;
const WEB_PUBLIC = JSON.stringify([{ operator: 'channels', operand: 'web-public' }]);
const PASSWORD = 'the password of Ann Archer';

beforeAll(async () => {
  server = await startTestServer({ RATE_LIMITS: 'on' });
  ann = await server.user('Ann Archer');
  await server.owner.ok('PATCH', '/realm', { enable_spectator_access: true });
});
afterAll(() => server.stop());

interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

/** A page's script: it sees the bodies of answers, and no cookie. */
class Page extends CookieBrowser {
  csrfToken = '';

  constructor() {
    super(() => server.url);
  }

  async call(verb: string, path: string, headers: Record<string, string> = {}, form = ''): Promise<Called> {
    const body = verb === 'GET' ? {} : { body: form };
    const type: Record<string, string> = verb === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const url = `${server.url}/api/v1${path}`;
    const answer = await this.send(url, { method: verb, ...body, headers: { ...type, ...headers } });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  }

  /** With the token, as a page does it. */
  change(verb: string, path: string, form = ''): Promise<Called> {
    return this.call(verb, path, this.own, form);
  }

  get own(): Record<string, string> {
    return { 'x-csrftoken': this.csrfToken, origin: server.url, 'sec-fetch-site': 'same-origin' };
  }

  async look(): Promise<any> {
    const { body } = await this.call('GET', '/session');
    this.csrfToken = body.csrf_token;
    return body;
  }

  async signIn(email = ann.email, password = PASSWORD): Promise<Called> {
    await this.look();
    const form = new URLSearchParams({ username: email, password }).toString();
    const answer = await this.change('POST', '/session', form);
    if (answer.status === 200) this.csrfToken = answer.body.csrf_token;
    return answer;
  }
}

async function signedIn(): Promise<Page> {
  const page = new Page();
  expect((await page.signIn()).status).toBe(200);
  return page;
}

test('a page signs in, learns who it is, and signs out', async () => {
  const page = new Page();
  const before = await page.call('GET', '/session');
  expect([before.status, before.headers.get('cache-control')]).toEqual([200, expect.stringContaining('no-store')]);
  expect(before.body).toMatchObject({ signed_in: false, user_id: null, ends_at: null });
  const { body } = await page.signIn();
  expect(body).toMatchObject({ signed_in: true, user_id: ann.userId });
  expect(body.csrf_token).not.toBe(before.body.csrf_token);
  expect(body.ends_at - Date.now() / 1000).toBeGreaterThan(14 * 86_400 - 60);
  expect(await page.look()).toMatchObject({ signed_in: true, user_id: ann.userId, csrf_token: body.csrf_token });
  const out = await page.change('DELETE', '/session');
  expect([out.status, out.body]).toMatchObject([200, { signed_in: false, user_id: null }]);
  expect((await page.call('GET', '/users/me')).status).toBe(401);
});

test('a wrong password is one refusal, and begins nothing', async () => {
  const page = new Page();
  const answer = await page.signIn(ann.email, 'wrong');
  expect([answer.status, answer.body.code]).toEqual([401, 'AUTHENTICATION_FAILED']);
  expect((await page.signIn('nobody@example.test', 'wrong')).body).toEqual(answer.body);
  expect(page.cookie('sessionid')).toBeUndefined();
});

test('a page cannot be signed in or out by another site', async () => {
  const page = await signedIn();
  const form = new URLSearchParams({ username: ann.email, password: PASSWORD }).toString();
  for (const [verb, body] of [
    ['POST', form],
    ['DELETE', ''],
  ] as const) {
    expect((await page.call(verb, '/session', {}, body)).body.code).toBe('CSRF_FAILED');
    const authorization = basic(ann.email, ann.apiKey);
    expect((await page.call(verb, '/session', { authorization }, body)).body.code).toBe('CSRF_FAILED');
  }
  expect(await page.look()).toMatchObject({ signed_in: true });
});

describe('what a session opens', () => {
  const POST = ['POST', '/users/me/presence', 'status=active'] as const;
  const GET = ['GET', '/users/me', ''] as const;
  const OPEN = ['GET', `/messages?anchor=newest&num_before=1&num_after=0&narrow=${WEB_PUBLIC}`, ''] as const;
  type Changed = (page: Page) => Record<string, string> | Promise<Record<string, string>>;
  const other = { authorization: '' };

  test.each<[number, string, readonly [string, string, string], Changed, number, (string | null)?]>([
    [1, 'read, with the cookie alone', GET, () => ({}), 200],
    [2, 'read, from the own page', GET, (page) => page.own, 200],
    [3, 'change, with the token', POST, (page) => page.own, 200],
    [4, 'change, with the token and without headers of a browser', POST, (p) => ({ 'x-csrftoken': p.csrfToken }), 200],
    [5, 'change, without a token', POST, () => ({}), 403, 'CSRF_FAILED'],
    [6, 'change, with an empty token', POST, () => ({ 'x-csrftoken': '' }), 403, 'CSRF_FAILED'],
    [7, 'change, with a token that was made up', POST, () => ({ 'x-csrftoken': 'a'.repeat(43) }), 403, 'CSRF_FAILED'],
    [
      8,
      'change, with a token from before the sign-in in another tab',
      POST,
      async (page) => {
        const stale = page.own;
        await page.signIn();
        return stale;
      },
      403,
      'CSRF_FAILED',
    ],
    [
      9,
      'change, cross-site with the token',
      POST,
      (p) => ({ ...p.own, 'sec-fetch-site': 'cross-site' }),
      403,
      'CSRF_FAILED',
    ],
    [
      10,
      'change, from another host of the site',
      POST,
      (p) => ({ ...p.own, 'sec-fetch-site': 'same-site' }),
      403,
      'CSRF_FAILED',
    ],
    [11, 'change, from another origin', POST, (p) => ({ ...p.own, origin: 'https://evil.test' }), 403, 'CSRF_FAILED'],
    [12, 'change, with a key besides and no token', POST, () => ({ authorization: basic(ann.email, ann.apiKey) }), 200],
    [
      13,
      'change, with a wrong key besides',
      POST,
      (p) => ({ ...p.own, authorization: basic(ann.email, 'x'.repeat(32)) }),
      401,
      'INVALID_API_KEY',
    ],
    [14, 'read, with an empty authorization besides', GET, () => other, 401, 'UNAUTHORIZED'],
    [
      15,
      'read, after the password changed',
      GET,
      async () => {
        await ann.ok('PATCH', '/settings', { old_password: PASSWORD, new_password: 'Quite another one 77' });
        await ann.ok('PATCH', '/settings', { old_password: 'Quite another one 77', new_password: PASSWORD });
        return {};
      },
      401,
      'UNAUTHORIZED',
    ],
    [
      16,
      'change, after signing out',
      POST,
      async (p) => (await p.change('DELETE', '/session'), p.own),
      401,
      'UNAUTHORIZED',
    ],
    [
      17,
      'read, with the cookie of a session that was signed out',
      GET,
      async (page) => {
        const session = page.cookie('sessionid') ?? '';
        expect((await page.change('DELETE', '/session')).body).toMatchObject({ signed_in: false });
        page.steal('sessionid', session);
        return {};
      },
      401,
      'UNAUTHORIZED',
    ],
    [
      18,
      'read, with a token that was made up',
      GET,
      (p) => (p.steal('sessionid', `${ann.userId}.${'a'.repeat(43)}`), {}),
      401,
      'UNAUTHORIZED',
    ],
    [
      19,
      'read, with a cookie that is no token',
      GET,
      (page) => (page.steal('sessionid', '7'), {}),
      401,
      'UNAUTHORIZED',
    ],
    [
      20,
      'read, after deactivation and back',
      GET,
      async () => {
        await server.owner.ok('DELETE', `/users/${ann.userId}`);
        await server.owner.ok('POST', `/users/${ann.userId}/reactivate`);
        return {};
      },
      401,
      'UNAUTHORIZED',
    ],
    [
      21,
      'change, with the token of another session that the browser had, and its cookies',
      POST,
      async (page) => {
        const another = await signedIn();
        page.steal('sessionid', another.cookie('sessionid') ?? '', { csrftoken: page.csrfToken });
        return page.own;
      },
      403,
      'CSRF_FAILED',
    ],
    [
      22,
      'read, for a page of another account',
      GET,
      () => ({ 'x-session-user': String(ann.userId + 1) }),
      401,
      'UNAUTHORIZED',
    ],
    [
      23,
      'read what is open to all, for a page of another account',
      OPEN,
      () => ({ 'x-session-user': String(ann.userId + 1) }),
      401,
      'UNAUTHORIZED',
    ],
    [
      24,
      'read what is open to all, for a page of the account, after signing out',
      OPEN,
      async (page) => {
        await page.change('DELETE', '/session');
        return { 'x-session-user': String(ann.userId) };
      },
      401,
      'UNAUTHORIZED',
    ],
    [25, 'read what is open to all, for a page that has no account yet', OPEN, () => ({ 'x-session-user': '' }), 200],
    [
      26,
      'look who is signed in, for a page of another account',
      ['GET', '/session', ''],
      () => ({ 'x-session-user': String(ann.userId + 1) }),
      200,
    ],
  ])('%i %s', async (...[, , [verb, path, form], headers, status, code]) => {
    const page = await signedIn();
    const answer = await page.call(verb, path, await headers(page), form);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

test('messages of a session are of the client `website`', async () => {
  const page = await signedIn();
  const form = new URLSearchParams({ type: 'direct', to: `[${ann.userId}]`, content: 'Hello', client: 'mine' });
  const { id } = (await page.change('POST', '/messages', form.toString())).body;
  expect((await page.call('GET', `/messages/${id}`)).body.message.client).toBe('website');
});

test('ten tabs that poll 20 messages a second are never refused', async () => {
  const page = await signedIn();
  const queues: { readonly id: string; last: number; seen: number; polls: number }[] = [];
  for (let tab = 0; tab < 10; tab++) {
    const { body } = await page.change('POST', '/register', 'event_types=["message"]');
    queues.push({ id: body.queue_id, last: body.last_event_id, seen: 0, polls: 0 });
  }
  const count = 60;
  const talk = async (): Promise<void> => {
    // The owner has a budget of calls of its own.
    for (let n = 0; n < count; n++) await server.owner.sendTo([ann], `Message ${n}`);
  };
  const poll = async (queue: (typeof queues)[number]): Promise<void> => {
    while (queue.seen < count) {
      const { status, body } = await page.call('GET', `/events?queue_id=${queue.id}&last_event_id=${queue.last}`);
      expect([status, body.code]).toEqual([200, undefined]);
      queue.polls++;
      for (const { id, type } of body.events) {
        queue.last = Math.max(queue.last, id);
        if (type === 'message') queue.seen++;
      }
    }
  };
  await Promise.all([talk(), ...queues.map(poll)]);
  const polls = queues.reduce((total, queue) => total + queue.polls, 0);
  // More than the calls that a user has in a minute.
  expect(polls).toBeGreaterThan(200);
});

test('a queue that does not exist cannot be sought by polls without number', async () => {
  const ben = await server.user('Ben Baker');
  const statuses = new Set<number>();
  for (let n = 0; n < 210; n++) {
    statuses.add((await ben.call('GET', '/events', { queue_id: `q${n}`, last_event_id: 0, dont_block: true })).status);
  }
  expect([...statuses]).toEqual([400, 429]);
});

describe('the link for the owner', () => {
  test('signs in once, on this machine, without a proxy', async () => {
    const link = server.ownerLink?.() ?? '';
    const visit = async (
      headers: Record<string, string> = {},
    ): Promise<[number | undefined, string | null, string]> => {
      const answer = await ask(link, { method: 'GET', headers });
      answer.resume();
      const set = headersOf(answer).getSetCookie().join();
      return [answer.statusCode, headersOf(answer).get('location'), set];
    };
    expect((await visit({ 'x-forwarded-for': '127.0.0.1' }))[0]).toBe(401);
    expect(await visit()).toEqual([303, '/', expect.stringContaining('sessionid=')]);
    expect((await visit())[0]).toBe(401);
  });

  test('ends when another is issued', async () => {
    const first = server.ownerLink?.() ?? '';
    server.ownerLink?.();
    const answer = await ask(first, { method: 'GET' });
    answer.resume();
    expect(answer.statusCode).toBe(401);
  });
});
