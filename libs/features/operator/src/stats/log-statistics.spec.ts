import type { EventStore, RecordedEvent } from '#event-store';
import { ForeignCheckpoint } from '#event-store';
import type { ReadStore } from '#read-store';
import { ManualClock, MemoryKeyValueStore } from '#testing';
import { forecast } from './forecast.js';
import { LogStatistics } from './log-statistics.js';
import { totalOf } from './log-counts.js';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-03-10T12:00:00Z');

/** A log in memory, in pages of two. */
class Log {
  readonly events: RecordedEvent[] = [];
  generation = 'a';

  add(type: string, recordedAtMs: number, data: object = {}): void {
    const position = this.events.length + 1;
    const place = { position, stream: '1.test', revision: position - 1, id: String(position) };
    this.events.push({ ...place, type, data, metadata: {}, recordedAtMs });
  }

  async *readAll({ after }: { after?: string }): AsyncGenerator<readonly RecordedEvent[], void, void> {
    const [generation, position] = (after ?? `${this.generation}0`).split(/(?<=^.)/);
    if (generation !== this.generation) throw new ForeignCheckpoint(1);
    for (let at = Number(position); at < this.events.length; at += 2) yield this.events.slice(at, at + 2);
  }

  checkpointAfter({ position }: RecordedEvent): string {
    return `${this.generation}${position}`;
  }
}

let log: Log;
let side: MemoryKeyValueStore;
let statistics: LogStatistics;
const { signal } = new AbortController();

beforeEach(() => {
  log = new Log();
  side = new MemoryKeyValueStore();
  const readStore = { sizes: async () => new Map([['messages', 4096]]) } as unknown as ReadStore;
  statistics = new LogStatistics(log as unknown as EventStore, readStore, side, new ManualClock(NOW_MS));
});

const eventsByDay = async (days: number): Promise<readonly number[]> =>
  (await statistics.days(days)).map(({ counts }) => totalOf(counts).events);

test('events and bytes are counted by type and day, once', async () => {
  log.add('a.v1', NOW_MS - DAY_MS, { text: 'é' });
  log.add('a.v1', NOW_MS);
  log.add('file.uploaded.v1', NOW_MS, { size: 500 });
  log.add('file.removed.v1', NOW_MS, { size: 200 });
  await statistics.look(signal);
  await statistics.look(signal);
  log.add('a.v1', NOW_MS);
  await statistics.look(signal);
  const total = await statistics.total();
  expect(total.through).toBe(5);
  expect(total.fileBytes).toBe(300);
  expect(total.types.get('a.v1')).toEqual({ events: 3, bytes: 13 + 2 + 3 * 2 + 2 });
  expect(await eventsByDay(3)).toEqual([0, 1, 4]);
  expect((await statistics.sizes())?.bytes).toEqual(new Map([['messages', 4096]]));
});

test('what was counted when the process died before it had kept all of it is not counted twice', async () => {
  for (let event = 0; event < 5; event++) log.add('a.v1', NOW_MS);
  for (const failing of [1, 2, 3]) {
    let puts = 0;
    const put = side.put.bind(side);
    jest.spyOn(side, 'put').mockImplementation((...given) => {
      if (++puts === failing) throw new Error('died');
      return put(...given);
    });
    await expect(statistics.look(signal)).rejects.toThrow('died');
    jest.restoreAllMocks();
  }
  await statistics.look(signal);
  expect(totalOf(await statistics.total()).events).toBe(5);
  expect(await eventsByDay(1)).toEqual([5]);
});

test('nothing is measured any more when it is to end', async () => {
  log.add('a.v1', NOW_MS);
  await statistics.look(AbortSignal.abort());
  expect(await statistics.sizes()).toBeUndefined();
  await statistics.look(signal);
  expect(await statistics.sizes()).toBeDefined();
});

test('another log is counted from its beginning', async () => {
  for (let event = 0; event < 5; event++) log.add('a.v1', NOW_MS);
  await statistics.look(signal);
  log.events.length = 0;
  log.generation = 'b';
  log.add('b.v1', NOW_MS);
  await statistics.look(signal);
  await statistics.look(signal);
  expect([...(await statistics.total()).types.keys()]).toEqual(['b.v1']);
  expect(await eventsByDay(1)).toEqual([1]);
});

test('days of long ago are in the total alone', async () => {
  log.add('a.v1', NOW_MS - 500 * DAY_MS);
  log.add('a.v1', NOW_MS);
  await statistics.look(signal);
  expect(totalOf(await statistics.total()).events).toBe(2);
  expect((await side.list('log-statistics')).map(({ id }) => id).sort()).toEqual([
    '2026-03-10',
    'sizes',
    'state',
    'total',
  ]);
});

test('a year goes on as the last days', () => {
  const now = { events: 1000, bytes: 5000, fileBytes: 0 };
  const day = { events: 10, bytes: 100, fileBytes: 1 };
  const quiet = { events: 0, bytes: 0, fileBytes: -3 };
  expect(forecast(now, [day, quiet])).toEqual({ events: 1000 + 5 * 365, bytes: 5000 + 50 * 365, fileBytes: 0 });
  expect(forecast(now, [])).toBeUndefined();
});
