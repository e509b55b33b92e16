import type { Answer, Sample } from '../http.fixture.js';
import { call, startSample } from '../http.fixture.js';

let sample: Sample;
beforeAll(async () => {
  sample = await startSample();
});
afterAll(() => sample.app.close());

const post = (form: Record<string, string> | string[][]): Promise<Answer> =>
  call(sample, 'POST', '/api/v1/sample', { form });
const paramsOf = (answer: Answer): Record<string, unknown> => answer.body.params as Record<string, unknown>;

test('defaults and absence', async () => {
  const answer = await post({ name: 'x' });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    result: 'success',
    msg: '',
    params: { name: 'x', count: 7, flag: true, principals: [] },
    made: 'SampleParams',
  });
});

test('every wire type reads its own', async () => {
  const answer = await post({
    name: '"raw"',
    subject: 'null',
    count: '100',
    flag: 'false',
    type: 'direct',
    policy: '2',
    principals: '[1,2]',
    to: '[3]',
    folder: 'null',
    local_id: '12.5',
  });
  expect(paramsOf(answer)).toEqual({
    name: '"raw"',
    topic: 'null',
    count: 100,
    flag: false,
    type: 'direct',
    policy: 2,
    principals: [1, 2],
    to: [3],
    folder: null,
    localId: '12.5',
  });
});

test.each([
  ['9', 9],
  ['"Denmark"', 'Denmark'],
  ['Denmark', 'Denmark'],
  ['[9,10]', [9, 10]],
])('to=%s may be JSON or text', async (to, read) => {
  expect(paramsOf(await post({ name: 'x', to })).to).toEqual(read);
});

test.each(['null', 'undefined'])('%s for an optional JSON parameter is absence', async (absent) => {
  const answer = await post({ name: 'x', count: absent, flag: absent, principals: absent, policy: absent });
  expect(paramsOf(answer)).toEqual({ name: 'x', count: 7, flag: true, principals: [] });
});

test('a default list belongs to one request alone', async () => {
  const { SampleParams } = await import('../http.fixture.js');
  const { readParams } = await import('./params.js');
  const read = (): number[] => readParams(SampleParams, { name: 'x' }).params.principals;
  read().push(1);
  expect(read()).toEqual([]);
});

test('a missing parameter is named', async () => {
  const { status, body } = await post({ count: '1' });
  expect(status).toBe(400);
  expect(body).toEqual({
    result: 'error',
    code: 'REQUEST_VARIABLE_MISSING',
    msg: expect.stringContaining('name') as string,
    var_name: 'name',
  });
});

test('two spellings of one parameter confuse, wherever they come from', async () => {
  const { status, body } = await call(sample, 'POST', '/api/v1/sample?subject=a', { form: { name: 'x', topic: 'b' } });
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'REQUEST_CONFUSING_VAR', var_name1: 'topic', var_name2: 'subject' });
});

test.each([
  ['count', '1.0'],
  ['count', '1e1'],
  ['count', ' 1'],
  ['count', ''],
  ['count', '"1"'],
  ['count', '-0'],
  ['count', '9007199254740993'],
  ['count', '0x10'],
  ['flag', 'True'],
  ['flag', '1'],
  ['flag', ''],
  ['policy', 'two'],
  ['principals', '[1,'],
  ['principals', '1 2'],
  ['principals', '["\\ud800"]'],
])('%s=%s cannot be read', async (name, value) => {
  const { status, body } = await post({ name: 'x', [name]: value });
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_INVALID', var_name: name, bad_value: value });
});

test.each([
  ['count', '0', /count.*limit: 1\b/],
  ['count', '101', /count.*limit: 100/],
  ['name', '', /name/],
  ['name', 'é'.repeat(21), /name.*limit: 20/],
  ['type', 'dm', /type.*direct, channel/],
  ['policy', '3', /policy.*0, 1, 2/],
  ['principals', '[1,2,3,4]', /principals.*limit: 3/],
  ['principals', '["a"]', /principals\[0\].*integer/],
  ['principals', '{}', /principals.*array/],
  ['to', '{"a":1}', /^to must be integer or must be array$/],
  ['to', '[1,"a"]', /^to\[1\] must be integer$/],
  ['to', '[1,2,3,4,5,6]', /^to .*limit: 5/],
  ['principals', `${'['.repeat(50)}${']'.repeat(50)}`, /principals.*deep.*limit: 32/],
  ['principals', `[${'1,'.repeat(600_000)}1]`, /principals.*long/],
  ['principals', `[${'"a",'.repeat(20_000)}1]`, /principals/],
])('%s=%.30s is not allowed', async (name, value, message) => {
  const { status, body } = await post({ name: 'x', [name]: value });
  expect(status).toBe(400);
  expect(body.code).toBe('BAD_REQUEST');
  expect(body.msg).toMatch(message);
  expect(String(body.msg).length).toBeLessThan(400);
});

test('lengths are counted in code points', async () => {
  expect((await post({ name: '😀'.repeat(20) })).status).toBe(200);
});

test('depth inside strings does not count', async () => {
  const { body } = await post({ name: 'x', to: JSON.stringify('['.repeat(100)) });
  expect(body).toMatchObject({ params: { to: '['.repeat(100) } });
});

test('the body wins over the query, and the last of a repeated name counts', async () => {
  const answer = await call(sample, 'POST', '/api/v1/sample?name=query&count=3', {
    form: [
      ['name', 'first'],
      ['name', 'last'],
    ],
  });
  expect(paramsOf(answer)).toMatchObject({ name: 'last', count: 3 });
});

test.each(['PATCH', 'DELETE'])('%s reads both query and body', async (method) => {
  const answer = await call(sample, method, '/api/v1/sample?count=3', { form: { name: 'x' } });
  expect(answer.body).toMatchObject({ verb: method.toLowerCase(), params: { name: 'x', count: 3 } });
});

test('GET reads the query', async () => {
  const answer = await call(sample, 'GET', '/api/v1/sample?name=a%20b+c&principals=%5B1%5D');
  expect(paramsOf(answer)).toMatchObject({ name: 'a b c', principals: [1] });
});

test('multipart fields are parameters, files are not', async () => {
  const body = new FormData();
  body.set('name', 'ünï');
  body.set('principals', '[1]');
  body.set('__proto__', 'harmless');
  body.set('photo', new Blob(['x'.repeat(100_000)]), 'a.png');
  const answer = await call(sample, 'POST', '/api/v1/sample', { body });
  expect(answer.body).toMatchObject({
    params: { name: 'ünï', principals: [1] },
    ignored_parameters_unsupported: ['__proto__', 'photo'],
  });
});

test('a JSON body stands for parameters', async () => {
  const answer = await call(sample, 'POST', '/api/v1/sample', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'x', count: 3, principals: [1], flag: false }),
  });
  expect(paramsOf(answer)).toMatchObject({ name: 'x', count: 3, principals: [1], flag: false });
});

describe('null in a JSON body', () => {
  const postJson = (body: object): ReturnType<typeof post> =>
    call(sample, 'POST', '/api/v1/sample', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('is absence to every kind of parameter, and a value where it may be one', async () => {
    const absent = { topic: null, count: null, flag: null, type: null, policy: null, principals: null, to: null };
    const answer = await postJson({ name: 'x', ...absent, unknown: null, folder: null });
    expect(answer.body).toMatchObject({ result: 'success' });
    expect(paramsOf(answer)).toEqual({ name: 'x', count: 7, flag: true, principals: [], folder: null });
  });

  test('is missing where it is required', async () => {
    const { status, body } = await postJson({ name: null });
    expect([status, body.code, body.var_name]).toEqual([400, 'REQUEST_VARIABLE_MISSING', 'name']);
  });

  test('is the other name of nothing', async () => {
    expect(paramsOf(await postJson({ name: 'x', topic: null, subject: 'y' })).topic).toBe('y');
  });

  test('is a word to a form', async () => {
    expect(paramsOf(await post({ name: 'x', topic: 'null' })).topic).toBe('null');
  });
});

describe('ignored parameters', () => {
  test('are listed, sorted, without the client', async () => {
    const { body } = await post({ name: 'x', zebra: '1', apple: '2', client: 'me' });
    expect(body.ignored_parameters_unsupported).toEqual(['apple', 'zebra']);
  });

  test('are all parameters of an endpoint that takes none', async () => {
    const { body } = await call(sample, 'POST', '/api/v1/nothing?b=1', { form: { a: '2' } });
    expect(body).toEqual({ result: 'success', msg: '', ignored_parameters_unsupported: ['a', 'b'] });
  });

  test('are bounded', async () => {
    const form = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`.padEnd(300, 'x'), '1']));
    const { body } = await post({ name: 'x', ...form });
    const names = body.ignored_parameters_unsupported as string[];
    expect(names).toHaveLength(100);
    expect(Math.max(...names.map((name) => name.length))).toBe(100);
  });
});

test.each(['item/1', 'items/0', 'items/-1', 'items/1.5', 'items/9007199254740993', 'items/abc', 'items/1e3'])(
  '%s is no item',
  async (path) => {
    const { status, body } = await call(sample, 'GET', `/api/v1/${path}`);
    expect([400, 404]).toContain(status);
    expect(body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  },
);

test('a path ID', async () => {
  expect((await call(sample, 'GET', '/api/v1/items/42')).body.itemId).toBe(42);
});
