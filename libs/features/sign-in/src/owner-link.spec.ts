import { ManualClock } from '#testing';
import { OwnerLink } from './owner-link.js';

const MINUTE_MS = 60_000;

let clock: ManualClock;
let link: OwnerLink;

beforeEach(() => {
  clock = new ManualClock();
  link = new OwnerLink(clock);
});

const tokenOf = (path: string): string => path.split('/').at(-1) ?? '';
const issued = (): string => tokenOf(link.issue('olive@example.test'));

test('counts until the end of ten minutes', () => {
  const token = issued();
  clock.atMs += 10 * MINUTE_MS - 1000;
  expect(link.redeem(token)).toBe('olive@example.test');
});

test('counts no more after ten minutes', () => {
  const token = issued();
  clock.atMs += 10 * MINUTE_MS;
  expect(link.redeem(token)).toBeUndefined();
});

test('has ten minutes of its own when it is issued again', () => {
  const first = issued();
  clock.atMs += 9 * MINUTE_MS;
  const second = issued();
  clock.atMs += 9 * MINUTE_MS;
  expect([link.redeem(first), link.redeem(second)]).toEqual([undefined, 'olive@example.test']);
});

test('counts once, and stays after a guess', () => {
  const token = issued();
  expect(link.redeem(`${token.slice(0, -1)}!`)).toBeUndefined();
  expect([link.redeem(token), link.redeem(token)]).toEqual(['olive@example.test', undefined]);
});
