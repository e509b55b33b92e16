import { Module } from '@nestjs/common';
import fc from 'fast-check';
import { type EventEmitter, once } from 'node:events';
import { request } from 'node:http';
import { fetch, rounds } from '#testing';
import { closeGracefully, createHttpApp } from './http-app.js';
import type { Answer, Sample } from './http.fixture.js';
import { basic, call, startSample } from './http.fixture.js';
import { createLogger } from './logging/logging.js';

const lines: string[] = [];
const logger = createLogger('info', {
  write: (line: string) => {
    lines.push(line);
  },
});

let sample: Sample;
beforeAll(async () => {
  sample = await startSample({ rateLimits: false, logger, openApi: { title: 'Sample', version: '1.2.3' } });
});
afterAll(() => sample.app.close());

describe('log', () => {
  const next = async (one: () => Promise<Answer>): Promise<Record<string, unknown>> => {
    lines.length = 0;
    const { headers } = await one();
    while (!lines.some((line) => line.includes('"msg":"request"')))
      await new Promise((resolve) => setTimeout(resolve, 5));
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const line = parsed.find(({ msg }) => msg === 'request') ?? {};
    expect(line.requestId).toBe(headers.get('x-request-id'));
    return line;
  };

  test('has one line for each request, with the pattern and not the address', async () => {
    const line = await next(() => call(sample, 'GET', '/api/v1/items/42?search=private', { authorization: basic(5) }));
    expect(line).toMatchObject({ method: 'GET', route: '/api/v1/items/:item_id', status: 200, userId: 5 });
    expect(line.ms).toEqual(expect.any(Number));
    expect(lines).toHaveLength(1);
  });

  test('of an unknown path or an overridden verb has one line too', async () => {
    expect(await next(() => call(sample, 'GET', '/secret'))).toMatchObject({ route: null, status: 404 });
    const form = { method: 'PATCH' };
    expect(await next(() => call(sample, 'POST', '/api/v1/items/1', { form }))).toMatchObject({
      method: 'PATCH',
      status: 200,
    });
    expect(lines).toHaveLength(1);
  });

  test('keeps secrets', async () => {
    await next(() =>
      call(sample, 'POST', '/api/v1/login?a=private', { form: { username: 'private', password: 'private' } }),
    );
    await next(() => call(sample, 'DELETE', '/api/v1/private?private=1'));
    expect(lines.join()).not.toMatch(/private|Basic|authorization/i);
  });

  test('tells the cause of our own faults with the request', async () => {
    const { requestId } = await next(() => call(sample, 'GET', '/api/v1/fail/bug'));
    const fault = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(({ level }) => level === 'error');
    expect(fault).toMatchObject({ requestId, err: { type: 'Error', message: 'secret detail' } });
  });

  test('has a line for a request whose client went away', async () => {
    lines.length = 0;
    const arrived = once(sample.app.getHttpServer() as EventEmitter, 'request');
    const leaving = request(`${sample.origin}/api/v1/wait`, { headers: { authorization: basic() } }).on(
      'error',
      () => undefined,
    );
    leaving.end();
    await arrived;
    leaving.destroy();
    while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ route: '/api/v1/wait', status: null });
  });
});

describe('OpenAPI', () => {
  type Operation = {
    description?: string;
    parameters?: { name: string; in: string; schema?: unknown; content?: unknown; required?: boolean }[];
    requestBody?: {
      required: boolean;
      content: Record<
        string,
        { schema: { required: string[]; properties: Record<string, unknown> }; encoding: unknown }
      >;
    };
    responses: Record<string, unknown>;
    security?: unknown;
  };
  let paths: Record<string, Record<string, Operation>>;

  test('is a public document', async () => {
    const { status, body, headers } = await call(sample, 'GET', '/api/v1/openapi.json', { authorization: null });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Sample', version: '1.2.3' } });
    paths = body.paths as typeof paths;
    expect(JSON.stringify(body)).not.toMatch(/x-(params|policy)/);
    expect(body.security).toEqual([{ basic: [] }]);
  });

  test.each([
    ['me', undefined],
    ['maybe', [{ basic: [] }, {}]],
    ['open', []],
  ])('says which credentials %s needs', (name, security) => {
    expect(paths[`/api/v1/${name}`]?.get?.security).toEqual(security);
  });

  test('describes a query', () => {
    const { parameters = [], requestBody } = paths['/api/v1/sample']?.get ?? {};
    const find = (name: string) => parameters.find((parameter) => parameter.name === name);
    expect(requestBody).toBeUndefined();
    expect(find('name')).toEqual({
      name: 'name',
      in: 'query',
      required: true,
      schema: { type: 'string', minLength: 1, maxLength: 20 },
    });
    expect(find('count')).toMatchObject({
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 7 },
    });
    expect(find('principals')).toMatchObject({
      content: {
        'application/json': { schema: { type: 'array', items: { type: 'integer' }, maxItems: 3, default: [] } },
      },
    });
    expect(find('local_id')).toBeDefined();
  });

  test.each(['post', 'patch', 'delete'])('describes the form of %s', (verb) => {
    const { requestBody, parameters } = paths['/api/v1/sample']?.[verb] ?? {};
    const form = requestBody?.content['application/x-www-form-urlencoded'];
    expect(parameters ?? []).toEqual([]);
    expect(form?.schema.required).toEqual(['name']);
    expect(form?.schema.properties.topic).toEqual({
      type: 'string',
      description: 'What it is about. Also as `subject`, `title`.',
    });
    expect(form?.encoding).toMatchObject({ principals: { contentType: 'application/json' } });
  });

  test('describes path IDs and the envelope', () => {
    const { parameters, responses } = paths['/api/v1/items/{item_id}']?.get ?? {};
    expect(parameters).toEqual([
      { name: 'item_id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
    ]);
    expect(Object.keys(responses ?? {}).sort()).toEqual(['200', '4XX']);
  });

  test('has a page for people', async () => {
    const page = await fetch(`${sample.origin}/api/docs`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    expect(await page.text()).toContain('swagger-ui');
    expect((await fetch(`${sample.origin}/api/docs/swagger-ui-bundle.js`)).status).toBe(200);
    expect((await fetch(`${sample.origin}/api/docs/swagger-ui-init.js`)).status).toBe(200);
    const head = await fetch(`${sample.origin}/api/docs`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, page.headers.get('content-length')]);
    expect((await call(sample, 'GET', '/api/docs/nothing.js')).body.code).toBe('BAD_REQUEST');
  });
});

describe('shutdown', () => {
  test('answers what is in flight, refuses what comes, and ends', async () => {
    const ending = await startSample({ rateLimits: false });
    const waiting = [call(ending, 'GET', '/api/v1/wait'), call(ending, 'GET', '/api/v1/wait')];
    await call(ending, 'GET', '/api/v1/me');
    await closeGracefully(ending.app, 5000);
    for (const answer of await Promise.all(waiting))
      expect(answer.body).toMatchObject({ result: 'success', waited: true });
    await expect(call(ending, 'GET', '/api/v1/me')).rejects.toThrow();
  });

  test('does not wait for ever', async () => {
    const ending = await startSample({ rateLimits: false });
    const stuck = request(`${ending.origin}/api/v1/sample`, {
      method: 'POST',
      headers: { authorization: basic(), 'content-type': 'application/x-www-form-urlencoded', 'content-length': 10 },
    });
    const outcome = once(stuck, 'response');
    stuck.write('a');
    await call(ending, 'GET', '/api/v1/me');
    await closeGracefully(ending.app, 200);
    await expect(outcome).rejects.toThrow('socket hang up');
  });
});

test('an application without an Authenticator does not start', async () => {
  @Module({})
  class Empty {}
  await expect(createHttpApp(Empty)).rejects.toThrow(/Authenticator/);
});

describe('garbage never gives a 5xx', () => {
  const NAMES = [
    'name',
    'topic',
    'subject',
    'title',
    'count',
    'flag',
    'type',
    'policy',
    'principals',
    'to',
    'folder',
    'local_id',
    'client',
    'other',
    '__proto__',
  ];
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.json({ maxDepth: 4 }),
    fc.integer().map(String),
    fc.double().map(String),
    fc.constantFrom(
      'null',
      'undefined',
      'true',
      '[',
      '{}',
      '"',
      '\u0000',
      '[null]',
      '-0',
      '1e999',
      '"\\ud800"',
      '{"__proto__":1}',
    ),
  );
  const pairs = fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 8 });
  const encode = (list: readonly (readonly [string, string])[]): string =>
    new URLSearchParams(list.map(([name, text]) => [name, text])).toString();
  const runs = { numRuns: rounds(150) };

  const check = ({ status, body }: Answer): void => {
    expect(status).toBeLessThan(500);
    if (status === 200) expect(body.result).toBe('success');
    else
      expect(body).toMatchObject({
        result: 'error',
        msg: expect.any(String) as string,
        code: expect.any(String) as string,
      });
  };

  test('in a query and a form', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom('POST', 'PATCH', 'DELETE'), pairs, pairs, async (method, query, form) => {
        check(await call(sample, method, `/api/v1/sample?${encode(query)}`, { form: form as unknown as string[][] }));
      }),
      runs,
    ));

  test('in raw bytes of a body', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom('application/x-www-form-urlencoded', 'application/json', 'multipart/form-data; boundary=x'),
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 200 }),
          fc.json(),
          fc.constantFrom('--x\r\n', '--x--', '%%%=%', '=&=&=='),
        ),
        async (type, body) => {
          check(await call(sample, 'POST', '/api/v1/sample', { headers: { 'content-type': type }, body }));
        },
      ),
      runs,
    ));

  test('in the parts of a multipart body', () => {
    const [nameless, named] = ['content-disposition: form-data', 'content-disposition: form-data; name="a"'];
    const piece = fc.constantFrom(
      '--x',
      '--x--',
      '\r\n',
      '\r\n\r\n',
      named,
      nameless,
      '; filename="f"',
      ': b',
      '"',
      'abc',
    );
    const parts = [nameless, named, `${nameless}; filename="f"`, `${named}; filename="f"`];
    const begun = fc.constantFrom('', ...parts.map((head) => `--x\r\n${head}\r\n\r\n`));
    return fc.assert(
      fc.asyncProperty(begun, fc.array(piece, { maxLength: 12 }), async (start, pieces) => {
        const headers = { 'content-type': 'multipart/form-data; boundary=x' };
        check(await call(sample, 'POST', '/api/v1/sample', { headers, body: start + pieces.join('') }));
      }),
      runs,
    );
  });

  test('in a path', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), async (id) => {
        check(await call(sample, 'GET', `/api/v1/items/${encodeURIComponent(id.replace(/[\uD800-\uDFFF]/g, ''))}`));
      }),
      runs,
    ));

  test('in the headers that we read', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 60 }), fc.base64String({ maxLength: 60 }), async (text, base64) => {
        const printable = text.trim();
        check(await call(sample, 'GET', '/api/v1/me', { headers: { 'user-agent': printable } }));
        check(await call(sample, 'GET', '/api/v1/me', { authorization: printable }));
        check(await call(sample, 'GET', '/api/v1/me', { authorization: `Basic ${base64}` }));
      }),
      { numRuns: rounds(60) },
    ));
});
