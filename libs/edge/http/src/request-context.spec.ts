import { Refusal, REFUSAL_CODES } from '#kernel';
import { STATUS, failureOf } from './answers/failure.js';
import type { Sample } from './http.fixture.js';
import { fetch } from '#testing';
import { basic, call, exchange, KEY, startSample } from './http.fixture.js';
import { clientNameOf } from './client-name.js';

let sample: Sample;
beforeAll(async () => {
  sample = await startSample();
});
afterAll(() => sample.app.close());

const PATH = '/api/v1/me';
const encode = (text: string): string => Buffer.from(text).toString('base64');

describe('success', () => {
  test('is an envelope that is not cached', async () => {
    const { status, headers, body } = await call(sample, 'GET', PATH);
    expect(status).toBe(200);
    expect(body).toEqual({ result: 'success', msg: '', userId: 1, client: expect.any(String) as string });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-request-id')).toMatch(/^\S+$/);
  });

  test('of a handler that returns nothing', async () => {
    const { status, body } = await call(sample, 'POST', '/api/v1/nothing');
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
  });

  test('has a request id of its own each time', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await call(sample, 'GET', PATH)).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(3);
  });

  test('is not enveloped where the route says so', async () => {
    const { body, headers } = await call(sample, 'GET', '/api/v1/file');
    expect(body).toEqual({ raw: true });
    expect(headers.get('content-type')).toContain('application/vnd.sample+json');
  });

  test('may be a redirect', async () => {
    const { status, headers } = await call(sample, 'GET', '/api/v1/moved');
    expect([status, headers.get('location')]).toEqual([302, '/api/v1/open']);
  });
});

describe('refusals', () => {
  test('every code has its status, and only authentication has 401', () => {
    expect(Object.keys(STATUS).sort()).toEqual([...REFUSAL_CODES].sort());
    const unauthorized = REFUSAL_CODES.filter((code) => STATUS[code] === 401);
    expect(unauthorized).toEqual([
      'UNAUTHORIZED',
      'INVALID_API_KEY',
      'AUTHENTICATION_FAILED',
      'USER_DEACTIVATED',
      'REALM_DEACTIVATED',
      'PASSWORD_AUTH_DISABLED',
    ]);
    expect(REFUSAL_CODES.filter((code) => STATUS[code] >= 500)).toEqual([
      'FAILED_TO_CONNECT_BOUNCER',
      'INTERNAL_SERVER_ERROR_ON_BOUNCER',
      'SERVER_NOT_READY',
      'PROJECTION_SET_ASIDE',
      'INTERNAL_SERVER_ERROR',
    ]);
  });

  test('carry their data, which never replace the fixed fields', async () => {
    const { status, body } = await call(sample, 'GET', '/api/v1/fail/plain');
    expect({ status, body }).toEqual({
      status: 400,
      body: { result: 'error', msg: 'Bad', code: 'BAD_REQUEST', extra: 1 },
    });
  });

  test('of something missing are a 404 with a code that clients know', async () => {
    const { status, body } = await call(sample, 'GET', '/api/v1/fail/missing');
    expect({ status, body }).toEqual({
      status: 404,
      body: { result: 'error', msg: 'No such thing', code: 'BAD_REQUEST' },
    });
  });

  test('of a server that is not ready say when to come back', async () => {
    const { status, body, headers } = await call(sample, 'GET', '/api/v1/fail/busy');
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'SERVER_NOT_READY', '3']);
  });

  test('of the store keep their details for the log', async () => {
    const { status, body, headers } = await call(sample, 'GET', '/api/v1/fail/store');
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'SERVER_NOT_READY', '1']);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test.each(['bug', 'string', 'list'])('our own fault (%s) tells nothing', async (how) => {
    const { status, body } = await call(sample, 'GET', `/api/v1/fail/${how}`);
    expect(status).toBe(500);
    expect(body).toEqual({ result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' });
  });

  test('a framework error of 401 or 403 is not passed on as one', () => {
    expect(failureOf(Object.assign(new Error('no'), { statusCode: 403 })).status).toBe(400);
    expect(failureOf(new Refusal('NOT_FOUND', 'x')).code).toBe('BAD_REQUEST');
  });
});

describe('paths and verbs', () => {
  test('an unknown path is 404 JSON, with or without credentials', async () => {
    for (const authorization of [basic(), null]) {
      const { status, body } = await call(sample, 'POST', '/api/v1/nowhere', { authorization, form: { a: '1' } });
      expect(status).toBe(404);
      expect(body).toEqual({ result: 'error', msg: 'Not found', code: 'BAD_REQUEST' });
    }
  });

  test.each([
    ['PUT', '/api/v1/sample', 'DELETE, GET, HEAD, OPTIONS, PATCH, POST'],
    ['DELETE', '/api/v1/items/7', 'GET, HEAD, OPTIONS, PATCH'],
  ])('%s %s is a wrong verb', async (method, path, allow) => {
    const { status, body, headers } = await call(sample, method, path);
    expect([status, headers.get('allow')]).toEqual([405, allow]);
    expect(body).toMatchObject({
      result: 'error',
      msg: 'Method Not Allowed',
      code: 'METHOD_NOT_ALLOWED',
      allowed_methods: allow.split(', '),
    });
  });

  test('OPTIONS tells the verbs and needs no credentials', async () => {
    const { status, headers } = await call(sample, 'OPTIONS', '/api/v1/items/7?x=1', { authorization: null });
    expect([status, headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, PATCH']);
  });

  test('HEAD is GET without a body', async () => {
    const { status, headers, body } = await call(sample, 'HEAD', PATH);
    expect([status, body]).toEqual([200, {}]);
    expect(Number(headers.get('content-length'))).toBeGreaterThan(20);
  });

  test('the form field method overrides POST', async () => {
    const form = { method: 'patch', name: 'x', count: '3', more: '1' };
    const { status, body } = await call(sample, 'POST', '/api/v1/sample?flag=false', { form });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      verb: 'patch',
      params: { name: 'x', count: 3, flag: false },
      ignored_parameters_unsupported: ['more'],
    });
  });

  test('the overriding method finds paths that POST does not know, and needs credentials too', async () => {
    const form = { method: 'PATCH' };
    expect((await call(sample, 'POST', '/api/v1/items/5', { form })).body.changed).toBe(5);
    expect((await call(sample, 'POST', '/api/v1/items/5', { form, authorization: null })).status).toBe(401);
    expect((await call(sample, 'POST', '/api/v1/nowhere', { form })).status).toBe(404);
    expect((await call(sample, 'POST', '/api/v1/items/5', { form: { method: 'DELETE' } })).status).toBe(405);
  });

  test('a multipart form overrides as well, a query does not', async () => {
    const body = new FormData();
    body.set('method', 'DELETE');
    body.set('name', 'x');
    expect((await call(sample, 'POST', '/api/v1/sample', { body })).body.verb).toBe('delete');
    expect(
      (await call(sample, 'POST', '/api/v1/sample?method=DELETE', { form: { name: 'x' } })).body.verb,
    ).toBeUndefined();
  });
});

describe('credentials', () => {
  test.each([
    ['missing', null, 401, 'UNAUTHORIZED'],
    ['not base64', 'Basic ***', 401, 'UNAUTHORIZED'],
    ['empty', 'Basic', 401, 'UNAUTHORIZED'],
    ['without colon', `Basic ${encode('nocolon')}`, 401, 'UNAUTHORIZED'],
    ['of another scheme', 'Bearer abc', 400, 'BAD_REQUEST'],
    ['wrong', `Basic ${encode('user1@example.com:wrong')}`, 401, 'INVALID_API_KEY'],
  ])('%s', async (_, authorization, status, code) => {
    const answer = await call(sample, 'GET', PATH, { authorization });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers.get('www-authenticate')).toBe(code === 'UNAUTHORIZED' ? 'Basic realm="zulip"' : null);
  });

  test('missing in a call of a page: the browser asks for none by itself', async () => {
    const headers = { 'x-requested-with': 'fetch' };
    const answer = await fetch(`http://127.0.0.1:${sample.port}${PATH}`, { headers });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null]);
  });

  test('the scheme is read in any case, and the answer may come later', async () => {
    expect((await call(sample, 'GET', PATH, { authorization: basic(3).replace('Basic', 'basic') })).body.userId).toBe(
      3,
    );
    expect((await call(sample, 'GET', PATH, { authorization: basic(4) })).body.userId).toBe(4);
  });

  test('a key may hold colons', async () => {
    const { body } = await call(sample, 'GET', PATH, {
      authorization: `Basic ${encode(`user1@example.com:${KEY}:x`)}`,
    });
    expect(body.code).toBe('INVALID_API_KEY');
  });

  test('are ignored, right or wrong, where none are needed', async () => {
    expect((await call(sample, 'GET', '/api/v1/open', { authorization: 'Bearer x' })).status).toBe(200);
  });

  test('are optional where the route says so, but never wrong', async () => {
    expect((await call(sample, 'GET', '/api/v1/maybe', { authorization: null })).body.userId).toBeNull();
    expect((await call(sample, 'GET', '/api/v1/maybe', { authorization: basic(5) })).body.userId).toBe(5);
    expect((await call(sample, 'GET', '/api/v1/maybe', { authorization: `Basic ${encode('a:b')}` })).status).toBe(401);
  });

  test('a class declares for its methods, and a method wins', async () => {
    expect((await call(sample, 'GET', '/doors/open', { authorization: null })).body.open).toBe(true);
    expect((await call(sample, 'GET', '/doors/optional', { authorization: basic(5) })).body.userId).toBe(5);
    expect((await call(sample, 'GET', '/doors/optional', { authorization: null })).body.userId).toBeNull();
  });

  test('are asked for before the body is read', async () => {
    const head =
      'POST /api/v1/sample HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n';
    expect(await exchange(sample.port, `${head}Content-Length: 1000000\r\n\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('client names', () => {
  test.each([
    ['ZulipFlutter/30.0+1 (Android 14)', 'ZulipFlutter'],
    ['ZulipMobile/flutter', 'ZulipMobile'],
    ['ZulipPython/0.9.0 (Linux; 6.1)', 'ZulipPython'],
    ['ZulipTerminal/0.7.0 (Linux; 6.1)', 'ZulipTerminal'],
    ['Mozilla/5.0 (X11; Linux)', 'Mozilla'],
    ['curl/8.5.0', 'curl'],
    ['python-requests/2.31', 'python-requests'],
    ['node', 'node'],
    ['', 'Unspecified'],
    ['/1.0', 'Unspecified'],
    [undefined, 'Unspecified'],
  ])('%s is %s', (userAgent, name) => {
    expect(clientNameOf(undefined, userAgent)).toBe(name);
  });

  test('the parameter wins, and is kept short and printable', async () => {
    expect((await call(sample, 'GET', '/api/v1/open?client=My%20bot%0a')).body).toEqual({
      result: 'success',
      msg: '',
      client: 'My bot',
    });
    expect([...clientNameOf('😀'.repeat(100), 'x')]).toHaveLength(60);
    expect(clientNameOf('   ', 'x')).toBe('x');
  });
});

describe('bodies', () => {
  const post = async (type: string, body: string, length: number | string = Buffer.byteLength(body)): Promise<string> =>
    exchange(
      sample.port,
      `POST /api/v1/sample HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${basic()}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${body}`,
    );
  const readOf = (reply: string): [number, unknown] => {
    const { code, result } = JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4)) as {
      code: unknown;
      result: unknown;
    };
    expect(result).toBe('error');
    return [Number(/^HTTP\/1\.1 (\d+)/.exec(reply)?.[1]), code];
  };

  test.each([
    ['application/json', '{"name":', [400, 'INVALID_JSON']],
    ['application/json', '[1]', [400, 'BAD_REQUEST']],
    ['application/json', '['.repeat(100_000), [400, 'BAD_REQUEST']],
    ['text/plain', 'hello', [415, 'UNSUPPORTED_MEDIA_TYPE']],
    ['nonsense', 'hello', [415, 'UNSUPPORTED_MEDIA_TYPE']],
    ['multipart/form-data', 'hello', [400, 'BAD_REQUEST']],
    ['multipart/form-data; boundary=x', 'hello', [400, 'BAD_REQUEST']],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nabc',
      [400, 'BAD_REQUEST'],
    ],
    [
      'application/x-www-form-urlencoded',
      Array.from({ length: 1001 }, (_, i) => `a${i}=`).join('&'),
      [400, 'BAD_REQUEST'],
    ],
    ['application/x-www-form-urlencoded', 'a='.repeat(1).concat('&a='.repeat(1000)), [400, 'BAD_REQUEST']],
    [
      'application/json',
      JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`a${i}`, 1]))),
      [400, 'BAD_REQUEST'],
    ],
  ])('%s: %.40s', async (type, body, expected) => {
    expect(readOf(await post(type, body))).toEqual(expected);
  });

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json'])(
    'a %s that says it is too large is not read',
    async (type) => {
      expect(readOf(await post(type, '', 5_000_000))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    },
  );

  test('a body of unknown length is cut off', async () => {
    const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const start = type.startsWith('multipart')
        ? '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
        : 'a=';
      const head = `POST /api/v1/sample HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${basic()}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const reply = await exchange(
        sample.port,
        `${head}${start.length.toString(16)}\r\n${start}\r\n${chunk.repeat(100)}0\r\n\r\n`,
      );
      expect(reply).toMatch(/^HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE/s);
    }
  });

  test.each(
    ['text/plain;charset=UTF-8', 'nonsense', '', 'application/octet-stream', 'application/json'].flatMap((type) => [
      [type, 'Content-Length: 0\r\n'],
      [type, ''],
    ]),
  )('where there is none, the type "%s" of it is no reason to refuse (%j)', async (type, length) => {
    for (const verb of ['POST', 'DELETE']) {
      const reply = await exchange(
        sample.port,
        `${verb} /api/v1/sample?name=abc HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${basic()}\r\nContent-Type: ${type}\r\n${length}\r\n`,
      );
      expect(reply).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  test.each([
    ['no byte', 'multipart/form-data; boundary=x', 'Content-Length: 0\r\n\r\n'],
    ['no byte, and no boundary', 'multipart/form-data', 'Content-Length: 0\r\n\r\n'],
    ['no byte, of unknown length', 'multipart/form-data; boundary=x', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['no part', 'multipart/form-data; boundary=x', 'Content-Length: 5\r\n\r\n--x--'],
  ])('a multipart form with %s has no parameters', async (_, type, rest) => {
    const head = `POST /api/v1/sample HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${basic()}\r\nContent-Type: ${type}\r\n`;
    expect(readOf(await exchange(sample.port, `${head}${rest}`))).toEqual([400, 'REQUEST_VARIABLE_MISSING']);
  });

  const FORM = 'application/x-www-form-urlencoded';
  const MULTIPART = 'multipart/form-data; boundary=x';
  const part = (name: string, value: string, more = ''): string =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n--x--\r\n`;

  test.each([
    [FORM, 'name=%ff%fe'],
    [FORM, 'name=%ED%A0%80'],
    [FORM, '%c3=x&name=x'],
    [FORM, 'name=%ff&name=x'],
    [FORM, 'name=\xff'],
    ['application/json', '{"name":"\xff"}'],
    [MULTIPART, part('name', '\xff')],
    [MULTIPART, part('name', 'x\xed\xa0\x80')],
    [MULTIPART, part('\xff', 'x')],
    [MULTIPART, part('name', '\xef\xbf\xbd\xff')],
    [MULTIPART, part('name', '\xff', '\r\nContent-Type: text/plain; charset=utf-8')],
  ])('%s: %j is no text, and is refused', async (type, latin) => {
    const headers = { 'content-type': type };
    const body = new Blob([Buffer.from(latin, 'latin1')]);
    const refused = await call(sample, 'POST', '/api/v1/sample', { headers, body });
    expect([refused.status, refused.body['code']]).toEqual([400, 'BAD_REQUEST']);
    expect(refused.body['msg']).toMatch(/UTF-8/);
  });

  test.each([
    [FORM, 'name=%EF%BF%BD'],
    [FORM, 'name=\ufffd'],
    [FORM, 'name=100%&local_id=%EF%BF%BD%'],
    [FORM, 'name=%zz'],
    [MULTIPART, part('name', '\ufffd\ufffd')],
    [MULTIPART, part('name', 'ä', '\r\nContent-Type: text/plain; charset=UTF-8')],
  ])('%s: %j is text', async (type, body) => {
    const answer = await call(sample, 'POST', '/api/v1/sample', { headers: { 'content-type': type }, body });
    expect(answer.status).toBe(200);
  });

  test('a POST without a body has no parameters', async () => {
    expect(readOf(await post('application/json', ''))).toEqual([400, 'REQUEST_VARIABLE_MISSING']);
    expect((await call(sample, 'POST', '/api/v1/sample')).body.code).toBe('REQUEST_VARIABLE_MISSING');
  });
});

describe('uploads', () => {
  const upload = (body: FormData) => call(sample, 'POST', '/api/v1/upload', { body });

  test('a file arrives under any part name', async () => {
    const body = new FormData();
    body.set('note', 'before');
    body.set('photo.png', new Blob(['x'.repeat(300_000)], { type: 'image/png' }), '../ä.png');
    expect((await upload(body)).body).toMatchObject({ filename: expect.stringMatching(/\.png$/), bytes: 300_000 });
  });

  test('a file of exactly the limit is taken, a larger one is not', async () => {
    const sized = (bytes: number): FormData => {
      const body = new FormData();
      body.set('file', new Blob([Buffer.alloc(bytes)]), 'f');
      return body;
    };
    expect((await upload(sized(5 * 1024 * 1024))).body.bytes).toBe(5 * 1024 * 1024);
    const answer = await upload(sized(5 * 1024 * 1024 + 1));
    expect([answer.status, answer.body.code, answer.body.msg]).toEqual([
      400,
      'BAD_REQUEST',
      'Uploaded file is larger than the allowed limit of 5 MiB',
    ]);
  });

  test('two files are a bad request', async () => {
    const body = new FormData();
    for (const name of ['a', 'b']) body.set(name, new Blob(['x'.repeat(100_000)]), name);
    expect((await upload(body)).body.msg).toBe('You may only upload one file at a time');
  });

  test('no file is a bad request', async () => {
    const body = new FormData();
    body.set('a', 'b');
    expect((await upload(body)).status).toBe(400);
    expect((await call(sample, 'POST', '/api/v1/upload', { form: { a: 'b' } })).status).toBe(400);
    expect((await call(sample, 'POST', '/api/v1/upload')).status).toBe(400);
  });
});

test.each(['', 'http://x', 'HTTPS://chat.example.com:1', 'http://user@other.example'])(
  'the path counts in a target that begins with "%s"',
  async (origin) => {
    const asked = (path: string): Promise<string> =>
      exchange(
        sample.port,
        `GET ${origin}${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${basic(5)}\r\n\r\n`,
      );
    expect(await asked('/api/v1/maybe?a=http://b//c')).toMatch(/^HTTP\/1\.1 200 [^]*"userId":5/);
    expect(await asked('/api//v1/no/such')).toMatch(/^HTTP\/1\.1 404 [^]*"result":"error"/);
  },
);

describe('what is hardly HTTP', () => {
  test.each([
    ['no HTTP at all', 'hello there\r\n\r\n', 400],
    ['an unknown verb', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
    ['huge headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`, 431],
    ['a bad percent sign', 'GET /api/v1/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['bad UTF-8 in the query', 'GET /api/v1/open?a=%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['bad UTF-8 in the path', 'GET /api/v1/items/%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    [
      'a long path segment',
      `GET /api/v1/items/${'9'.repeat(5000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      414,
    ],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['an unknown verb', 'PROPFIND / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['TRACE', 'TRACE /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405],
    [
      'too many query parameters',
      `GET /api/v1/open?${'a&'.repeat(1001)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      400,
    ],
    [
      'an expectation',
      'GET /api/v1/open HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\nConnection: close\r\n\r\n',
      417,
    ],
  ])('%s is answered in JSON', async (_, bytes, status) => {
    const reply = await exchange(sample.port, bytes);
    const [head = '', body = ''] = reply.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head.toLowerCase()).toContain('content-type: application/json');
    expect(JSON.parse(body)).toMatchObject({
      result: 'error',
      msg: expect.any(String) as string,
      code: expect.any(String) as string,
    });
  });
});
