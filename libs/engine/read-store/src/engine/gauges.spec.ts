import type { RecordedEvent } from '#event-store';
import type { EngineOptions } from './engine-status.js';
import { Gauges } from './gauges.js';

const LIMITS = { stallLimitMs: 5_000, lagLimitMs: 5_000, lagGraceMs: 5_000 } as EngineOptions;

let nowMs: number;
let gauges: Gauges;

beforeEach(() => {
  nowMs = 1_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  jest.spyOn(Date, 'now').mockImplementation(() => nowMs);
  gauges = new Gauges(LIMITS);
});
afterEach(() => jest.restoreAllMocks());

function batch(tookMs: number, recordedAtMs = nowMs): void {
  gauges.began({ recordedAtMs } as RecordedEvent);
  nowMs += tookMs;
  gauges.ended();
}

test('a command that waits for slow batches finds the read side at work, not stuck', () => {
  const askedMs = nowMs;
  for (let batches = 0; batches < 3; batches++) batch(2_900);
  expect(nowMs - askedMs).toBeGreaterThan(LIMITS.stallLimitMs);
  expect(gauges.complaint(askedMs, 1)).toBeUndefined();
});

test('it is stuck when a batch does not end', () => {
  gauges.began({ recordedAtMs: nowMs } as RecordedEvent);
  nowMs += 5_000;
  expect(gauges.complaint(Infinity, 0)).toBeUndefined();
  nowMs++;
  expect(gauges.complaint(Infinity, 0)).toBe('The read side is stuck.');
});

test('it is stuck when a command waits and no batch comes', () => {
  batch(10);
  const askedMs = nowMs;
  nowMs += 5_001;
  expect(gauges.complaint(askedMs, 1)).toBe('The read side is stuck.');
  batch(10);
  expect(gauges.complaint(askedMs, 1)).toBeUndefined();
});

test('it has fallen behind when what it works on stays old', () => {
  const recordedAtMs = nowMs - 6_000;
  for (let batches = 0; batches < 3; batches++) batch(2_900, recordedAtMs);
  expect(gauges.complaint(Infinity, 1)).toBe('The read side has fallen behind.');
  gauges.caughtUp();
  expect(gauges.complaint(Infinity, 1)).toBeUndefined();
});

test.each([[250], [500], [2_000]])('a rate is the same where it is sampled every %d ms', (everyMs) => {
  const rateAfter = (perSecond: number, ms: number): number => {
    for (let passedMs = 0; passedMs < ms; passedMs += everyMs) {
      nowMs += everyMs;
      handled += (perSecond * everyMs) / 1_000;
      gauges.sample([{ name: 'messages', handled }]);
    }
    return gauges.eventsPerSecond('messages');
  };
  let handled = 0;
  expect(rateAfter(1_000, 2_000)).toBeCloseTo(832, -1);
  expect(rateAfter(1_000, 6_000)).toBeGreaterThan(990);
  expect(rateAfter(0, 10_000)).toBe(0);
});
