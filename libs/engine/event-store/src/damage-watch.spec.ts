import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { contractRegistry, everything, note, take } from './contract/log.contract.js';
import { DamageWatch } from './damage-watch.js';
import { type Damage, damageLine, DamagedRecord, type EventStore, ForeignCheckpoint } from './event-store.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';

test('damage that any reader meets is told of once, and remembered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'damage-watch-'));
  const path = join(folder, 'events.db');
  const told: Damage[] = [];
  const store = SqliteEventStore.open(path, contractRegistry);
  const watch = new DamageWatch(store, (damage) => void told.push(damage));
  await watch.append('1.a', 'any', [note('one'), note('two')]);
  await watch.append('1.b', 'any', [note('three')]);
  await watch.append('1.c', 'any', [note('four')]);
  expect(await everything(watch)).toHaveLength(4);
  expect(watch.damages).toEqual([]);

  // Nothing is damaged when a reader comes from another log.
  const elsewhere = watch.readAll({ after: '2@00000000-0000-4000-8000-000000000001' });
  await expect(elsewhere.next()).rejects.toThrow(ForeignCheckpoint);
  expect(told).toEqual([]);

  const db = new Database(path);
  db.exec('UPDATE events SET checksum = checksum + 1 WHERE position >= 2');
  db.close();
  const damaged = { position: 2, stream: '1.a', revision: 1, reason: 'its checksum does not fit its content' };
  await expect(everything(watch)).rejects.toThrow(DamagedRecord);
  await expect(take(watch, 3)).rejects.toThrow(DamagedRecord);
  expect(told).toEqual([damaged]);
  await expect(watch.readStream('1.b', { limit: 10 })).rejects.toThrow(DamagedRecord);
  await expect(watch.readPages([{ stream: '1.c', from: 0, limit: 10 }])).rejects.toThrow(DamagedRecord);
  expect(told).toEqual([
    damaged,
    { ...damaged, position: 3, stream: '1.b', revision: 0 },
    { ...damaged, position: 4, stream: '1.c', revision: 0 },
  ]);
  expect(watch.damages).toEqual(told);
  await watch.close();
  rmSync(folder, { recursive: true });
});

test('an append that is refused for damage tells of it', async () => {
  const told: Damage[] = [];
  const damaged = new DamagedRecord(9, 'it is missing', { stream: '1.a', revision: 4 });
  const log = { append: () => Promise.reject(damaged) } as unknown as EventStore;
  const watch = new DamageWatch(log, (damage) => void told.push(damage));
  for (let times = 0; times < 2; times++)
    await expect(watch.append('1.a', 'any', [note('next')])).rejects.toBe(damaged);
  expect(told).toEqual([{ position: 9, stream: '1.a', revision: 4, reason: 'it is missing' }]);
});

test('missing records whose positions are not known are told of each', async () => {
  const told: Damage[] = [];
  const log = {
    readStream: (stream: string) =>
      Promise.reject(new DamagedRecord(0, 'its revision is missing in its stream', { stream, revision: 1 })),
  } as unknown as EventStore;
  const watch = new DamageWatch(log, (damage) => void told.push(damage));
  for (const stream of ['1.a', '1.b', '1.a'])
    await expect(watch.readStream(stream, { limit: 10 })).rejects.toThrow(DamagedRecord);
  expect(told.map(({ stream }) => stream)).toEqual(['1.a', '1.b']);
  expect(told.map(damageLine)).toContain('Unknown position (1.a, revision 1): its revision is missing in its stream.');
});
