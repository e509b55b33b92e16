import * as fc from 'fast-check';
import { rounds } from '#testing';
import { type Presence, PresenceBook, PROCESSES_MAX } from './presence-book.js';

const ANN = 7;
const BEN = 8;
const START_S = 1_700_000_000;
const ms = (seconds: number): number => (START_S + seconds) * 1000;
const idsOf = (runs: readonly (readonly Presence[])[]): number[] => runs.flat().map(({ userId }) => userId);

test('an active report sets both times, an idle one only that of the connection', () => {
  const book = new PresenceBook(1);
  book.report(ANN, 'active', ms(0));
  expect(book.get(ANN)).toMatchObject({ activeAt: START_S, connectedAt: START_S });
  book.report(ANN, 'idle', ms(60));
  expect(book.get(ANN)).toMatchObject({ activeAt: START_S, connectedAt: START_S + 60 });
});

test('a report soon after one that counted changes nothing', () => {
  const book = new PresenceBook(1);
  book.report(ANN, 'active', ms(0));
  const before = book.lastUpdateId;
  expect(book.report(ANN, 'active', ms(55))).toBeUndefined();
  expect(book.report(ANN, 'idle', ms(55))).toBeUndefined();
  expect(book.lastUpdateId).toBe(before);
  expect(book.report(ANN, 'active', ms(56))).toMatchObject({ cameOnline: false });
  expect(book.lastUpdateId).toBeGreaterThan(before);
});

test('whom clients may already show as offline comes online', () => {
  const book = new PresenceBook(1);
  expect(book.report(ANN, 'idle', ms(0))).toMatchObject({ cameOnline: true });
  expect(book.report(ANN, 'active', ms(10))).toMatchObject({ cameOnline: true });
  expect(book.report(ANN, 'active', ms(140))).toMatchObject({ cameOnline: false });
  expect(book.report(ANN, 'active', ms(271))).toMatchObject({ cameOnline: true });
});

test('what changed since an update of this process', () => {
  const book = new PresenceBook(1);
  expect(book.lastUpdateId).toBe(-1);
  expect(book.since(-1)).toEqual([]);
  book.report(ANN, 'active', ms(0));
  const first = book.lastUpdateId;
  expect(first).toBeLessThan(Number.MAX_SAFE_INTEGER);
  expect(book.since(first)).toEqual([]);
  book.report(BEN, 'active', ms(0));
  expect(idsOf(book.since(first))).toEqual([BEN]);
  expect(idsOf(book.since(-1))).toEqual([ANN, BEN]);
  book.report(ANN, 'active', ms(90));
  expect(idsOf(book.since(first))).toEqual([BEN, ANN]);
});

test('what changed since an update of another process contains what this one heard a little before', () => {
  const book = new PresenceBook(1);
  book.report(ANN, 'active', ms(0));
  book.report(BEN, 'active', ms(60));
  expect(idsOf(book.since(ms(61) * PROCESSES_MAX + 2))).toEqual([BEN]);
});

test('opting out makes a user look offline, despite earlier reports; opting in counts as a report', () => {
  const book = new PresenceBook(1);
  book.report(ANN, 'active', ms(0));
  const late = { ...book.get(ANN)! };
  book.reset(ANN, false, START_S + 30, ms(30));
  expect(book.get(ANN)?.connectedAt).toBeLessThan(START_S - 200);
  expect(book.merge(late, ms(31))).toBeUndefined();
  book.reset(ANN, true, START_S + 40, ms(40));
  expect(book.get(ANN)).toMatchObject({ activeAt: START_S + 40, connectedAt: START_S + 40 });
});

const presences = fc.record({
  userId: fc.integer({ min: 1, max: 3 }),
  activeAt: fc.nat({ max: 5 }),
  connectedAt: fc.nat({ max: 5 }),
  resetAt: fc.nat({ max: 2 }),
});
const knownAfter = (told: readonly Presence[]): unknown => {
  const book = new PresenceBook(1);
  for (const presence of told) book.merge(presence, ms(0));
  const all = book.since(-1).flat();
  return new Map(all.map(({ userId, activeAt, connectedAt, resetAt }) => [userId, [activeAt, connectedAt, resetAt]]));
};

test('processes that hear the same, in any order and more than once, know the same', () => {
  const orders = fc
    .array(presences, { maxLength: 12 })
    .chain((told) => fc.tuple(fc.constant(told), fc.shuffledSubarray([...told, ...told], { minLength: told.length })));
  fc.assert(
    fc.property(orders, ([told, others]) => {
      expect(knownAfter([...others, ...told])).toEqual(knownAfter(told));
    }),
    { numRuns: rounds(200) },
  );
});

test('of many changes of a user the last one counts', () => {
  const book = new PresenceBook(1);
  for (let minute = 0; minute < 5_000; minute++) book.report(ANN, 'active', ms(60 * minute));
  const { lastUpdateId } = book;
  expect(idsOf(book.since(0))).toEqual([ANN]);
  expect(book.since(lastUpdateId)).toEqual([]);
});
