import { ManualClock } from '#testing';
import { ReadModelSnapshots } from './read-model-snapshots.js';

const HOUR_MS = 3_600_000;
const NIGHT_MS = Date.parse('2026-03-01T03:00:00Z');

function world(takenAtMs: number | undefined, startMs: number) {
  const clock = new ManualClock(startMs);
  const told: string[] = [];
  const files = {
    bytes: 20 * 1024 * 1024,
    snapshotTakenAtMs: takenAtMs,
    taken: 0,
    failure: undefined as Error | undefined,
    async takeSnapshot(): Promise<void> {
      if (files.failure !== undefined) throw files.failure;
      files.taken++;
      files.snapshotTakenAtMs = clock.nowMs();
    },
  };
  const tell = (_: object, line: string): void => void told.push(line);
  const snapshots = new ReadModelSnapshots({ files, hour: 3, clock, logger: { info: tell, warn: tell } as never });
  const look = async (atMs: number): Promise<number> => {
    clock.atMs = atMs;
    snapshots.look();
    await snapshots.idle();
    return files.taken;
  };
  return { files, look, told };
}

test('one is made each night, and none in between', async () => {
  const { look } = world(NIGHT_MS + 1, NIGHT_MS + 5 * HOUR_MS);
  expect(await look(NIGHT_MS + 23 * HOUR_MS)).toBe(0);
  expect(await look(NIGHT_MS + 24 * HOUR_MS)).toBe(1);
  expect(await look(NIGHT_MS + 25 * HOUR_MS)).toBe(1);
  expect(await look(NIGHT_MS + 48 * HOUR_MS)).toBe(2);
});

test('where there is none, or the night was missed, one is made ten minutes after the start', async () => {
  for (const takenAtMs of [undefined, NIGHT_MS - 1]) {
    const { look } = world(takenAtMs, NIGHT_MS + 5 * HOUR_MS);
    expect(await look(NIGHT_MS + 5 * HOUR_MS + 9 * 60_000)).toBe(0);
    expect(await look(NIGHT_MS + 5 * HOUR_MS + 10 * 60_000)).toBe(1);
  }
});

test('none is made of small read models', async () => {
  const { files, look } = world(undefined, NIGHT_MS);
  files.bytes = 1_000;
  expect(await look(NIGHT_MS + HOUR_MS)).toBe(0);
});

test('a file that cannot be asked fails no one else', async () => {
  const { files, look, told } = world(undefined, NIGHT_MS);
  Object.defineProperty(files, 'bytes', {
    get() {
      throw new Error('It is damaged.');
    },
  });
  expect(await look(NIGHT_MS + HOUR_MS)).toBe(0);
  expect(told).toEqual(['No snapshot of the read models could be made.']);
});

test('a failure is told, and tried again an hour later', async () => {
  const { files, look, told } = world(undefined, NIGHT_MS);
  files.failure = new Error('There is no room.');
  expect(await look(NIGHT_MS + HOUR_MS)).toBe(0);
  files.failure = undefined;
  expect(await look(NIGHT_MS + HOUR_MS + 59 * 60_000)).toBe(0);
  expect(await look(NIGHT_MS + 2 * HOUR_MS)).toBe(1);
  expect(told).toEqual(['No snapshot of the read models could be made.', expect.stringContaining('was made')]);
});
