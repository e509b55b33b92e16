import { DamagedRecord, type EventStore, type ReadStreamOptions, streams } from '#event-store';
import type { Moment } from '../moment.js';
import { Moments } from './moments.js';

/** In place of the second of a record that is damaged. */
const DAMAGED = -1;

/** Messages that were decided in these seconds, in the order of the log; every second position is of another stream. */
function moments(...seconds: readonly number[]): Moments {
  const events = seconds.map((at, revision) => ({ revision, position: 2 * revision + 1, data: { at } }));
  const readStream = (stream: string, { from, direction, limit }: ReadStreamOptions) => {
    expect([streams.messages, streams.organization]).toContain(stream);
    const page = direction === 'backwards' ? events.slice(0, (from ?? Infinity) + 1).reverse() : events.slice(from);
    const read = page.slice(0, limit);
    const damaged = read.find(({ data }) => data.at === DAMAGED);
    return damaged === undefined
      ? Promise.resolve(read as never[])
      : Promise.reject(new DamagedRecord(damaged.position, 'it is damaged'));
  };
  return new Moments({ readStream } as unknown as EventStore);
}
const until = (seconds: number): Moment => ({ kind: 'time', seconds });
const at = (position: number): Moment => ({ kind: 'position', position });

test('a second has all messages of that second, a position those up to it, now has all', async () => {
  const found = moments(10, 20, 20, 20, 31);
  const asked = [until(9), until(10), until(19), until(20), until(30), until(31), at(0), at(1), at(6), { kind: 'now' }];
  const last = await Promise.all(asked.map((moment) => found.lastMessageId(moment as Moment)));
  expect(last).toEqual([0, 1, 1, 4, 4, 5, 0, 1, 3, 5]);
  expect(await moments().lastMessageId(until(5))).toBe(0);
});

test('a second has messages that are stored after later ones, however long the log goes on', async () => {
  const clocksApart = [10, 12, 11, 13, 11, 12, 12];
  for (let more = 0; more < 40; more++) {
    const found = moments(...clocksApart, ...Array.from({ length: more }, (_, index) => 20 + index));
    expect(await found.lastMessageId(until(11))).toBe(5);
    expect(await found.lastMessageId(until(10))).toBe(1);
    expect(await found.lastMessageId(until(12))).toBe(7);
    expect(await found.organizationPosition(until(11))).toBe(9);
  }
});

test('up to the ID that is reached, no message is later', async () => {
  const times = Array.from({ length: 400 }, (_, index) => 1_000 + index + (index % 7 === 0 ? 20 : 0));
  const found = moments(...times);
  for (const second of [999, 1_000, 1_059, 1_100, 1_250, 2_000]) {
    const reached = await found.messageIdReached(until(second));
    expect(times.slice(0, reached).every((time) => time <= second)).toBe(true);
    const last = await found.lastMessageId(until(second));
    expect(last).toBe(1 + times.findLastIndex((time) => time <= second));
    expect(last - reached).toBeLessThan(150);
  }
});

describe('damaged records', () => {
  const [X, LATER] = [DAMAGED, 900];

  test('leave the position of the organization where the event before them has it', async () => {
    for (const times of [
      [100, 200, X],
      [100, 200, X, X, LATER],
      [X, 200, X, LATER, X, X, X, X, LATER],
    ])
      expect([times, await moments(...times).organizationPosition(until(300))]).toEqual([times, 3]);
    expect(await moments(X, X).organizationPosition(until(300))).toBe(0);
  });

  test('follow the last message, and are none of those that were surely sent', async () => {
    for (const [times, reached, last] of [
      [[100, X, X, X, LATER], 1, 4],
      [[100, X, X, X], 1, 4],
      [[100, LATER, LATER, LATER, X, X, X, X, X, X, LATER], 1, 1],
      [[X, X, LATER], 0, 2],
      [[100, 200, 320, X, LATER], 2, 2],
    ] as const) {
      const found = moments(...times);
      expect([times, await found.messageIdReached(until(300))]).toEqual([times, reached]);
      expect([times, await found.lastMessageId(until(300))]).toEqual([times, last]);
    }
  });

  test('of earlier questions do not count against the limit of a later one', async () => {
    const found = moments(...Array.from({ length: 800 }, () => X), 100, LATER);
    expect([await found.organizationPosition(until(300)), await found.lastMessageId(until(300))]).toEqual([1601, 801]);
  });
});
