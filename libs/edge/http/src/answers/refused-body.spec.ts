import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fetch } from '#testing';
import { basic, type Sample, startSample } from '../http.fixture.js';

let sample: Sample;
let limited: Sample;
beforeAll(async () => {
  sample = await startSample();
  limited = await startSample({ rateLimits: true });
  // Uses up the budget of this address.
  for (let call = 0; call < 100; call++) await fetch(`${limited.origin}/api/v1/open`);
});
afterAll(async () => {
  await sample.app.close();
  await limited.app.close();
});

const FORM = 'Content-Type: application/x-www-form-urlencoded';
const MULTIPART = 'Content-Type: multipart/form-data; boundary=x';

/** What is refused before its body is read, or while it is. */
const REFUSED: readonly [why: string, status: number, start: string, server?: () => Sample][] = [
  ['without credentials', 401, `POST /api/v1/sample HTTP/1.1\r\n${FORM}`],
  ['at an unknown path', 404, `POST /api/v1/nowhere HTTP/1.1\r\nContent-Type: text/plain`],
  ['under a wrong verb', 405, `PUT /api/v1/items/1 HTTP/1.1\r\nContent-Type: text/plain`],
  ['of an unknown type', 415, `POST /api/v1/sample HTTP/1.1\r\nAuthorization: ${basic()}\r\nContent-Type: text/plain`],
  ['that is malformed', 400, `POST /api/v1/sample HTTP/1.1\r\nAuthorization: ${basic()}\r\n${MULTIPART}`],
  ['without a file', 400, `POST /api/v1/upload HTTP/1.1\r\nAuthorization: ${basic()}\r\n${FORM}`],
  ['beyond the limit of calls', 429, `POST /api/v1/open HTTP/1.1\r\n${FORM}`, () => limited],
];

const NEXT = 'GET /health/none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** Two answers on one connection: the first does not announce its end. */
function expectBoth(received: string, status: number): void {
  const answers = received.replace('HTTP/1.1 100 Continue\r\n\r\n', '').split(/(?=HTTP\/1\.1 )/);
  expect(answers.map((answer) => Number(answer.slice(9, 12)))).toEqual([status, expect.any(Number)]);
  expect(answers[0]).not.toMatch(/^connection: close/im);
  expect(answers[1]).toMatch(/^connection: close/im);
}

/** Writes each part when the one before it is on its way, and returns everything that is received. */
async function converse(port: number, ...parts: (string | (() => Promise<unknown>))[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const received = receivedBy(socket);
  const ended = once(socket, 'close');
  for (const part of parts) {
    if (typeof part === 'string') await new Promise((written) => socket.write(part, written));
    else await part();
  }
  await ended;
  return received.text;
}

function receivedBy(socket: Socket): { text: string } {
  const received = { text: '' };
  socket.setEncoding('utf8').on('data', (chunk: string) => (received.text += chunk));
  socket.on('error', (error) => (received.text += `[${error.message}]`));
  return received;
}

const aWhile = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
};

const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const SMALL = 'a=b&c=d';
const LARGE = 'a'.repeat(3_000_000);
const TOO_LARGE = 'a'.repeat(6_000_000);

describe.each(REFUSED)('after a request %s', (_, status, start, server = () => sample) => {
  const head = (framing: string): string => `${start}\r\nHost: x\r\n${framing}\r\n\r\n`;
  const { length } = LARGE;

  test.each<[string, (string | (() => Promise<unknown>))[]]>([
    ['small body', [head(`Content-Length: ${SMALL.length}`) + SMALL + NEXT]],
    ['large body', [head(`Content-Length: ${length}`), LARGE, NEXT]],
    ['body of unknown length', [head('Transfer-Encoding: chunked') + chunked(SMALL), NEXT]],
    ['large body of unknown length', [head('Transfer-Encoding: chunked'), chunked(LARGE) + NEXT]],
    ['body that waits to be asked for', [head(`Content-Length: ${length}\r\nExpect: 100-continue`), LARGE, NEXT]],
    ['body that is slow', [head(`Content-Length: ${SMALL.length}`), aWhile, 'a=b', aWhile, '&c=d', aWhile, NEXT]],
  ])('with a %s, the connection serves the next one', async (_how, parts) => {
    expectBoth(await converse(server().port, ...parts), status);
  });
});

test.each(REFUSED.slice(0, 2))(
  'after a request %s whose body does not arrive, the connection ends, as the answer says',
  async (_, status, start) => {
    const received = await converse(sample.port, `${start}\r\nHost: x\r\nContent-Length: 1000\r\n\r\n`);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received).toMatch(/^connection: close/im);
    expect(received).toMatch(/"code":"\w+"}$/);
  },
);

test.each([FORM, MULTIPART])('a body beyond its limit (%s) is read to its end', async (type) => {
  const start = `POST /api/v1/sample HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic()}\r\n${type}\r\n`;
  const whole = `${start}Content-Length: ${TOO_LARGE.length}\r\n\r\n`;
  expectBoth(await converse(sample.port, whole, TOO_LARGE, NEXT), 413);
});

test('a body of which too much is to come is not waited for, and the connection ends', async () => {
  const socket = connect(sample.port, '127.0.0.1');
  const received = receivedBy(socket);
  socket.write(`POST /api/v1/sample HTTP/1.1\r\nHost: x\r\n${FORM}\r\nContent-Length: 40000000\r\n\r\n`);
  await once(socket, 'data');
  expect(received.text).toMatch(/^HTTP\/1\.1 401 /);
  expect(received.text).toMatch(/^connection: close/im);
  // The client is not cut off while it sends, so that it does not lose the answer.
  socket.write(LARGE);
  await once(socket, 'close');
  expect(received.text).toMatch(/"code":"\w+"}$/);
});

test('a client that ends the connection gets the answer at once', async () => {
  const head = `POST /api/v1/sample HTTP/1.1\r\nHost: x\r\n${FORM}\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n`;
  const received = await converse(sample.port, head, aWhile);
  expect(received).toMatch(/^HTTP\/1\.1 401 [^]*connection: close[^]*"}$/i);
});

test('an unknown expectation does not end the connection', async () => {
  const head = `POST /api/v1/sample HTTP/1.1\r\nHost: x\r\n${FORM}\r\nExpect: else\r\nContent-Length: 7\r\n\r\n`;
  expectBoth(await converse(sample.port, head + SMALL + NEXT), 417);
});
