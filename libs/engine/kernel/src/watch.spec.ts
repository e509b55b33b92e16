import { Watch } from './watch.js';

let looks: number;
let isIdle: boolean;
let watch: Watch;

beforeEach(() => {
  jest.useFakeTimers();
  [looks, isIdle] = [0, false];
  watch = new Watch(
    () => {
      looks++;
      return isIdle;
    },
    100,
    1_000,
  );
  watch.start();
});
afterEach(() => {
  watch.stop();
  jest.useRealTimers();
});

test('it looks often while something happens, and seldom while nothing does', () => {
  jest.advanceTimersByTime(1_000);
  expect(looks).toBe(10);
  isIdle = true;
  jest.advanceTimersByTime(10_100);
  expect(looks).toBe(21);
});

test('a fact ends the long pause', () => {
  isIdle = true;
  jest.advanceTimersByTime(150);
  expect(looks).toBe(1);
  watch.wake();
  isIdle = false;
  jest.advanceTimersByTime(1_000);
  expect(looks).toBe(11);
});

test('facts that follow each other do not put a look off', () => {
  for (let facts = 0; facts < 100; facts++) {
    watch.wake();
    jest.advanceTimersByTime(10);
  }
  expect(looks).toBe(10);
});

test('it looks no more once it is stopped, also by a fact or by its own look', () => {
  watch.stop();
  watch.wake();
  jest.advanceTimersByTime(10_000);
  expect(looks).toBe(0);
  const once: Watch = new Watch(() => (once.stop(), looks++, true), 100, 1_000);
  once.start();
  jest.advanceTimersByTime(10_000);
  expect(looks).toBe(1);
});
