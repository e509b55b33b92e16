import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from '#testing';
import { basic, call, exchange, LATE, type Sample, startSample } from '../http.fixture.js';

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

describe('an answer whose pieces are made when they are written', () => {
  const PATH = '/api/v1/late';

  test('is one object, after which the connection serves the next request', async () => {
    const { status, body } = await call(sample, 'GET', `${PATH}/500`);
    expect(status).toBe(200);
    expect(body).toEqual({ result: 'success', msg: '', late: Array(500).fill('é'.repeat(1_000)), end: true });
    const request = (connection: string): string =>
      `GET ${PATH}/2 HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic()}\r\nConnection: ${connection}\r\n\r\n`;
    const received = await exchange(sample.port, request('keep-alive') + request('close'));
    expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  test('is made no faster than the client takes it', async () => {
    const count = 50_000;
    const socket = connect(sample.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET ${PATH}/${count} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic()}\r\n\r\n`);
    await once(socket, 'readable');
    // What follows waits in the buffers of the connection, until nothing more fits into them.
    let seen: number;
    do {
      seen = LATE.made;
      await call(sample, 'GET', '/api/v1/pieces/2,2');
      await until(() => true);
    } while (LATE.made > seen);
    expect(LATE.made).toBeLessThan(count / 2);
    socket.destroy();
  });

  test('that fails in between is not whole for the client', async () => {
    LATE.failsAt = 300;
    const request = `GET ${PATH}/500 HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic()}\r\nConnection: close\r\n\r\n`;
    const received = await exchange(sample.port, request).catch(() => '');
    LATE.failsAt = undefined;
    expect(received).not.toContain('"end":true');
  });
});
