import { basic, call, exchange, type Sample, startSample } from '../http.fixture.js';

let sample: Sample;
beforeAll(async () => {
  sample = await startSample();
});
afterAll(() => sample.app.close());

const PIECES = '/api/v1/pieces';

test.each([
  ['short', [2, 4, 6]],
  ['long', [10_000, 20_000, 30_000]],
  ['short and long', [2, 20_000, 4, 6, 8, 30_000]],
  ['more than a socket takes at once', [2_000_000, 4_000_000, 6_000_000]],
])('an answer in pieces that are %s is one object', async (_, lengths) => {
  const { status, headers, body } = await call(sample, 'GET', `${PIECES}/${lengths.join()}?other=1`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('x-request-id')).not.toBeNull();
  expect(body).toEqual({
    result: 'success',
    msg: '',
    ...Object.fromEntries(lengths.map((length, index) => [index, 'é'.repeat(length / 2)])),
    ignored_parameters_unsupported: ['other'],
  });
});

test('the connection serves the next request after an answer in pieces', async () => {
  const request = (path: string, connection: string): string =>
    `GET ${PIECES}/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic()}\r\nConnection: ${connection}\r\n\r\n`;
  const received = await exchange(sample.port, request('2,9000,2,9000', 'keep-alive') + request('2,2', 'close'));
  expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  expect(received.endsWith('{"result":"success","msg":"","0":"é","1":"é"}')).toBe(true);
});
