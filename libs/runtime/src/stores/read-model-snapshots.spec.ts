import { ManualClock } from '#testing';
import { ReadModelSnapshots } from './read-model-snapshots.js';

const HOUR_MS = 3_600_000;
const NIGHT_MS = Date.parse('2026-03-01T03:00:00Z');

function world(takenAtMs: number | undefined, startMs: number, hour?: number) {
  const clock = new ManualClock(startMs);
  const told: string[] = [];
  const files = {
    bytes: 20 * 1024 * 1024,
    snapshotTakenAtMs: takenAtMs,
    taken: 0,
    failure: undefined as Error | undefined,
    formerMadeAtMs: undefined as number | undefined,
    dropFormerRelease(beforeMs: number): boolean {
      const isOver = files.formerMadeAtMs !== undefined && files.formerMadeAtMs < beforeMs;
      if (isOver) files.formerMadeAtMs = undefined;
      return isOver;
    },
    async takeSnapshot(): Promise<void> {
      if (files.failure !== undefined) throw files.failure;
      files.taken++;
      files.snapshotTakenAtMs = clock.nowMs();
    },
  };
  const tell = (_: object, line: string): void => void told.push(line);
  const snapshots = new ReadModelSnapshots({ files, hour, clock, logger: { info: tell, warn: tell } as never });
  const look = async (atMs: number): Promise<number> => {
    clock.atMs = atMs;
    snapshots.look();
    await snapshots.idle();
    return files.taken;
  };
  return { files, look, told };
}

test('one is made each night, and none in between', async () => {
  const { look } = world(NIGHT_MS + 1, NIGHT_MS + 5 * HOUR_MS, 3);
  expect(await look(NIGHT_MS + 23 * HOUR_MS)).toBe(0);
  expect(await look(NIGHT_MS + 24 * HOUR_MS)).toBe(1);
  expect(await look(NIGHT_MS + 25 * HOUR_MS)).toBe(1);
  expect(await look(NIGHT_MS + 48 * HOUR_MS)).toBe(2);
});

test('where there is none, or the night was missed, one is made ten minutes after the start', async () => {
  for (const takenAtMs of [undefined, NIGHT_MS - 1]) {
    const { look } = world(takenAtMs, NIGHT_MS + 5 * HOUR_MS, 3);
    expect(await look(NIGHT_MS + 5 * HOUR_MS + 9 * 60_000)).toBe(0);
    expect(await look(NIGHT_MS + 5 * HOUR_MS + 10 * 60_000)).toBe(1);
  }
});

test('none is made of small read models', async () => {
  const { files, look } = world(undefined, NIGHT_MS, 3);
  files.bytes = 1_000;
  expect(await look(NIGHT_MS + HOUR_MS)).toBe(0);
});

test('a file that cannot be asked fails no one else', async () => {
  const { files, look, told } = world(undefined, NIGHT_MS, 3);
  Object.defineProperty(files, 'bytes', {
    get() {
      throw new Error('It is damaged.');
    },
  });
  expect(await look(NIGHT_MS + HOUR_MS)).toBe(0);
  expect(told).toEqual(['No snapshot of the read models could be made.']);
});

test('a failure is told, and tried again an hour later', async () => {
  const { files, look, told } = world(undefined, NIGHT_MS, 3);
  files.failure = new Error('There is no room.');
  expect(await look(NIGHT_MS + HOUR_MS)).toBe(0);
  files.failure = undefined;
  expect(await look(NIGHT_MS + HOUR_MS + 59 * 60_000)).toBe(0);
  expect(await look(NIGHT_MS + 2 * HOUR_MS)).toBe(1);
  expect(told).toEqual(['No snapshot of the read models could be made.', expect.stringContaining('was made')]);
});

test('what a former release had goes after seven days, also where no snapshots are made', async () => {
  const { files, look, told } = world(NIGHT_MS + 1, NIGHT_MS);
  files.formerMadeAtMs = NIGHT_MS;
  await look(NIGHT_MS + 7 * 24 * HOUR_MS);
  expect(files.formerMadeAtMs).toBe(NIGHT_MS);
  expect(await look(NIGHT_MS + 7 * 24 * HOUR_MS + 1)).toBe(0);
  expect(files.formerMadeAtMs).toBeUndefined();
  expect(told).toEqual(['The read models of the former release were removed: their time is over.']);
});
