import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { contractRegistry, everything, note, take } from './contract/log.contract.js';
import { DamageWatch } from './damage-watch.js';
import { type Damage, DamagedRecord, ForeignCheckpoint } from './event-store.js';
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
