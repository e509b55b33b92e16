/** `repair` takes single records from a backup. */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import * as fc from 'fast-check';
import { AS_STORED, NotABackup, repairLog, SqliteEventStore } from '#event-store';
import { scrollback } from '#runtime';
import { rounds, SEED, seeded, sized } from '#testing';
import { runCommand } from '../../apps/cli/src/command-line.js';
import { DamagedLogs, damagesOf } from '../support/damaged-logs.js';

const EVENTS = 120;
const STREAMS = 5;
/** For thousands of rounds. */
const LONG_MS = 1_800_000;

let logs: DamagedLogs;
let before: readonly unknown[][];

beforeAll(async () => {
  logs = new DamagedLogs();
  await logs.append('whole.db', EVENTS, STREAMS);
  before = logs.rows('whole.db');
});

afterAll(() => {
  logs.remove();
});

async function run(args: readonly string[]): Promise<{ code: number; out: string; told: string }> {
  let [out, told] = ['', ''];
  const code = await runCommand(args, {
    environment: { DATA_DIR: logs.folder },
    print: (line) => void (out += `${line}\n`),
    tell: (line) => void (told += `${line}\n`),
    onInterrupt: () => undefined,
  });
  return { code, out, told };
}

const repaired = (name: string) => repairLog(logs.at(name), logs.at('whole.db'), 1_000);

test(
  'whatever is damaged, missing or swapped, the log is byte for byte what it was',
  async () => {
    await fc.assert(
      fc.asyncProperty(damagesOf(EVENTS), async (chosen) => {
        logs.copy('whole.db', 'log.db');
        const damaged = [...logs.damage('log.db', chosen)].sort((one, other) => one - other);
        const { replaced, left } = await repaired('log.db');
        expect(
          replaced.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index)),
        ).toEqual(damaged);
        expect(left).toEqual([]);
        expect(logs.rows('log.db')).toEqual(before);
        expect((await logs.verify('log.db')).damages).toEqual([]);
      }),
      { seed: SEED, numRuns: rounds(sized({ nightly: 300, usual: 8 })) },
    );
  },
  LONG_MS,
);

test(
  'with bits flipped anywhere in the file as well',
  async () => {
    const { size } = statSync(logs.at('whole.db'));
    const chance = seeded(SEED);
    for (let round = 0; round < rounds(sized({ nightly: 1_000, usual: 25 })); round++) {
      logs.copy('whole.db', 'log.db');
      for (let flip = 0; flip < 3; flip++)
        logs.flip('log.db', Math.floor(chance() * (round === 0 ? 90 : size)), Math.floor(chance() * 8));
      const { kept } = await repaired('log.db');
      if (kept !== undefined) expect(logs.rows('log.db')).toEqual(before);
      expect((await logs.verify('log.db')).damages).toEqual([]);
    }
  },
  LONG_MS,
);

test('the command lists what it replaces, keeps the damaged file, and leaves a note; what the backup lacks stays missing', async () => {
  logs.copy('whole.db', 'events.db');
  mkdirSync(logs.at('backup'));
  logs.copy('whole.db', 'backup/events.db');
  logs.tamper('backup/events.db', 'DELETE FROM events WHERE position > 100');
  logs.tamper('events.db', 'UPDATE events SET checksum = 1 WHERE position IN (4, 5, 90)');
  logs.tamper('events.db', 'DELETE FROM events WHERE position > 118');
  expect(await run(['repair', '--from', logs.at('backup')])).toEqual({
    code: 3,
    out: '{"replaced":3,"left":2}\n',
    told: [
      'Positions 4 to 5: taken from the backup.',
      'Position 90: taken from the backup.',
      'Positions 119 to 120: the backup does not have it whole either.',
      `The damaged file is kept as ${logs.at('events.db.damaged')}.`,
      '',
    ].join('\n'),
  });
  expect(existsSync(logs.at('events.db.damaged'))).toBe(true);
  expect(JSON.parse(readFileSync(logs.at('events.db.repairs'), 'utf8'))).toMatchObject({
    replaced: [
      [4, 5],
      [90, 90],
    ],
    left: [[119, 120]],
  });
  expect(await run(['repair', '--from', `sqlite:${logs.at('whole.db')}`])).toMatchObject({
    code: 0,
    out: '{"replaced":2,"left":0}\n',
  });
  expect(logs.rows('events.db')).toEqual(before);
  const again = await run(['repair', '--from', logs.at('whole.db')]);
  expect(again).toEqual({ code: 0, out: '{"replaced":0,"left":0}\n', told: '' });
});

test('what the command `backup` wrote serves as well', async () => {
  logs.copy('whole.db', 'events.db');
  expect(await run(['backup', logs.at('written')])).toMatchObject({ code: 0 });
  logs.tamper('events.db', 'UPDATE events SET checksum = 1 WHERE position IN (4, 90)');
  logs.tamper('events.db', 'DELETE FROM events WHERE position > 110');
  // Both would write the same draft: one does, whichever comes first.
  const both = await Promise.all([1, 2].map(() => run(['repair', '--from', logs.at('written')])));
  both.sort((a, b) => a.code - b.code);
  expect(both.map(({ code, out, told }) => [code, out || told])).toEqual([
    [0, '{"replaced":12,"left":0}\n'],
    [1, expect.stringMatching(/^Another repair of .*events\.db is at work\.\n$/)],
  ]);
  expect(logs.rows('events.db')).toEqual(before);
  expect(existsSync(logs.at('events.db.from-backup'))).toBe(false);
});

test('events in shapes of earlier releases serve as they were stored', async () => {
  const old = new DamagedLogs();
  const store = SqliteEventStore.open(old.at('events.db'), AS_STORED);
  for (const place of [1, 2, 3])
    await store.append('1.user-0', 'any', [
      {
        id: `00000000-0000-4000-8000-00000000000${place}`,
        type: 'user.api-key-issued.v1',
        data: { userId: place, of: 'an earlier release' },
      },
    ]);
  await store.close();
  const stored = old.rows('events.db');
  expect(await run(['backup', old.at('written'), '--data', old.folder])).toMatchObject({ code: 0 });
  old.tamper('events.db', 'UPDATE events SET checksum = 1 WHERE position = 2');
  const { code, out, told } = await run(['repair', '--from', old.at('written'), '--data', old.folder]);
  expect([code, out, told]).toEqual([0, '{"replaced":1,"left":0}\n', expect.stringContaining('Position 2: taken')]);
  expect(old.rows('events.db')).toEqual(stored);
  old.remove();
});

test('a log that a server writes, another log, and what is no backup are refused', async () => {
  logs.copy('whole.db', 'events.db');
  const running = SqliteEventStore.open(logs.at('events.db'), scrollback.registry);
  const refused = await run(['repair', '--from', logs.at('whole.db')]);
  await running.close();
  expect(refused).toMatchObject({ code: 1, told: expect.stringContaining('Another server is already writing') });
  logs.copy('whole.db', 'other.db');
  logs.tamper('other.db', "UPDATE events SET event_id = x'00112233445566778899aabbccddeeff' WHERE position = 7");
  await expect(repairLog(logs.at('events.db'), logs.at('other.db'), 1_000)).resolves.toMatchObject({ replaced: [] });
  const another = SqliteEventStore.open(logs.at('another.db'), scrollback.registry);
  const data = { userId: 1, generation: 1, hash: 'h', at: 1 };
  const id = '00000000-0000-4000-9000-000000000001';
  await another.append('1.user-0', 'any', [{ id, type: 'user.api-key-issued.v1', data }]);
  await another.close();
  await expect(repairLog(logs.at('events.db'), logs.at('another.db'), 1_000)).rejects.toThrow(NotABackup);
  expect(await run(['repair'])).toMatchObject({ code: 2, told: 'Name the backup: repair --from BACKUP.\n' });
  const nowhere = await run(['repair', '--from', logs.at('nowhere')]);
  expect(nowhere).toMatchObject({ code: 1, told: expect.stringContaining('There is no log at') });
  expect(logs.rows('events.db')).toEqual(before);
});
