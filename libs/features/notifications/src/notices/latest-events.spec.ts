import type { RecordedEvent } from '#event-store';
import { LatestEvents } from './latest-events.js';

const KEPT = 5_000;
let pass: (position: number) => void;

function latestEvents(): LatestEvents {
  const directory = {
    listen: (listener: (event: RecordedEvent) => void) => {
      pass = (position) => {
        listener({ position } as RecordedEvent);
      };
      return () => (pass = () => undefined);
    },
  };
  return new LatestEvents(directory, ({ position }) => position !== 13);
}

async function positions(latest: LatestEvents): Promise<readonly number[] | undefined> {
  return (await latest.next())?.map(({ position }) => position);
}

test('wanted events are handed over once, and waited for', async () => {
  const latest = latestEvents();
  pass(12);
  pass(13);
  pass(14);
  expect(await positions(latest)).toEqual([12, 14]);
  const next = positions(latest);
  pass(15);
  expect(await next).toEqual([15]);
});

test('a reader that is too slow is told that events are missing, and gets those that follow', async () => {
  const latest = latestEvents();
  for (let position = 101; position <= 100 + KEPT + 2; position++) pass(position);
  expect(await positions(latest)).toBeUndefined();
  expect(await positions(latest)).toEqual([100 + KEPT + 1, 100 + KEPT + 2]);
});

test('a limit ends the wait', async () => {
  const latest = latestEvents();
  expect(await latest.next(1)).toEqual([]);
  pass(17);
  expect(await positions(latest)).toEqual([17]);
});

test('at the end nobody waits', async () => {
  const latest = latestEvents();
  const next = positions(latest);
  latest.end();
  expect(await next).toEqual([]);
  pass(16);
  expect(await positions(latest)).toEqual([]);
});
