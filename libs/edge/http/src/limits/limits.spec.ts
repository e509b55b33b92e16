import fc from 'fast-check';
import { ManualClock } from '#testing';
import type { Answer, Sample } from '../http.fixture.js';
import { basic, call, startSample, WRITE_ONLY_USER } from '../http.fixture.js';
import { RateLimiter } from './rate-limiter.js';
import { CallLimits, LoginAttempts, network, VisitorMails } from './rate-limits.js';

describe('RateLimiter', () => {
  test('lets through exactly the limit in each window, for any order of calls', () => {
    const call = fc.record({ key: fc.integer({ min: 1, max: 3 }), waitMs: fc.integer({ min: 0, max: 30 }) });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 200 }), (calls) => {
        const limiter = new RateLimiter({ calls: 3, perMs: 50 });
        const windows = new Map<number, { start: number; count: number }>();
        let nowMs = 0;
        for (const { key, waitMs } of calls) {
          nowMs += waitMs;
          const known = windows.get(key);
          const window = known !== undefined && nowMs < known.start + 50 ? known : { start: nowMs, count: 0 };
          windows.set(key, window);
          const expected = window.count >= 3;
          if (!expected) window.count++;
          const { exceeded, remaining, resetAtMs } = limiter.take(key, nowMs);
          expect({ exceeded, remaining, resetAtMs }).toEqual({
            exceeded: expected,
            remaining: 3 - window.count,
            resetAtMs: window.start + 50,
          });
        }
      }),
    );
  });

  test('remembers no more keys than it may, and forgets what has expired', () => {
    const limiter = new RateLimiter({ calls: 1, perMs: 1000, keysMax: 100 });
    for (let key = 0; key < 5000; key++) limiter.take(key, 0);
    expect(limiter.size).toBeLessThanOrEqual(100);
    for (let key = 0; key < 120; key++) limiter.take(`later ${key}`, 2000);
    expect(limiter.take(4999, 2000).exceeded).toBe(false);
    expect(limiter.size).toBeLessThanOrEqual(100);
  });

  test('forgets on request', () => {
    const limiter = new RateLimiter({ calls: 1, perMs: 1000 });
    limiter.take('a', 0);
    limiter.forget('a');
    expect(limiter.take('a', 0).exceeded).toBe(false);
  });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s counts as %s', (address, counted) => {
  expect(network(address)).toBe(counted);
});

describe('over HTTP', () => {
  let sample: Sample;
  const clock = new ManualClock();
  beforeAll(async () => {
    sample = await startSample({ rateLimits: true, clock, trustProxy: true });
  });
  afterAll(() => sample.app.close());

  const from = (address: string, path = '/api/v1/open', authorization: string | null = null): Promise<Answer> =>
    call(sample, 'GET', path, { authorization, headers: { 'x-forwarded-for': address } });
  const last = async (count: number, one: () => Promise<Answer>): Promise<Answer> => {
    for (let i = 1; i < count; i++) await one();
    return one();
  };

  test('calls that their route counts by itself are free, but not when they are refused before it', async () => {
    const free = (userId: number): Promise<Answer> => from('192.0.2.30', '/api/v1/free', basic(userId));
    const allowed = await last(201, () => free(31));
    expect([allowed.status, allowed.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
    expect((await last(200, () => free(WRITE_ONLY_USER))).status).toBe(400);
    expect((await free(WRITE_ONLY_USER)).body.code).toBe('RATE_LIMIT_HIT');
  });

  test('a user has 200 calls a minute, and is told so', async () => {
    const me = (): Promise<Answer> => from('192.0.2.1', '/api/v1/me', basic(7));
    const first = await me();
    expect(first.headers.get('x-ratelimit-limit')).toBe('200');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('199');
    expect(first.headers.get('x-ratelimit-reset')).toBe(String(clock.atMs / 1000 + 60));
    const allowed = await last(199, me);
    expect([allowed.status, allowed.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
    clock.atMs += 500;
    const refused = await me();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(refused.body).toEqual({
      result: 'error',
      msg: 'API usage exceeded rate limit',
      code: 'RATE_LIMIT_HIT',
      'retry-after': 59.5,
    });
    expect((await from('192.0.2.1', '/api/v1/me', basic(8))).status).toBe(200);
    expect((await from('192.0.2.1', '/api/v1/file', basic(7))).status).toBe(200);
    clock.atMs += 60_000;
    expect((await me()).status).toBe(200);
  });

  test('an address has 100 calls a minute without credentials, unknown paths and wrong keys included', async () => {
    expect((await last(98, () => from('192.0.2.2'))).status).toBe(200);
    expect((await from('192.0.2.2', '/nowhere')).status).toBe(404);
    expect((await from('192.0.2.2', '/api/v1/me', 'Basic YTpi')).status).toBe(401);
    expect((await from('192.0.2.2', '/api/v1/me', 'Basic YTpi')).status).toBe(429);
    expect((await from('192.0.2.2', '/nowhere')).status).toBe(429);
    expect((await from('192.0.2.2')).status).toBe(429);
    expect((await from('192.0.2.2', '/api/v1/me', basic(9))).status).toBe(200);
    expect((await from('192.0.2.3')).status).toBe(200);
  });

  test('an overridden verb is charged once', async () => {
    const form = { method: 'PATCH', name: 'x' };
    const answer = await call(sample, 'POST', '/api/v1/sample', { form, authorization: basic(10) });
    expect(answer.body.verb).toBe('patch');
    expect((await from('192.0.2.4', '/api/v1/me', basic(10))).headers.get('x-ratelimit-remaining')).toBe('198');
  });

  test('a login name has five wrong passwords in half an hour', async () => {
    const login = (username: string, password: string): Promise<Answer> =>
      call(sample, 'POST', '/api/v1/login', {
        headers: { 'x-forwarded-for': '192.0.2.5' },
        form: { username, password },
        authorization: null,
      });
    expect((await last(4, () => login('ann', 'wrong'))).status).toBe(401);
    expect((await login('ann', 'right')).status).toBe(200);
    expect((await last(5, () => login('Ann', 'wrong'))).status).toBe(401);
    const refused = await login('ann', 'right');
    expect([refused.status, refused.body['retry-after']]).toEqual([429, 1800]);
    expect((await login('bob', 'right')).status).toBe(200);
    clock.atMs += 1_800_000;
    expect((await login('ann', 'right')).status).toBe(200);
  });
});

describe('calls of bots', () => {
  const clock = new ManualClock();
  let limits: CallLimits;
  beforeEach(() => {
    limits = new CallLimits({ rateLimits: true, clock });
  });
  const OWNER = { userId: 7, botOwnerId: null };
  const bot = (userId: number, botOwnerId = OWNER.userId) => ({ userId, botOwnerId });
  /** @returns how many of so many calls are let through */
  function passed(count: number, callerOf: (index: number) => { userId: number; botOwnerId: number | null }): number {
    let passed = 0;
    for (let index = 0; index < count; index++) if (limits.takeForUser(callerOf(index))?.exceeded === false) passed++;
    return passed;
  }

  test('count for their owner as well: many bots have no more than one person', () => {
    expect(passed(2_400, (index) => bot(100 + (index % 12)))).toBe(200);
    expect(passed(1, () => OWNER)).toBe(0);
    expect(passed(1, () => bot(200, 8))).toBe(1);
  });

  test('are no more than those of a person for one bot, and what is refused counts for nobody', () => {
    expect(passed(150, () => OWNER)).toBe(150);
    expect(passed(100, () => bot(100))).toBe(50);
    // By then the bot has another owner.
    expect(limits.takeForUser(bot(100, 8))).toMatchObject({ exceeded: false, remaining: 149 });
  });

  test('show the budget with less left', () => {
    passed(50, () => OWNER);
    expect(limits.takeForUser(bot(100))?.remaining).toBe(149);
    expect(limits.takeForUser(OWNER)?.remaining).toBe(148);
  });
});

test('switched off, nothing is counted and nothing is shown', async () => {
  const sample = await startSample({ rateLimits: false });
  let answer = await call(sample, 'GET', '/api/v1/me');
  for (let i = 0; i < 210; i++) answer = await call(sample, 'GET', '/api/v1/me');
  await sample.app.close();
  expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
  const attempts = new LoginAttempts({ rateLimits: false, clock: new ManualClock() });
  const attempt = { loginName: 'ann', address: '192.0.2.1' };
  for (let i = 0; i < 10; i++)
    await expect(attempts.run(attempt, () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
});

describe('wrong passwords from one network address', () => {
  const HALF_AN_HOUR_MS = 1_800_000;
  let clock: ManualClock, attempts: LoginAttempts, names: number;
  beforeEach(() => {
    names = 0;
    clock = new ManualClock();
    attempts = new LoginAttempts({ rateLimits: true, clock });
  });
  const right = (loginName: string, address = '192.0.2.1'): Promise<string> =>
    attempts.run({ loginName, address }, () => Promise.resolve('key'));
  /** Each for another account. */
  async function wrong(count: number, address = '192.0.2.1'): Promise<void> {
    for (let i = 0; i < count; i++) {
      const attempt = { loginName: `user${names++}`, address };
      await expect(attempts.run(attempt, () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
    }
  }
  const REFUSED = expect.objectContaining({ code: 'RATE_LIMIT_HIT', data: { 'retry-after': 1800 } });

  test('are a hundred in half an hour, for whichever accounts', async () => {
    await wrong(100);
    await expect(right('ann')).rejects.toEqual(REFUSED);
    await expect(right('ann', '192.0.2.2')).resolves.toBe('key');
    clock.atMs += HALF_AN_HOUR_MS;
    await expect(right('ann')).resolves.toBe('key');
  });

  test('are not forgotten because of right ones, which are not counted', async () => {
    await wrong(99);
    for (let i = 0; i < 200; i++) await right('ann');
    await wrong(1);
    await expect(right('ann')).rejects.toEqual(REFUSED);
  });

  test('are counted before they are checked, so that parallel ones gain nothing', async () => {
    const checked: string[] = [];
    const all = Array.from({ length: 150 }, (_, i) =>
      attempts.run({ loginName: `user${i}`, address: '2001:db8::1' }, () => {
        checked.push(`user${i}`);
        return Promise.reject(new Error('wrong'));
      }),
    );
    await Promise.allSettled(all);
    expect(checked).toHaveLength(100);
    // Of the same network of IPv6.
    await expect(right('ann', '2001:db8::2')).rejects.toEqual(REFUSED);
  });

  test('do not count where no password is checked', async () => {
    const attempt = { loginName: 'ann', address: '192.0.2.1' };
    for (let i = 0; i < 5; i++)
      await expect(attempts.run(attempt, () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
    for (let i = 0; i < 300; i++) await expect(right('ann')).rejects.toEqual(REFUSED);
    await wrong(95);
    await expect(right('ben')).rejects.toEqual(REFUSED);
    // Nor are they counted against the name.
    for (let i = 0; i < 10; i++) await expect(right('cleo')).rejects.toEqual(REFUSED);
    await expect(right('cleo', '192.0.2.2')).resolves.toBe('key');
  });

  test('an account whose owner has another proof may try again', async () => {
    const attempt = { loginName: 'Ann', address: '192.0.2.1' };
    for (let i = 0; i < 5; i++)
      await expect(attempts.run(attempt, () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
    await expect(right('ann')).rejects.toEqual(REFUSED);
    attempts.forget('ann');
    await expect(right('ann')).resolves.toBe('key');
  });
});

test('without a trusted proxy, a client cannot choose the address that is counted', async () => {
  const sample = await startSample({ rateLimits: true });
  let answer: Answer | undefined;
  for (let i = 0; i < 101; i++) {
    answer = await call(sample, 'GET', '/api/v1/open', {
      authorization: null,
      headers: { 'x-forwarded-for': `192.0.2.${i}` },
    });
  }
  await sample.app.close();
  expect(answer?.status).toBe(429);
});

test('a visitor causes so many mails, and later more', () => {
  const clock = new ManualClock();
  const mails = new VisitorMails({ rateLimits: true, clock });
  const take = (): void => {
    mails.take('192.0.2.1');
  };
  for (let count = 0; count < 30; count++) take();
  expect(take).toThrow(expect.objectContaining({ code: 'RATE_LIMIT_HIT' }));
  mails.take('192.0.2.2');
  clock.atMs += 1_800_000;
  expect(take).not.toThrow();
  const off = new VisitorMails({ rateLimits: false, clock });
  for (let count = 0; count < 100; count++) off.take('192.0.2.1');
});
