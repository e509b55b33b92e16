import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '#kernel';
import { contractRegistry, everything, oldContractRegistry } from './contract/log.contract.js';
import { copyLog } from './copy-log.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';
import { AS_STORED } from './stored-shapes.js';

test('events are copied in the shape in which they are stored, also of types that are no longer known', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stored-shapes-'));
  const at = (name: string): string => join(folder, name);
  const old = SqliteEventStore.open(at('old.db'), oldContractRegistry);
  await old.append('1.a', 'none', [
    { id: newId(), type: 'note.taken.v1', data: { body: 'soup' }, metadata: { by: 1 } },
    { id: newId(), type: 'note.burnt.v1', data: {}, recordedAtMs: 7 },
  ]);
  const before = await everything(old);
  await old.close();

  const source = SqliteEventStore.openReadOnly(at('old.db'), AS_STORED);
  const target = SqliteEventStore.open(at('new.db'), AS_STORED);
  await copyLog(source, target);
  expect(await everything(target)).toEqual(before);
  await target.close();
  await source.close();

  const read = SqliteEventStore.openReadOnly(at('new.db'), contractRegistry);
  expect(await read.readStream('1.a', { limit: 1 })).toMatchObject([{ type: 'note.taken.v2', data: { text: 'soup' } }]);
  await read.close();
  rmSync(folder, { recursive: true });
});
