import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from 'libsql';
import { contractRegistry, everything, note, take } from '../contract/log.contract.js';
import { DamagedRecord } from '../event-store.js';
import { acknowledgedPosition } from './acknowledged-mark.js';
import { SqliteEventStore } from './sqlite-event-store.js';

let directory: string;
let path: string;
let store: SqliteEventStore;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'event-log-'));
  path = join(directory, 'events.db');
  store = SqliteEventStore.open(path, contractRegistry);
  for (let index = 0; index < 10; index++) await store.append(`1.s-${index % 2}`, 'any', [note(`text ${index}`)]);
});

afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

function tamper(sql: string): void {
  const other = new Database(path);
  other.exec('PRAGMA busy_timeout = 5000');
  other.exec(sql);
  other.close();
}

async function readsUntilDamage(): Promise<{ positions: number[]; error: unknown }> {
  const positions: number[] = [];
  try {
    for await (const page of store.subscribe({ signal: AbortSignal.timeout(60_000) })) {
      positions.push(...page.map(({ position }) => position));
    }
  } catch (error) {
    return { positions, error };
  }
  return { positions, error: undefined };
}

/** Position 5 is revision 2 of the stream `1.s-0`. */
const DAMAGES = [
  ['a changed letter', "UPDATE events SET data = replace(data, 'text 4', 'text X') WHERE position = 5"],
  ['text that is not JSON', 'UPDATE events SET data = substr(data, 2) WHERE position = 5'],
  ['another checksum', 'UPDATE events SET checksum = checksum + 1 WHERE position = 5'],
  ['another time', 'UPDATE events SET recorded_at_ms = recorded_at_ms + 1 WHERE position = 5'],
  ['other metadata', 'UPDATE events SET metadata = \'{"by":1}\' WHERE position = 5'],
  ['another id', "UPDATE events SET event_id = x'00112233445566778899aabbccddeeff' WHERE position = 5"],
  ['half an id', "UPDATE events SET event_id = x'0011' WHERE position = 5"],
  ['an unknown type', 'UPDATE events SET type_id = 99 WHERE position = 5'],
  ['an unknown stream', 'UPDATE events SET stream_id = 99 WHERE position = 5'],
  ['another revision', 'UPDATE events SET revision = 99 WHERE position = 5'],
  ['a missing row', 'DELETE FROM events WHERE position = 5'],
] as const;

test.each(DAMAGES)('%s stops every reader of the log at its position', async (_, sql) => {
  tamper(sql);
  await expect(everything(store)).rejects.toThrow(DamagedRecord);
  await expect(everything(store)).rejects.toMatchObject({ position: 5 });
  await expect(everything(store, ['1.s-1'])).rejects.toMatchObject({ position: 5 });
  const { positions, error } = await readsUntilDamage();
  expect(error).toMatchObject({ name: 'DamagedRecord', position: 5 });
  expect(positions.every((position) => position < 5)).toBe(true);
});

test.each(DAMAGES)('%s stops readers of its stream, in both directions', async (_, sql) => {
  tamper(sql);
  await expect(store.readStream('1.s-0', { limit: 10 })).rejects.toThrow(DamagedRecord);
  await expect(store.readStream('1.s-0', { limit: 10, direction: 'backwards' })).rejects.toThrow(DamagedRecord);
  expect(await store.readStream('1.s-1', { limit: 10 })).toHaveLength(5);
});

test.each(DAMAGES)('%s stops a reader of several pages as one of the page alone', async (_, sql) => {
  tamper(sql);
  const page = (from: number) => ({ stream: '1.s-0', from, limit: 1 });
  const alone: unknown = await store.readStream('1.s-0', { from: 2, limit: 1 }).catch((error: unknown) => error);
  const together: unknown = await store.readPages([page(0), page(2), page(4)]).catch((error: unknown) => error);
  expect(together).toBeInstanceOf(DamagedRecord);
  expect(together).toEqual(alone);
  expect(await store.readPages([page(0), page(1), page(4)])).toHaveLength(3);
});

test.each(DAMAGES)(
  '%s is named at its own position, stream and revision, however its stream is read',
  async (_, sql) => {
    tamper(sql);
    const own = { position: 5, place: { stream: '1.s-0', revision: 2 } };
    for (const [from, limit] of [
      [2, 1],
      [0, 10],
    ] as const)
      await expect(store.readStream('1.s-0', { from, limit })).rejects.toMatchObject({ position: 5 });
    await expect(store.readStream('1.s-0', { direction: 'backwards', limit: 10 })).rejects.toMatchObject({
      position: 5,
    });
    if (/DELETE|stream_id|revision/.test(sql))
      await expect(store.readStream('1.s-0', { from: 2, limit: 1 })).rejects.toMatchObject(own);
  },
);

test.each([1, 10])(
  'a name that leads to stream %i instead of its own is damage for whom it leads there',
  async (id) => {
    await store.close();
    const file = await readFile(path);
    // In the list of names, a name is followed by the number of its stream.
    const entry = Buffer.from('1.s-1\x02');
    const at = file.indexOf(entry);
    expect([at > 0, file.indexOf(entry, at + 1)]).toEqual([true, -1]);
    file[at + entry.length - 1] = id;
    await writeFile(path, file);
    store = SqliteEventStore.open(path, contractRegistry);
    const damaged = { name: 'DamagedRecord', place: { stream: '1.s-1' } };
    await expect(store.readStream('1.s-1', { limit: 10 })).rejects.toMatchObject(damaged);
    await expect(store.append('1.s-1', 'any', [note('next')])).rejects.toMatchObject(damaged);
    expect(await store.readStream('1.s-0', { limit: 10 })).toHaveLength(5);
    const damages: unknown[] = [];
    await store.findUnlisted(10, (damage) => damages.push(damage));
    expect(damages).toEqual([{ position: 2, reason: 'the name of its stream does not lead to it' }]);
  },
);

test('of several missing records, also of other streams, each is sought between its neighbours', async () => {
  tamper('DELETE FROM events WHERE position IN (3, 5, 6)');
  const missing = async (stream: string, from: number): Promise<unknown> =>
    await store.readStream(stream, { from, limit: 1 }).catch((error: unknown) => error);
  expect(await missing('1.s-0', 1)).toMatchObject({ position: 3, place: { revision: 1 } });
  expect(await missing('1.s-0', 2)).toMatchObject({ position: 5, place: { revision: 2 } });
  expect(await missing('1.s-1', 2)).toMatchObject({ place: { revision: 2 } });
});

test('a stream that ends at a revision that is not known takes no append, and the others do', async () => {
  const opened = async (sql: string): Promise<void> => {
    await store.close();
    tamper(sql);
    store = SqliteEventStore.open(path, contractRegistry);
  };
  await opened('UPDATE events SET revision = 99 WHERE position = 9');
  await expect(store.append('1.s-0', 'any', [note('next')])).rejects.toMatchObject({
    name: 'DamagedRecord',
    position: 9,
    place: { stream: '1.s-0', revision: 99 },
  });
  expect(store.failure).toBeUndefined();
  expect(await store.append('1.s-1', 'any', [note('next')])).toMatchObject({ lastRevision: 5 });
  // Whatever else is wrong with it, its revision is known.
  await opened('UPDATE events SET revision = 4, checksum = checksum + 1 WHERE position = 9');
  expect(await store.append('1.s-0', 'any', [note('next')])).toMatchObject({ lastRevision: 5 });
});

test.each([
  ['its last record', 'DELETE FROM events WHERE position = 9', { position: 9 }],
  ['its name', "UPDATE streams SET name = '1.lost' WHERE name = '1.s-0'", { position: 0 }],
])('a stream that has lost %s takes no append of somebody who knows where it ended', async (_, sql, named) => {
  await store.close();
  tamper(sql);
  store = SqliteEventStore.open(path, contractRegistry);
  await expect(store.append('1.s-0', 'any', [note('next')], 4)).rejects.toMatchObject({
    name: 'DamagedRecord',
    ...named,
    place: { stream: '1.s-0' },
  });
  expect(await store.append('1.s-1', 'any', [note('next')], 4)).toMatchObject({ lastRevision: 5 });
  expect(await store.head()).toBe(11);
});

test('a stream under another name takes no append, however often it is tried', async () => {
  await store.close();
  tamper("UPDATE streams SET name = '1.s-X' WHERE name = '1.s-0'");
  store = SqliteEventStore.open(path, contractRegistry);
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(store.append('1.s-X', 'any', [note('next')])).rejects.toMatchObject({
      name: 'DamagedRecord',
      position: 9,
      place: { stream: '1.s-X', revision: 4 },
    });
  expect(store.failure).toBeUndefined();
  expect(await store.head()).toBe(10);
});

test('the name of a stream cannot change unnoticed', async () => {
  await store.close();
  tamper("UPDATE streams SET name = '1.s-X' WHERE name = '1.s-0'");
  store = SqliteEventStore.open(path, contractRegistry);
  await expect(everything(store)).rejects.toMatchObject({ position: 1 });
});

test('the end of a log cannot vanish while it is open', async () => {
  tamper('DELETE FROM events WHERE position > 8');
  await expect(everything(store)).rejects.toMatchObject({ position: 9 });
  await expect(take(store, 10)).rejects.toMatchObject({ position: 9 });
  await expect(store.readStream('1.s-0', { limit: 10 })).rejects.toThrow(DamagedRecord);
  await expect(store.readStream('1.s-0', { limit: 10, direction: 'backwards' })).rejects.toThrow(DamagedRecord);
});

test('a log that ends before what was acknowledged is not opened', async () => {
  await store.close();
  tamper('DELETE FROM events WHERE position > 8');
  expect(() => SqliteEventStore.open(path, contractRegistry)).toThrow(
    /position 9 .*up to position 10 were acknowledged/,
  );
  // Removing the mark is how an operator confirms that an older backup was restored on purpose.
  await rm(`${path}.acknowledged`);
  store = SqliteEventStore.open(path, contractRegistry);
  expect(await store.head()).toBe(8);
});

describe('a damaged mark is named', () => {
  const flipped = (mark: Buffer): Buffer => {
    mark[14] = mark[14]! ^ 1;
    return mark;
  };
  test.each([
    ['a flipped bit', flipped, /events\.db\.acknowledged is damaged\. /],
    ['no bytes', () => Buffer.alloc(0), /events\.db\.acknowledged is damaged: it is empty\. /],
    ['zeros', (mark: Buffer) => Buffer.alloc(mark.length), /events\.db\.acknowledged is damaged\. /],
    ['a part of it', (mark: Buffer) => mark.subarray(0, 9), /events\.db\.acknowledged is damaged\. /],
  ])('%s', async (_, damage, sentence) => {
    await store.close();
    const mark = await readFile(`${path}.acknowledged`);
    await writeFile(`${path}.acknowledged`, damage(mark));
    expect(() => SqliteEventStore.open(path, contractRegistry)).toThrow(sentence);
    expect(() => acknowledgedPosition(path)).toThrow(sentence);
    await rm(`${path}.acknowledged`);
    store = SqliteEventStore.open(path, contractRegistry);
    expect([await store.head(), acknowledgedPosition(path)]).toEqual([10, 10]);
  });
});

test('a mark says something from the beginning, also where an earlier release left an empty one beside an empty log', async () => {
  await store.close();
  const marked = (): number => acknowledgedPosition(path);
  for (const empty of [false, true]) {
    for (const suffix of ['', '-wal', '-shm', '.acknowledged']) await rm(path + suffix, { force: true });
    if (empty) await writeFile(`${path}.acknowledged`, '');
    store = SqliteEventStore.open(path, contractRegistry);
    expect([(await stat(`${path}.acknowledged`)).size, marked()]).toEqual([26, 0]);
    await store.append('1.s', 'any', [note('first')]);
    expect(marked()).toBe(1);
    await store.close();
  }
});

test('a subscriber that is ahead of the log is told so', async () => {
  await expect(take(store, 1, { after: '11' })).rejects.toMatchObject({ name: 'DamagedRecord', position: 11 });
});

describe('files as a killed process leaves them', () => {
  /** Copies the files of the running store, as if its process had been killed at this moment. */
  async function killed(): Promise<string> {
    const copy = join(directory, 'copy.db');
    for (const suffix of ['', '-wal', '.acknowledged']) await copyFile(path + suffix, copy + suffix);
    return copy;
  }

  test('whole files hold everything', async () => {
    const copy = SqliteEventStore.open(await killed(), contractRegistry);
    expect(await everything(copy)).toEqual(await everything(store));
    await copy.close();
  });

  test('an unfinished write at the end loses nothing', async () => {
    const path = await killed();
    await writeFile(`${path}-wal`, Buffer.alloc(2_500, 0xab), { flag: 'a' });
    const copy = SqliteEventStore.open(path, contractRegistry);
    expect(await everything(copy)).toEqual(await everything(store));
    await copy.close();
  });

  test('an acknowledged event that was cut off is missed, and the rest of the evidence kept', async () => {
    const path = await killed();
    const { size } = await stat(`${path}-wal`);
    await truncate(`${path}-wal`, size - 1);
    expect(() => SqliteEventStore.open(path, contractRegistry)).toThrow(DamagedRecord);
    expect((await stat(`${path}-wal.damaged`)).size).toBe(size - 1);
    expect(() => SqliteEventStore.open(path, contractRegistry)).toThrow(DamagedRecord);
  });

  test('a flipped bit anywhere is noticed when opening or reading, or changes nothing', async () => {
    const before = await everything(store);
    const source = await killed();
    const { size } = await stat(`${source}-wal`);
    let noticed = 0;
    for (let round = 0; round < 60; round++) {
      const target = join(directory, `flip-${round}.db`);
      for (const suffix of ['', '-wal', '.acknowledged']) await copyFile(source + suffix, target + suffix);
      const wal = await readFile(`${target}-wal`);
      const at = Math.floor((size * (round + 0.5)) / 60);
      wal[at] = wal[at]! ^ (1 << (round % 8));
      await writeFile(`${target}-wal`, wal);
      try {
        const copy = SqliteEventStore.open(target, contractRegistry);
        expect(await everything(copy)).toEqual(before);
        await copy.close();
      } catch (error) {
        expect(error).toBeInstanceOf(DamagedRecord);
        noticed += 1;
      }
    }
    expect(noticed).toBeGreaterThan(30);
  });

  test('a flipped bit in any stored event is noticed when opening or reading, or changes nothing', async () => {
    const before = await everything(store);
    await store.close();
    let unchanged = 0;
    const whole = await readFile(path);
    // SQLite fills a page from its end, so the latest event comes first.
    const [first, last] = [whole.indexOf('{"text":"text 9"}'), whole.indexOf('{"text":"text 0"}')];
    expect(first).toBeGreaterThan(0);
    expect(last).toBeGreaterThan(first);
    const target = join(directory, 'flip.db');
    await copyFile(`${path}.acknowledged`, `${target}.acknowledged`);
    for (let at = first; at < last; at += 3) {
      const flipped = Buffer.from(whole);
      flipped[at] = flipped[at]! ^ (1 << (at % 8));
      await rm(target, { force: true });
      await writeFile(target, flipped);
      const reading = async (): Promise<string> => {
        const copy = SqliteEventStore.open(target, contractRegistry);
        const read = await everything(copy).finally(() => copy.close());
        return isDeepStrictEqual(read, before) ? 'unchanged' : 'changed';
      };
      const outcome = await reading().catch((error: unknown) => error);
      // Some bit flips do not change the meaning, such as a number stored in more bytes than needed.
      if (outcome !== 'unchanged') expect(outcome).toBeInstanceOf(DamagedRecord);
      else unchanged += 1;
    }
    expect(unchanged).toBeLessThan(10);
  });
});

test('resuming after an event of another log fails, shorter or longer', async () => {
  const at = store.checkpointAfter((await everything(store))[4]!);
  const rest = async (): Promise<number[]> => {
    const positions: number[] = [];
    for await (const page of store.readAll({ after: at })) positions.push(...page.map(({ position }) => position));
    return positions;
  };
  expect(await rest()).toEqual([6, 7, 8, 9, 10]);
  await store.close();
  await rm(directory, { recursive: true });
  store = SqliteEventStore.open(path, contractRegistry);
  for (let index = 0; index < 10; index++) await store.append('1.s-0', 'any', [note(`text ${index}`)]);
  await expect(rest()).rejects.toMatchObject({ name: 'DamagedRecord', position: 5 });
});
