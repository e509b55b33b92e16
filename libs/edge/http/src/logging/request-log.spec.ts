import { call, basic, startSample, type Sample } from '../http.fixture.js';
import { createLogger } from './logging.js';
import { RequestLog } from './request-log.js';

const MINUTE_MS = 60_000;

let lines: Record<string, unknown>[];
const logger = createLogger('info', {
  write: (line: string) => {
    const {
      level: _,
      time: _time,
      ms: _ms,
      bytes: _bytes,
      requestId: _id,
      ...logged
    } = JSON.parse(line) as Record<string, unknown>;
    lines.push(logged);
  },
});
let log: RequestLog;
beforeEach(() => {
  lines = [];
  log = new RequestLog(logger);
});

afterEach(() => {
  jest.useRealTimers();
});

/** Program and network of the caller, of the first refusal. */
const PROGRAM = { client: 'curl', address: 'short' };

interface Caller {
  readonly userId?: number | null;
  readonly route?: string;
  readonly address?: string;
}
const send = (status: number, { userId = 7, route = '/a', address = '10.0.0.1' }: Caller = {}): void =>
  log.log(
    {
      method: 'GET',
      route,
      status,
      ms: 1,
      bytes: 100,
      requestId: 'r',
      userId: userId ?? undefined,
      client: 'curl',
      address: 'short',
    },
    status,
    address,
  );

test('refusals of one client without a pause are a line at once, and one each minute', () => {
  jest.useFakeTimers();
  for (let second = 0; second < 150; second++) {
    for (let n = 0; n < 100; n++) send(429, { route: `/${n % 3}` });
    jest.advanceTimersByTime(1_000);
  }
  expect(lines).toEqual([
    { method: 'GET', route: '/0', status: 429, userId: 7, ...PROGRAM, msg: 'request' },
    { status: 429, userId: 7, ...PROGRAM, count: 5_999, msg: 'requests refused again' },
    { status: 429, userId: 7, ...PROGRAM, count: 6_000, msg: 'requests refused again' },
  ]);
  log.close();
  expect(lines.at(-1)).toEqual({ status: 429, userId: 7, ...PROGRAM, count: 3_000, msg: 'requests refused again' });
  expect(jest.getTimerCount()).toBe(0);
});

test('a refusal after a quiet minute is logged at once, and no timer stays', () => {
  jest.useFakeTimers();
  send(400);
  jest.advanceTimersByTime(MINUTE_MS);
  expect(jest.getTimerCount()).toBe(0);
  send(400);
  expect(lines.map(({ msg }) => msg)).toEqual(['request', 'request']);
});

test('refusals of others, of other routes and for other reasons, successes and faults are lines of their own', () => {
  const anonymous = { userId: null };
  send(400);
  send(401);
  send(400, { route: '/b' });
  send(400, { userId: 8 });
  send(400, anonymous);
  send(400, { ...anonymous, address: '10.0.0.2' });
  for (const status of [200, 200, 503, 503]) send(status);
  expect(lines.map(({ msg }) => msg)).toEqual(Array(10).fill('request'));
  send(400);
  send(400, anonymous);
  log.close();
  expect(lines.slice(10)).toEqual([
    { method: 'GET', route: '/a', status: 400, userId: 7, ...PROGRAM, count: 1, msg: 'requests refused again' },
    { method: 'GET', route: '/a', status: 400, ...PROGRAM, count: 1, msg: 'requests refused again' },
  ]);
});

test('only so many are remembered', () => {
  for (let userId = 1; userId <= 10_000; userId++) send(400, { userId });
  send(400, { userId: 1 });
  send(400, { userId: 20_000 });
  send(400, { userId: 2 });
  expect(lines.slice(10_000).map(({ userId, count }) => [userId, count])).toEqual([
    [1, 1],
    [20_000, undefined],
    [2, undefined],
  ]);
  log.close();
});

test('a client beyond the limit of calls is counted, and told of when the server ends', async () => {
  const sample: Sample = await startSample({ logger });
  for (let n = 0; n < 260; n++) await call(sample, 'GET', '/api/v1/me', { authorization: basic(3) });
  await sample.app.close();
  const ofLimit = lines.filter(({ status }) => status === 429);
  expect(ofLimit.map(({ count }) => count)).toEqual([undefined, 59]);
});
