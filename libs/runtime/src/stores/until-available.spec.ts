import { createLogger } from '#http';
import { Refusal } from '#kernel';
import { nowAndThen, untilAvailable } from './until-available.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('troubles', () => {
  test('are told when they are new, and once a minute while they last', () => {
    const told: string[] = [];
    const tell = nowAndThen(({ message }) => told.push(message));
    for (let second = 0; second < 90; second++) {
      tell(new Error('away'));
      if (second % 2 === 0) tell('silent');
      jest.advanceTimersByTime(1_000);
    }
    expect(told).toEqual(['away', 'silent', 'away', 'silent']);
  });
});

describe('work that stores hinder', () => {
  const logger = createLogger('silent');
  const notYet = new Refusal('SERVER_NOT_READY', 'Not yet.');

  test('is tried until it succeeds', async () => {
    let tries = 0;
    const done = untilAvailable(async () => {
      if (++tries < 4) throw notYet;
      return 'done';
    }, logger);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await done).toBe('done');
    expect(tries).toBe(4);
  });

  test('fails at once by what does not pass', async () => {
    const broken = untilAvailable(() => Promise.reject(new TypeError('broken')), logger);
    await expect(broken).rejects.toThrow('broken');
  });

  test('ends when it is called off', async () => {
    const ending = new AbortController();
    const waiting = untilAvailable(() => Promise.reject(notYet), logger, ending.signal);
    const ended = expect(waiting).rejects.toThrow();
    await jest.advanceTimersByTimeAsync(150);
    ending.abort();
    await ended;
  });
});
