import { fetch } from '#testing';
import { badRequest } from '#kernel';
import { Controller, Get, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Page, Public } from '../access.js';
import { Authenticator, type SessionOfCaller } from '../authentication.js';
import { createHttpApp } from '../http-app.js';
import { BrowserCookies, Caller, Params } from '../params/decorators.js';
import { Param } from '../params/params.js';
import { text } from '../params/wire-types.js';
import { cookieIn, type Cookies } from './cookies.js';
import { CsrfToken } from './csrf.js';
import { html } from './html.js';
import { PageReply, RedirectReply } from './page.js';

class FormParams {
  @Param(text())
  name!: string;
}

@Controller('form')
class FormController {
  @Page()
  @Get()
  show(@BrowserCookies() cookies: Cookies, @Caller() caller: Caller | undefined): PageReply {
    const form = html`<form method="post">${CsrfToken.of(cookies).field}</form>`;
    return new PageReply(
      'A & B',
      html`<p title="${'"<x>"'}">${caller?.userId ?? 'nobody'}</p>
        ${form}`,
    );
  }

  @Page()
  @Post()
  send(@Params(FormParams) { name }: FormParams): RedirectReply {
    if (name === '<bad>') throw badRequest('<bad> is no name');
    return new RedirectReply(`/form?name=${name}`);
  }
}

@Controller('json/thing')
class CallController {
  @Get()
  look(@Caller() { userId }: Caller): object {
    return { userId };
  }

  @Post()
  change(@Caller() { userId }: Caller): object {
    return { changed: userId };
  }

  @Public()
  @Get('public')
  public(@Caller() caller: Caller | undefined): object {
    return { userId: caller?.userId ?? null };
  }
}

class OneSession extends Authenticator {
  override authenticate(): Caller {
    return { userId: 8 };
  }

  override authenticateSession(token: string): Promise<SessionOfCaller | undefined> {
    return Promise.resolve(token === 'good' ? { caller: { userId: 7 } } : undefined);
  }
}

@Module({
  controllers: [FormController, CallController],
  providers: [{ provide: Authenticator, useClass: OneSession }],
})
class PagesModule {}

let app: NestFastifyApplication;
let origin: string;
let siteUrl: string;
const TOKEN = 't'.repeat(43);
const BASIC = `Basic ${Buffer.from('a@b:c').toString('base64')}`;

beforeAll(async () => {
  app = await createHttpApp(PagesModule, { rateLimits: false, siteUrl: () => siteUrl });
  await app.listen(0, '127.0.0.1');
  origin = `http://127.0.0.1:${(app.getHttpServer().address() as { port: number }).port}`;
});
beforeEach(() => (siteUrl = origin));
afterAll(() => app.close());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${origin}${path}`, { headers, redirect: 'manual' });
const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${origin}${path}`, { method: 'POST', headers, body: new URLSearchParams(form), redirect: 'manual' });

test('a page is HTML that runs, loads and frames nothing, with every text escaped', async () => {
  const answer = await get('/form');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
  expect(answer.headers.get('cache-control')).toContain('no-store');
  expect(answer.headers.get('x-frame-options')).toBe('DENY');
  const page = await answer.text();
  expect(page).toContain('<title>A &amp; B</title>');
  expect(page).toContain('<p title="&quot;&lt;x&gt;&quot;">nobody</p>');
});

test('the token of forms is given once, in a cookie that scripts and other sites do not get', async () => {
  const first = await get('/form');
  const cookie = first.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^csrftoken=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  const token = cookieIn(cookie, 'csrftoken') ?? '';
  expect(await first.text()).toContain(`name="csrfmiddlewaretoken" value="${token}"`);
  const again = await get('/form', { cookie: `a=b; csrftoken=${token}` });
  expect(again.headers.get('set-cookie')).toBeNull();
  expect(await again.text()).toContain(token);
  const forged = await get('/form', { cookie: 'csrftoken=x' });
  expect(forged.headers.get('set-cookie')).toMatch(/^csrftoken=/);
});

test('over https, cookies are for this host and https alone', async () => {
  siteUrl = 'https://chat.example.test';
  const { headers } = await get('/form', { cookie: `csrftoken=${TOKEN}` });
  expect(headers.get('set-cookie')).toMatch(/^__Host-csrftoken=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
});

describe('a form', () => {
  const own = { cookie: `csrftoken=${TOKEN}` };
  const filled = { name: 'x', csrfmiddlewaretoken: TOKEN };

  test('of a page of this server is accepted, and sends the browser on by GET', async () => {
    const answer = await post('/form', filled, { ...own, origin, 'sec-fetch-site': 'same-origin' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/form?name=x']);
    expect((await post('/form', filled, { ...own, origin: 'null' })).status).toBe(303);
    expect((await post('/form', { name: 'x' }, { ...own, 'x-csrftoken': TOKEN })).status).toBe(303);
  });

  test.each([
    ['without a token', { name: 'x' }, own],
    ['without a cookie', filled, {}],
    ['with another token', { ...filled, csrfmiddlewaretoken: 'u'.repeat(43) }, own],
    ['with a short token', { ...filled, csrfmiddlewaretoken: 't' }, own],
    ['with a cookie that is no token', { ...filled, csrfmiddlewaretoken: 't' }, { cookie: 'csrftoken=t' }],
    ['from another origin', filled, { ...own, origin: 'http://evil.example.test' }],
    ['from another site', filled, { ...own, 'sec-fetch-site': 'cross-site' }],
    ['from another host of the site', filled, { ...own, 'sec-fetch-site': 'same-site' }],
  ])('%s is refused', async (_how, form, headers) => {
    const answer = await post('/form', form, headers);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
  });

  test('that is refused says why, as text', async () => {
    const answer = await post('/form', { ...filled, name: '<bad>' }, own);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('<p role="alert">&lt;bad&gt; is no name</p>');
  });
});

describe('a session', () => {
  const session = { cookie: `sessionid=good; csrftoken=${TOKEN}` };
  const tokenOf = async (cookie: string): Promise<string> =>
    /csrfmiddlewaretoken" value="([^"]+)"/.exec(await (await get('/form', { cookie })).text())?.[1] ?? '';

  test('is known on pages, and on calls that take one', async () => {
    expect(await (await get('/form', session)).text()).toContain('>7</p>');
    expect(await (await get('/json/thing', session)).json()).toMatchObject({ userId: 7 });
    expect(await (await get('/json/thing/public', session)).json()).toMatchObject({ userId: null });
  });

  test('that has ended is no session', async () => {
    expect(await (await get('/form', { cookie: 'sessionid=old' })).text()).toContain('>nobody</p>');
    expect((await get('/json/thing', { cookie: 'sessionid=old' })).status).toBe(401);
  });

  test('changes nothing without the token of a page', async () => {
    const refused = await post('/json/thing', {}, session);
    expect([refused.status, await refused.json()]).toMatchObject([403, { result: 'error', code: 'CSRF_FAILED' }]);
    const token = await tokenOf(session.cookie);
    expect((await post('/json/thing', {}, { ...session, 'x-csrftoken': token })).status).toBe(200);
  });

  test('has a token of its own, which no other cookie and no other session makes', async () => {
    const token = await tokenOf(session.cookie);
    expect(await tokenOf('sessionid=good; csrftoken=another')).toBe(token);
    for (const other of [TOKEN, await tokenOf('sessionid=old'), await tokenOf(''), ''])
      expect((await post('/json/thing', {}, { ...session, 'x-csrftoken': other })).status).toBe(403);
  });

  test('is none for a page that takes it for that of another user', async () => {
    const asked = async (as: string) => (await get('/json/thing', { ...session, 'x-session-user': as })).status;
    expect([await asked('7'), await asked('8'), await asked('')]).toEqual([200, 401, 200]);
    expect(await (await get('/form', { ...session, 'x-session-user': '8' })).text()).toContain('>nobody</p>');
  });

  test('counts less than credentials in a call, which need no token; pages take no such credentials', async () => {
    const both = { ...session, authorization: BASIC };
    expect(await (await post('/json/thing', {}, both)).json()).toMatchObject({ changed: 8 });
    expect(await (await get('/form', { authorization: BASIC })).text()).toContain('>nobody</p>');
  });
});
