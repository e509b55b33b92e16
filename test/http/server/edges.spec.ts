import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { fetch, rounds, sized } from '#testing';
import { basic, exchange, expectRefusal } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let ann: ApiClient;
let authorization: string;

beforeAll(async () => {
  server = await startTestServer();
  ann = await server.user('Ann Archer');
  authorization = basic(ann.email, ann.apiKey);
  await ann.subscribe('den');
});
afterAll(() => server.stop());

const api = (path: string, init: RequestInit = {}): ReturnType<typeof exchange> =>
  exchange(`${server.url}/api/v1${path}`, {
    ...init,
    headers: { authorization, ...(init.headers as Record<string, string> | undefined) },
  });
const post = (path: string, type: string, body: string): ReturnType<typeof exchange> =>
  api(path, { method: 'POST', headers: { 'content-type': type }, body });

describe('envelope', () => {
  test.each(['/no/such/thing', '/messages/1/no_such', '/userss', '/%2e%2e/secret'])(
    'unknown path %s: 404',
    async (path) => {
      expectRefusal(await api(path), 'BAD_REQUEST', 404);
    },
  );

  test.each([
    ['PUT', '/messages', ['GET', 'POST']],
    ['PATCH', '/register', ['POST']],
    ['POST', '/events', ['DELETE', 'GET']],
    ['GET', '/fetch_api_key', ['POST']],
    ['PUT', '/users/me', ['DELETE', 'GET']],
    ['GET', '/messages/render', ['POST']],
    ['HEAD', '/messages/flags', ['POST']],
    ['PATCH', '/messages/matches_narrow?msg_ids=[]', ['GET']],
  ])('%s %s: 405 and what is allowed', async (method, path, allowed) => {
    const answer = await api(path, { method });
    expect(answer.status).toBe(405);
    if (method === 'HEAD') return;
    expect(answer.body).toMatchObject({ result: 'error', code: expect.any(String) });
    expect([...answer.body.allowed_methods]).toEqual(expect.arrayContaining(allowed));
    expect(answer.headers.get('allow')?.split(/, */)).toEqual(expect.arrayContaining(allowed));
  });

  test('a name in the place of an ID has the verbs of its own route alone', async () => {
    const answer = await api('/messages/render');
    expect(answer.body.allowed_methods).toEqual(['OPTIONS', 'POST']);
    expect((await api('/messages/render', { method: 'OPTIONS' })).headers.get('allow')).toBe('OPTIONS, POST');
    expect((await api('/messages/nothing')).status).toBe(400);
  });

  test('summaries of topics are not made here', async () => {
    expectRefusal(await api('/messages/summary?narrow=[]'), 'BAD_REQUEST', 404);
    expect((await api('/messages/summary', { method: 'POST' })).status).toBe(405);
  });

  test('OPTIONS: 204 and what is allowed', async () => {
    const answer = await api('/messages', { method: 'OPTIONS' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('allow')).toMatch(/GET/);
    expect(answer.headers.get('allow')).toMatch(/POST/);
    expectRefusal(await api('/no/such', { method: 'OPTIONS' }), 'BAD_REQUEST', 404);
  });

  test('HEAD is GET without a body', async () => {
    const [head, get] = [await api('/server_settings', { method: 'HEAD' }), await api('/server_settings')];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
  });

  test('success is `success`, with an empty msg, in JSON', async () => {
    const answer = await api('/users/me');
    expect(answer.body).toMatchObject({ result: 'success', msg: '' });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-request-id')).toMatch(/\S/);
  });

  test('a trailing slash is harmless', async () => {
    expect((await api('/users/me/')).status).toBeLessThan(500);
  });

  test('repeated slashes are one, in a path alone', async () => {
    const at = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${server.url}${path}`, { redirect: 'manual', headers: { authorization }, ...init });
    for (const path of ['//api/v1/users/me', '/api///v1//users////me', '/api/v1//users/me?a=b//c']) {
      const response = await at(path);
      expect([path, response.status, response.url]).toEqual([path, 200, `${server.url}${path}`]);
      expect(await response.json()).toMatchObject({ email: ann.email });
    }
    const login = new URLSearchParams({ username: 'nobody@example.com', password: 'a//b' });
    expect((await at('//json//fetch_api_key', { method: 'POST', body: login })).status).not.toBe(404);
    const { avatar_url } = await ann.ok('GET', '/users/me');
    expect((await at(`/${avatar_url}`)).headers.get('content-type')).toBe('image/png');
    const { location } = Object.fromEntries((await at(`//avatar//${ann.userId}`)).headers);
    expect(location).toMatch(/^\/user_avatars\/\d/);
    expect((await at('//example.com//')).status).toBe(404);
  });
});

describe('the front page', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const at = (path: string, accept: string, method = 'GET'): Promise<Response> =>
    fetch(`${server.url}${path}`, { method, headers: { accept } });

  test('tells a browser what this is, that it is ready, and where documentation and credentials are', async () => {
    const answer = await at('/', BROWSER);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const page = await answer.text();
    expect(page).toMatch(/^<!doctype html>\s+<html lang="en">/);
    expect(page).toContain('Scrollback, a team-chat server');
    expect(page).toContain('The server is ready.');
    expect(page).toContain('owner.zuliprc');
    expect(page).toContain(`the address of the server is ${server.url}. Log in there`);
    expect(page).not.toContain(server.owner.apiKey);
    const docs = /href="([^"]+)"/.exec(page)?.[1] ?? '';
    expect((await at(docs, BROWSER)).status).toBe(200);
  });

  test('runs nothing, and is never kept', async () => {
    const { headers } = await at('/?x=1', BROWSER);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
    expect(headers.get('content-security-policy')).not.toMatch(/script|unsafe/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('vary')).toBe('accept');
  });

  test('has no body for HEAD', async () => {
    const answer = await at('/', BROWSER, 'HEAD');
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  test.each(['*/*', 'application/json', 'text/html;q=0, application/json'])(
    'is a success for a monitor that accepts %s',
    async (accept) => {
      const answer = await at('/', accept);
      expect([answer.status, answer.headers.get('vary'), await answer.json()]).toEqual([
        200,
        'accept',
        { result: 'success', msg: '' },
      ]);
    },
  );

  test.each([
    ['POST', '/', BROWSER],
    ['GET', '/no/such', BROWSER],
    ['GET', '/api/v1', BROWSER],
  ])('%s %s that accepts %s: the JSON error', async (method, path, accept) => {
    const answer = await at(path, accept, method);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { result: 'error', msg: 'Not found', code: 'BAD_REQUEST' },
    ]);
  });
});

describe('a refusal repeats no more than the beginning of a long text', () => {
  const LONG = 'x'.repeat(7_000);

  test.each<[string, string, Record<string, unknown>]>([
    ['POST', '/messages', { type: 'stream', to: LONG, topic: 'soup', content: 'soup' }],
    ['POST', '/messages', { type: 'direct', to: LONG, content: 'soup' }],
    ['DELETE', '/users/me/subscriptions', { subscriptions: [LONG.slice(0, 1_000)] }],
    ['PATCH', '/realm', { authentication_methods: { [LONG]: true } }],
    ['GET', '/operator/pending', { kind: LONG }],
  ])('%s %s', async (method, path, parameters) => {
    const answer = await server.owner.call(method, path, parameters);
    expect([answer.status, answer.body.msg]).toEqual([400, expect.stringMatching(/x{254}/)]);
    expect(answer.text).not.toMatch(/x{255}/);
  });

  test('of a custom emoji', async () => {
    const answer = await server.owner.call('DELETE', `/realm/emoji/${LONG.slice(0, 1_000)}`);
    expect([answer.status, answer.body.msg]).toEqual([404, `Emoji '${LONG.slice(0, 254)}' does not exist`]);
  });

  test('of an address that nobody can be invited at', async () => {
    const answer = await server.owner.call('POST', '/invites', { invitee_emails: LONG, stream_ids: [] });
    expect([answer.status, answer.body.errors]).toEqual([400, [[LONG.slice(0, 254), 'Invalid address.', false]]]);
  });
});

describe('bodies', () => {
  test('too large: 413', async () => {
    const answer = await post(
      '/messages',
      'application/x-www-form-urlencoded',
      `content=${'x'.repeat(60_000_000)}`,
    ).catch((error: unknown) => error);
    // The server may hang up on a sender that does not stop; then there is no answer to read.
    if (answer instanceof Error) expect(String(answer.cause)).toMatch(/EPIPE|ECONNRESET|other side closed/);
    else expect(answer).toMatchObject({ status: 413, body: { result: 'error', code: expect.any(String) } });
    expect((await api('/users/me')).status).toBe(200);
  });

  test.each<[string, string, string]>([
    ['JSON as a body', 'application/json', '{"type":"direct"}'],
    ['broken JSON', 'application/json', '{'],
    ['text', 'text/plain', 'hello'],
    ['an unknown type', 'application/x-strange', 'hello'],
    ['a nameless type', '', 'hello'],
    ['multipart without a boundary', 'multipart/form-data', 'hello'],
    ['multipart that never begins', 'multipart/form-data; boundary=xyz', 'hello'],
    [
      'multipart that never ends',
      'multipart/form-data; boundary=xyz',
      '--xyz\r\nContent-Disposition: form-data; name="type"\r\n\r\ndirect',
    ],
    [
      'multipart that never ends its file',
      'multipart/form-data; boundary=xyz',
      '--xyz\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nsoup',
    ],
    [
      'multipart with a nameless field',
      'multipart/form-data; boundary=xyz',
      '--xyz\r\nContent-Disposition: form-data\r\n\r\nx\r\n--xyz--\r\n',
    ],
    [
      'multipart with a large part that is no field',
      'multipart/form-data; boundary=xyz',
      `--xyz\r\nX-Part: none\r\n\r\n${'x'.repeat(1_000_000)}\r\n--xyz--\r\n`,
    ],
    ['multipart with a nameless part', 'multipart/form-data; boundary=xyz', '--xyz\r\n\r\nx\r\n--xyz--\r\n'],
    ['bad percent-encoding', 'application/x-www-form-urlencoded', 'type=%zz&to=%'],
    ['bad UTF-8', 'application/x-www-form-urlencoded', 'type=%ff%fe'],
    ['a lone surrogate', 'application/x-www-form-urlencoded', 'type=%ED%A0%80'],
    ['only separators', 'application/x-www-form-urlencoded', '&&&===&'],
    ['prototype names', 'application/x-www-form-urlencoded', '__proto__=1&constructor=2&toString=3'],
  ])('%s: a 4xx in JSON', async (_, type, body) => {
    const answer = await post('/messages', type, body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).toMatchObject({ result: 'error', msg: expect.any(String), code: expect.any(String) });
  });

  describe('a file that is named like a parameter', () => {
    const file = (name: string): string =>
      `--xyz\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\nsoup\r\n`;
    const field = (name: string, value: string): string =>
      `--xyz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const form = (...parts: readonly string[]): string => `${parts.join('')}--xyz--\r\n`;
    const render = (body: string): ReturnType<typeof exchange> =>
      post('/messages/render', 'multipart/form-data; boundary=xyz', body);

    test('is no value of it', async () => {
      expectRefusal(await render(form(file('content'))), 'REQUEST_VARIABLE_MISSING');
    });

    test('leaves the value of the field, before and after it', async () => {
      for (const parts of [
        [file('content'), field('content', 'hello')],
        [field('content', 'hello'), file('content')],
      ]) {
        const { status, body } = await render(form(...parts));
        expect([status, body]).toEqual([200, { result: 'success', msg: '', rendered: '<p>hello</p>' }]);
      }
    });

    test('is none without a filename, whatever its type', async () => {
      const part = field('content', 'hello').replace('\r\n\r\n', '\r\nContent-Type: application/octet-stream\r\n\r\n');
      const { status, body } = await render(form(part));
      expect([status, body]).toEqual([200, { result: 'success', msg: '', rendered: '<p>hello</p>' }]);
    });

    test('is named as unsupported, with and without parameters', async () => {
      const { body } = await post(
        '/users/me/status',
        'multipart/form-data; boundary=xyz',
        form(field('status_text', 'x'), file('emoji_name')),
      );
      expect(body).toMatchObject({ result: 'success', ignored_parameters_unsupported: ['emoji_name'] });
      const none = await post('/mark_all_as_read', 'multipart/form-data; boundary=xyz', form(file('b'), file('a')));
      expect(none.body).toMatchObject({ result: 'success', ignored_parameters_unsupported: ['a', 'b'] });
    });
  });

  test.each(['null', 'undefined'])('%s stands for an absent include_subscribers', async (include_subscribers) => {
    expect(await ann.ok('GET', '/users/me/subscriptions', { include_subscribers })).toEqual(
      await ann.ok('GET', '/users/me/subscriptions'),
    );
    const { state } = await ann.register({ include_subscribers, fetch_event_types: ['subscription'] });
    expect(state.subscriptions[0]).not.toHaveProperty('subscribers');
    expect(await ann.ok('GET', '/users/me/subscriptions', { include_subscribers: '"partial"' })).toEqual(
      await ann.ok('GET', '/users/me/subscriptions', { include_subscribers: 'partial' }),
    );
  });

  test.each([
    ['/messages', 'application/x-www-form-urlencoded'],
    ['/users/me/status', 'application/x-www-form-urlencoded'],
    ['/messages', 'application/json'],
    ['/messages', 'multipart/form-data; boundary=xyz'],
    ['/user_uploads', 'multipart/form-data; boundary=xyz'],
  ])('a compressed body of %s as %s: 415 that says so', async (path, type) => {
    const body = gzipSync('status_text=x');
    const send = (coding: string): ReturnType<typeof exchange> =>
      api(path, { method: 'POST', headers: { 'content-type': type, 'content-encoding': coding }, body });
    const answer = await send('gzip');
    expectRefusal(answer, 'UNSUPPORTED_MEDIA_TYPE', 415);
    expect(answer.body.msg).toBe("Content-Encoding 'gzip' is not supported. Send the body as it is.");
    for (const coding of ['identity', 'Identity, identity', 'UTF-8', '']) expect((await send(coding)).status).toBe(400);
  });

  test('a compressed body for an unknown path: 404', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'br' };
    for (const path of ['/no/such/thing', '/audit/requests'])
      expectRefusal(await api(path, { method: 'POST', headers, body: '{}' }), 'BAD_REQUEST', 404);
  });

  test.each(['application/json', 'multipart/form-data; boundary=xyz'])(
    'a compressed body as %s under a wrong verb: what is allowed',
    async (type) => {
      const send = (method: string): ReturnType<typeof exchange> =>
        api('/messages/flags', { method, headers: { 'content-type': type, 'content-encoding': 'br' }, body: '{}' });
      const refused = await send('PUT');
      expectRefusal(refused, 'METHOD_NOT_ALLOWED', 405);
      const asked = await send('OPTIONS');
      expect([asked.status, asked.headers.get('allow')]).toEqual([204, refused.headers.get('allow')]);
    },
  );

  test('multipart with a file that breaks off anywhere: a 4xx in JSON, with and without an account', async () => {
    const whole = '--xyz\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nsoup\r\n--xyz--\r\n';
    for (const path of ['/user_uploads', '/users/me/avatar', '/realm/icon', '/realm/emoji/soup', '/fetch_api_key'])
      for (let end = 1; end < whole.length - 2; end += path === '/fetch_api_key' ? 1 : 7) {
        const { status, body } = await post(path, 'multipart/form-data; boundary=xyz', whole.slice(0, end));
        expect([path, end, status, body]).toEqual([path, end, 400, expect.objectContaining({ result: 'error' })]);
      }
    const headers = { 'content-type': 'multipart/form-data; boundary=xyz' };
    const anonymous = await fetch(`${server.url}/api/v1/fetch_api_key`, {
      method: 'POST',
      headers,
      body: whole.slice(0, -9),
    });
    expect(anonymous.status).toBe(400);
    expect((await api('/users/me')).status).toBe(200);
  });

  test.each(['/users/me?x=%zz', '/users/%zz', '/messages/%00', '/users/me?%00=%00', '/users/me?a[b]=c&a=d&a=e'])(
    'bad encoding in the address: %s',
    async (path) => {
      const answer = await api(path);
      expect(answer.status).toBeLessThan(500);
      expect(answer.body.result).toMatch(/^(success|error)$/);
    },
  );

  test('deep JSON is refused', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    for (const [path, name] of [
      ['/messages', 'to'],
      ['/messages/flags', 'messages'],
      ['/users/me/subscriptions', 'subscriptions'],
    ] as const) {
      const answer = await post(
        path,
        'application/x-www-form-urlencoded',
        new URLSearchParams({
          type: 'direct',
          content: 'x',
          op: 'add',
          flag: 'read',
          [name]: deep,
        }).toString(),
      );
      expect([path, answer.status]).toEqual([path, 400]);
    }
  });

  test.each([
    '9007199254740993',
    '1e3',
    '0x10',
    ' 7 ',
    '77.0',
    '-0',
    'NaN',
    '١',
    '99999999999999999999999',
    '"7"',
    'true',
  ])('integer %j is exact or refused', async (message_id) => {
    const body = new URLSearchParams({ messages: `[${message_id}]`, op: 'add', flag: 'read' });
    const answer = await post('/messages/flags', 'application/x-www-form-urlencoded', body.toString());
    expect([message_id, answer.status]).toEqual([message_id, 400]);
    const window = await api(`/messages?anchor=newest&num_after=0&num_before=${encodeURIComponent(message_id)}`);
    expect([message_id, window.status]).toEqual([message_id, 400]);
  });

  test.each(['True', '1', 'yes', '"true"', ''])('boolean %j is none', async (value) => {
    const answer = await api(`/streams?include_public=${encodeURIComponent(value)}`);
    expect(expectRefusal(answer, 'REQUEST_VARIABLE_INVALID')).toMatchObject({
      var_name: 'include_public',
      bad_value: value,
    });
  });
});

describe('parameters', () => {
  test('come in the address, in a form, and in parts; a body wins', async () => {
    const form = new FormData();
    form.set('subscriptions', '[{"name":"parts"}]');
    const parts = await api('/users/me/subscriptions?subscriptions=[{"name":"address"}]', {
      method: 'POST',
      body: form,
    });
    expect(Object.values(parts.body.subscribed)).toEqual([['parts']]);
    const query = await api('/users/me/subscriptions?subscriptions=[{"name":"address"}]', { method: 'POST' });
    expect(Object.values(query.body.subscribed)).toEqual([['address']]);
    const left = await api('/users/me/subscriptions?subscriptions=["parts","address"]', { method: 'DELETE' });
    expect(left.body.removed.sort()).toEqual(['address', 'parts']);
  });

  test('the method may be named in a form', async () => {
    await ann.subscribe('override');
    const body = new URLSearchParams({ method: 'DELETE', subscriptions: '["override"]' });
    const answer = await post('/users/me/subscriptions', 'application/x-www-form-urlencoded', body.toString());
    expect(answer.body.removed).toEqual(['override']);
  });

  test('those unknown are named; those of the client libraries too', async () => {
    const { body } = await api('/streams?dont_block=true&colour=red&include_public=true');
    expect([...body.ignored_parameters_unsupported].sort()).toEqual(['colour', 'dont_block']);
  });

  test('no name of Object is a parameter', async () => {
    const { status, body } = await api('/streams?__proto__=1&constructor=2&hasOwnProperty=3');
    expect(status).toBe(200);
    expect(body.ignored_parameters_unsupported).toEqual(expect.arrayContaining(['constructor', 'hasOwnProperty']));
  });
});

describe('rate limits', () => {
  test('polls are free, but not with parameters that are refused', async () => {
    const limited = await startTestServer({ RATE_LIMITS: 'on' });
    try {
      for (const parameters of [{ queue_id: 'x' }, { queue_id: 'x', last_event_id: 'one' }]) {
        const answers = await Promise.all(
          Array.from({ length: 205 }, () => limited.owner.call('GET', '/events', parameters)),
        );
        expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(5);
        for (const { headers } of answers) expect(headers.get('x-ratelimit-limit')).toBe('200');
      }
    } finally {
      await limited.stop();
    }
  });

  test('each answer says what is left; beyond it comes 429', async () => {
    const limited = await startTestServer({ RATE_LIMITS: 'on' });
    try {
      const client = limited.owner;
      const first = await client.call('GET', '/users/me');
      expect(Number(first.headers.get('x-ratelimit-limit'))).toBe(200);
      const left = Number(first.headers.get('x-ratelimit-remaining'));
      expect(left).toBeLessThan(200);
      const reset = Number(first.headers.get('x-ratelimit-reset'));
      expect(reset).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1000));
      expect(reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 61);
      const answers = await Promise.all(Array.from({ length: left + 5 }, () => client.call('GET', '/users/me')));
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThanOrEqual(5);
      const body = expectRefusal(refused[0]!, 'RATE_LIMIT_HIT', 429);
      expect(body['retry-after']).toBeGreaterThan(0);
      expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
      const open = (): ReturnType<typeof exchange> => exchange(`${limited.url}/api/v1/server_settings`);
      const anonymous = await Promise.all(Array.from({ length: 110 }, open));
      expect(anonymous.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(10);
    } finally {
      await limited.stop();
    }
  });
});

test('logs say what happened, and no secret', async () => {
  let log = '';
  const loud = await startTestServer({}, (line) => (log += line));
  const client = await loud.user('Secretive Sam');
  await client.sendTo([client], 'my private words');
  const narrow = [['search', 'private search']];
  await client.call('GET', '/messages', { narrow, anchor: 'newest', num_before: 1, num_after: 0 });
  await client.call('POST', '/messages', { type: 'direct', to: 'private words of an error', content: 'x' });
  await client.call('GET', `/users/me?api_key=${client.apiKey}`);
  const { headers } = await client.call('GET', '/messages/999999');
  await loud.stop();
  expect(log).toContain(headers.get('x-request-id'));
  for (const secret of [
    client.apiKey,
    loud.owner.apiKey,
    'the password of Secretive Sam',
    'correct horse',
    'private words',
    'private+words',
    'private%20search',
    'private+search',
    'private search',
    basic(client.email, client.apiKey).slice(6),
  ])
    expect([secret, log.includes(secret)]).toEqual([secret, false]);
});

/** The account that asks must keep its key, and the organization its people. */
const ENDS_ACCESS: ReadonlySet<string> = new Set([
  'DELETE /api/v1/users/me',
  'POST /api/v1/users/me/api_key/regenerate',
  'POST /api/v1/realm/deactivate',
]);

describe('any input', () => {
  interface Route {
    readonly method: string;
    readonly path: string;
    readonly parameters: readonly string[];
  }

  const routes = async (): Promise<Route[]> => {
    const response = await fetch(`${server.url}/api/v1/openapi.json`);
    expect(response.status).toBe(200);
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, any>> };
    return Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: path.startsWith('/api/v1') ? path : `/api/v1${path}`,
        parameters: [
          ...(operation.parameters ?? []).filter((one: any) => one.in !== 'path').map((one: any) => one.name),
          ...Object.values<any>(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
            Object.keys(schema?.properties ?? {}),
          ),
        ],
      })),
    );
  };

  test('the document names the routes, their parameters, and no others', async () => {
    const all = await routes();
    const names = all.map(({ method, path }) => `${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`);
    for (const expected of [
      'POST /api/v1/messages',
      'GET /api/v1/messages',
      'PATCH /api/v1/messages/{}',
      'POST /api/v1/messages/flags',
      'POST /api/v1/register',
      'GET /api/v1/events',
      'DELETE /api/v1/events',
      'POST /api/v1/users/me/subscriptions',
      'GET /api/v1/users/me/{}/topics',
      'GET /api/v1/server_settings',
      'POST /api/v1/fetch_api_key',
    ])
      expect(names).toContain(expected);
    const send = all.find(({ method, path }) => method === 'POST' && path === '/api/v1/messages');
    expect(send?.parameters).toEqual(
      expect.arrayContaining(['type', 'to', 'content', 'topic', 'queue_id', 'local_id']),
    );
  });

  test('the document describes each part of a path, and the items of tuples as its version names them', async () => {
    const text = await (await fetch(`${server.url}/api/v1/openapi.json`)).text();
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, any>> };
    for (const [path, operations] of Object.entries(paths)) {
      const parts = Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name]) => name).sort();
      for (const { parameters = [] } of Object.values(operations)) {
        const described = parameters.filter((one: any) => one.in === 'path').map((one: any) => one.name);
        expect([path, described.sort()]).toEqual([path, parts]);
      }
    }
    expect(text).toContain('"prefixItems":[');
    expect(text).not.toContain('"items":[');
  });

  test('the answer is JSON, and never 5xx', async () => {
    const all = (await routes()).filter(({ method, path }) => !ENDS_ACCESS.has(`${method} ${path}`));
    const garbage = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.json({ maxDepth: 3 }),
      fc.integer().map(String),
      fc.double().map(String),
      fc
        .array(fc.oneof(fc.integer({ min: -2, max: 20 }), fc.string({ maxLength: 6 }), fc.constant(null)))
        .map((value) => JSON.stringify(value)),
      fc
        .array(
          fc.dictionary(
            fc.constantFrom('name', 'operator', 'operand', 'negated', 'stream_id', 'description'),
            fc.jsonValue({ maxDepth: 1 }),
          ),
        )
        .map((value) => JSON.stringify(value)),
      fc.constantFrom(
        '',
        'null',
        'true',
        '[]',
        '{}',
        '[[]]',
        '"',
        '-1',
        '0',
        '1',
        '2',
        '9007199254740993',
        '1e400',
        '[null]',
        '{"direct_members":[1],"direct_subgroups":[]}',
        'newest',
        'add',
        'read',
        'stream',
        'direct',
        'den',
        '\u0000',
        '\ud800',
        '[["channel","den"]]',
        '[["topic","\\u0000"]]',
        '[{"operator":"dm","operand":[1,2]}]',
        'a'.repeat(5000),
      ),
    );
    const call = fc.integer({ min: 0, max: all.length - 1 }).chain((index) =>
      fc.record({
        index: fc.constant(index),
        segment: garbage,
        values: fc.array(fc.option(garbage, { nil: undefined }), {
          minLength: all[index]!.parameters.length,
          maxLength: all[index]!.parameters.length,
        }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(call, async ({ index, segment, values }) => {
        const { method, path, parameters } = all[index]!;
        const form = new URLSearchParams({ dont_block: 'true' });
        for (const [position, name] of parameters.entries()) {
          const value = values[position];
          if (value !== undefined && name !== 'dont_block') form.set(name, value);
        }
        const segmentText =
          encodeURIComponent(segment.replaceAll(/\p{Surrogate}/gu, ''))
            .slice(0, 300)
            .replace(/%.?$/, '') || '1';
        const address = `${server.url}${path.replaceAll(/\{[^}]+\}/g, segmentText)}`;
        const inAddress = method === 'GET' || method === 'HEAD';
        const answer = await exchange(inAddress ? `${address}?${form.toString()}` : address, {
          method,
          headers: { authorization },
          ...(inAddress ? {} : { body: form }),
        });
        expect([address, answer.status < 500]).toEqual([address, true]);
        expect(answer.body).toMatchObject({
          result: expect.stringMatching(/^(success|error)$/),
          msg: expect.any(String),
        });
        if (answer.status >= 400) expect(answer.body.code).toEqual(expect.any(String));
      }),
      { numRuns: rounds(sized({ nightly: 8_000, usual: 150 })) },
    );
    expect((await api('/users/me')).status).toBe(200);
    const ready = await fetch(`${server.url}/health/ready`);
    expect(ready.status).toBe(200);
  });
});
