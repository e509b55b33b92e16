import { Pace } from './pace.js';

function paced(head: number) {
  let now = 0;
  const pace = new Pace(0, head, () => now);
  const pass = (ms: number, events: number, position: number): void => {
    now += ms;
    pace.moved(events, position);
  };
  return { pace, pass };
}

test('a steady pass is estimated by its rate', () => {
  const { pace, pass } = paced(100_000);
  for (let batch = 1; batch <= 10; batch++) pass(500, 1_000, batch * 1_000);
  expect(pace.progress).toEqual({
    events: 10_000,
    position: 10_000,
    head: 100_000,
    elapsedMs: 5_000,
    eventsPerSecond: 2_000,
    secondsLeft: 45,
  });
});

test('positions that count bytes are estimated by bytes, and the rate tells events', () => {
  const { pace, pass } = paced(1_000_000);
  for (let batch = 1; batch <= 5; batch++) pass(1_000, 500, batch * 100_000);
  expect(pace.progress).toMatchObject({ eventsPerSecond: 500, secondsLeft: 5 });
});

test('a change of pace is followed within half a minute', () => {
  const { pace, pass } = paced(1_000_000);
  for (let batch = 1; batch <= 60; batch++) pass(1_000, 1_000, batch * 1_000);
  for (let batch = 1; batch <= 45; batch++) pass(1_000, 500, 60_000 + batch * 500);
  const { eventsPerSecond } = pace.progress;
  expect(eventsPerSecond).toBeGreaterThanOrEqual(500);
  expect(eventsPerSecond).toBeLessThan(550);
});

test('nothing is estimated before anything was read, and nothing is left at the end', () => {
  const { pace, pass } = paced(1_000);
  expect(pace.progress).not.toHaveProperty('secondsLeft');
  pass(1_000, 1_000, 1_000);
  expect(pace.progress).toMatchObject({ secondsLeft: 0, head: 1_000 });
  pace.extend(2_000);
  expect(pace.progress).toMatchObject({ secondsLeft: 1, head: 2_000 });
});
