import { Backoff, sleep } from './backoff.js';

describe('a backoff', () => {
  test('doubles its pauses up to the limit, each shortened by half at most', () => {
    const backoff = new Backoff(100, 500);
    for (const fullMs of [100, 200, 400, 500, 500]) {
      const ms = backoff.next();
      expect(ms).toBeGreaterThanOrEqual(fullMs / 2);
      expect(ms).toBeLessThanOrEqual(fullMs);
    }
  });

  test('gives different callers different pauses', () => {
    expect(new Set(Array.from({ length: 20 }, () => new Backoff(100, 500).next())).size).toBeGreaterThan(10);
  });

  test('begins again after a success', () => {
    const backoff = new Backoff(100, 10_000);
    for (let failure = 0; failure < 5; failure++) backoff.next();
    backoff.reset();
    expect(backoff.next()).toBeLessThanOrEqual(100);
  });
});

describe('sleep', () => {
  test('ends with the time', async () => {
    await expect(sleep(1, new AbortController().signal)).resolves.toBeUndefined();
  });

  test('ends at once when the signal aborts, and rejects nothing', async () => {
    const ending = new AbortController();
    const sleeping = sleep(2 ** 30, ending.signal);
    ending.abort();
    await expect(sleeping).resolves.toBeUndefined();
    await expect(sleep(2 ** 30, ending.signal)).resolves.toBeUndefined();
  });
});
