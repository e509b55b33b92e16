import fc from 'fast-check';
import { DamagedRecord, type EventStore, type ReadStreamOptions, streams } from '#event-store';
import { rounds } from '#testing';
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

describe('a clock that is a day ahead or behind', () => {
  const DAY = 86_400;

  test('hides nothing that is up to a time, wherever halving meets its events', async () => {
    for (let wrong = 0; wrong < 60; wrong++) {
      const times = Array.from({ length: 60 }, (_, index) => 100 * index + (index === wrong ? DAY : 0));
      const last = await moments(...times).lastMessageId(until(4_550));
      expect([wrong, last]).toEqual([wrong, wrong === 45 ? 45 : 46]);
    }
  });

  test('of the newest event makes nothing of what was said before it earlier than it was', async () => {
    const times = Array.from({ length: 60 }, (_, index) => DAY + 100 * index - (index === 59 ? DAY : 0));
    const asOf = until(DAY + 2_050);
    expect(await moments(...times).messageIdReached(asOf)).toBe(20);
    expect(await moments(...times).lastMessageId(asOf)).toBe(21);
  });

  test('of some events anywhere, at any time', async () => {
    const stories = fc.record({
      steps: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 20, maxLength: 150 }),
      // Four of five events tell the right time: the jury is right then.
      wrong: fc.array(fc.record({ place: fc.nat(29), shift: fc.constantFrom(-DAY, DAY) }), { maxLength: 10 }),
      asked: fc.nat(99),
    });
    await fc.assert(
      fc.asyncProperty(stories, async ({ steps, wrong, asked }) => {
        let now = 2 * DAY;
        const right = steps.map((step) => (now += step));
        const told = [...right];
        for (const { place, shift } of wrong)
          if (5 * place < told.length) told[5 * place] = (right[5 * place] ?? 0) + shift;
        const second = Math.floor(2 * DAY + (asked / 100) * (now - 2 * DAY));
        const last = await moments(...told).lastMessageId(until(second));
        const isMissed = (time: number, index: number): boolean =>
          index >= last && time <= second && time === right[index];
        expect(told.filter(isMissed)).toEqual([]);
      }),
      { numRuns: rounds(300) },
    );
  });
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
