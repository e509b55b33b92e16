import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DamagedRecord, EventStoreUnavailable, SqliteEventStore } from '#event-store';
import { newId } from '#kernel';
import { scrollback } from '#runtime';
import { verify } from './log.js';
import { logAddress, openLog } from './log-address.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-log-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function append(path: string, count: number): Promise<void> {
  const store = SqliteEventStore.open(path, scrollback.registry);
  const data = { userId: 4, generation: 1, hash: 'h', at: 1 };
  for (let index = 0; index < count; index++)
    await store.append('1.organization', 'any', [{ id: newId(), type: 'user.api-key-issued.v1', data }]);
  await store.close();
}

async function verifying(path: string): Promise<unknown> {
  const store = await openLog(`sqlite:${path}`);
  try {
    return await verify(store, path);
  } finally {
    await store.close();
  }
}

test('a whole log is verified, and so is a copy without its mark', async () => {
  const path = join(folder, 'events.db');
  await append(path, 3);
  expect(await verifying(path)).toEqual({ events: 3, head: 3 });
  copyFileSync(path, join(folder, 'backup.db'));
  expect(await verifying(join(folder, 'backup.db'))).toEqual({ events: 3, head: 3 });
});

test('a log that ends before what was acknowledged is damaged, although each of its records is whole', async () => {
  const path = join(folder, 'events.db');
  await append(path, 2);
  copyFileSync(path, join(folder, 'older.db'));
  await append(path, 3);
  copyFileSync(join(folder, 'older.db'), path);
  await expect(verifying(path)).rejects.toThrow(DamagedRecord);
});

test('a log on a server that lacks an event is damaged, and the place is named', async () => {
  const path = join(folder, 'events.db');
  await append(path, 3);
  const whole = await openLog(`sqlite:${path}`);
  const scavenged = {
    head: () => whole.head(),
    async *readAll() {
      for await (const page of whole.readAll({})) yield page.filter(({ revision }) => revision !== 1);
    },
  };
  await expect(verify(scavenged, undefined)).rejects.toThrow(
    /position 3 is damaged: revision 1 of stream 1\.organization/,
  );
  await whole.close();
});

test('the log is the file in the data directory, unless the settings name another', () => {
  expect(logAddress('/srv/chat', undefined)).toBe('sqlite:/srv/chat/events.db');
  expect(logAddress('/srv/chat', '')).toBe('sqlite:/srv/chat/events.db');
  expect(logAddress('/srv/chat', 'esdb://node:2113')).toBe('esdb://node:2113');
});

test('a log that is not there is not made', async () => {
  const path = join(folder, 'nowhere.db');
  await expect(openLog(`sqlite:${path}`)).rejects.toThrow(EventStoreUnavailable);
  await expect(openLog(`sqlite:${path}`)).rejects.toThrow(path);
});

test('an address that is none is refused', async () => {
  await expect(openLog('postgres://log')).rejects.toThrow(TypeError);
});
