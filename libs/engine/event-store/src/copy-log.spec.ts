import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '#testing';
import { contractRegistry, everything, note } from './contract/log.contract.js';
import { copyLog, NotACopy } from './copy-log.js';
import type { RecordedEvent } from './event-store.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';

let folder: string;
let from: SqliteEventStore;
let to: SqliteEventStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'copy-log-'));
  from = SqliteEventStore.open(join(folder, 'from.db'), contractRegistry, { clock: new ManualClock(86_400_000) });
  to = SqliteEventStore.open(join(folder, 'to.db'), contractRegistry);
});

afterEach(async () => {
  await from.close();
  await to.close();
  await rm(folder, { recursive: true });
});

/** Leaves out positions, which differ between stores. */
function contents(events: readonly RecordedEvent[]): object[] {
  return events.map((event) => ({ ...event, position: undefined }));
}

async function fillSource(): Promise<void> {
  for (let index = 0; index < 60; index++) {
    const metadata = index % 3 === 0 ? { by: index } : {};
    const events = Array.from({ length: 1 + (index % 4) }, (_, part) => note(`${index}.${part}`, metadata));
    await from.append(`1.s-${index % 7}`, 'any', events);
  }
}

test.each([1, 16])('a copy has the same events in the same order, with %d appends at a time', async (inFlightMax) => {
  await fillSource();
  expect(await copyLog(from, to, { inFlightMax })).toEqual({ found: 0, copied: 150 });
  const copied = await everything(to);
  expect(contents(copied)).toEqual(contents(await everything(from)));
  expect(copied[0]?.recordedAtMs).toBe(86_400_000);
});

test('an empty log is copied at once', async () => {
  expect(await copyLog(from, to)).toEqual({ found: 0, copied: 0 });
});

test('an event with an id that no store accepts ends the copy after those before it', async () => {
  await from.append('1.a', 'any', [note('x')]);
  await from.append('1.b', 'any', [note('y')]);
  const source = {
    async *readAll() {
      for await (const page of from.readAll({}))
        yield page.map((event) => (event.stream === '1.b' ? { ...event, id: 'not-a-uuid' } : event));
    },
  };
  await expect(copyLog(source, to)).rejects.toThrow(/id of an event/);
  expect((await everything(to)).map(({ stream }) => stream)).toEqual(['1.a']);
});

test('long streams and large events are copied in pieces', async () => {
  for (let index = 0; index < 4; index++)
    await from.append(
      '1.a',
      'any',
      Array.from({ length: 900 }, () => note('x')),
    );
  for (let index = 0; index < 3; index++) await from.append('1.a', 'any', [note('x'.repeat(900_000))]);
  const steps: number[] = [];
  await copyLog(from, to, { onProgress: ({ copied }) => steps.push(copied) });
  expect(steps.length).toBeGreaterThan(9);
  expect(contents(await everything(to))).toEqual(contents(await everything(from)));
});

test('a copy that was interrupted goes on, and a whole one has nothing to do', async () => {
  await fillSource();
  const stop = new AbortController();
  const interrupted = copyLog(from, to, {
    signal: stop.signal,
    onProgress: ({ copied }) => {
      if (copied > 70) stop.abort();
    },
  });
  await expect(interrupted).rejects.toThrow(/abort/);
  const found = (await everything(to)).length;
  expect(found).toBeGreaterThan(70);
  expect(await copyLog(from, to)).toEqual({ found, copied: 150 - found });
  expect(await copyLog(from, to)).toEqual({ found: 150, copied: 0 });
  expect(contents(await everything(to))).toEqual(contents(await everything(from)));
});

test('what is added to the source later is added to the copy', async () => {
  await fillSource();
  await copyLog(from, to);
  await from.append('1.new', 'none', [note('new')]);
  expect(await copyLog(from, to)).toEqual({ found: 150, copied: 1 });
});

describe('a target that is not a copy is refused', () => {
  beforeEach(fillSource);

  test('with events of its own', async () => {
    await to.append('1.s-0', 'none', [note('own')]);
    await expect(copyLog(from, to)).rejects.toThrow(NotACopy);
    expect(await everything(to)).toHaveLength(1);
  });

  test('that has gone on by itself', async () => {
    await copyLog(from, to);
    await to.append('1.s-0', 'any', [note('own')]);
    await expect(copyLog(from, to)).rejects.toThrow(/goes on with 1\.s-0/);
  });

  test('to which another process appends meanwhile', async () => {
    let appended: Promise<unknown> | undefined;
    const copying = copyLog(from, to, {
      onProgress: ({ copied }) => {
        if (copied > 70) appended ??= to.append('1.s-0', 'any', [note('own')]);
      },
    });
    await expect(copying).rejects.toThrow(NotACopy);
    await appended;
  });
});
