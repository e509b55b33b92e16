import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallProbe } from '#kernel';
import { contractRegistry } from './contract/log.contract.js';
import { describeEventStore } from './event-store.contract.js';
import { RevisionConflict } from './event-store.js';
import { ObservedEventStore } from './observed-event-store.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';

const unobserved: CallProbe = (_kind, call) => call();

describeEventStore('SQLite behind a probe', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'event-log-'));
  return {
    open: async (registry) =>
      new ObservedEventStore(SqliteEventStore.open(join(directory, 'events.db'), registry), unobserved),
    dispose: () => rm(directory, { recursive: true }),
  };
});

test('each call passes the probe by its name, and each commit tells its time', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'event-log-'));
  const syncs: number[] = [];
  const inner = SqliteEventStore.open(join(directory, 'events.db'), contractRegistry, {
    onSync: (tookMs) => syncs.push(tookMs),
  });
  const kinds: string[] = [];
  const failures: unknown[] = [];
  const store = new ObservedEventStore(inner, (kind, call) => {
    kinds.push(kind);
    return call().catch((error: unknown) => {
      failures.push(error);
      throw error;
    });
  });
  const note = (id: string) => ({ id, type: 'note.taken.v2', data: { text: 'a' } });
  await store.append('notes', 'none', [note('00000000-0000-4000-8000-000000000001')]);
  await expect(store.append('notes', 'none', [note('00000000-0000-4000-8000-000000000002')])).rejects.toThrow(
    RevisionConflict,
  );
  await store.readStream('notes', { limit: 1 });
  await store.readPages([{ stream: 'notes', from: 0, limit: 1 }]);
  await store.head();
  for await (const page of store.readAll({})) expect(page).toHaveLength(1);
  expect(kinds).toEqual(['append', 'append', 'readStream', 'readPages', 'head', 'readAll', 'readAll']);
  expect(failures).toEqual([expect.any(RevisionConflict)]);
  // The second append stored nothing.
  expect(syncs).toEqual([expect.any(Number)]);
  await store.close();
  await rm(directory, { recursive: true });
});
