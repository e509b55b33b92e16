import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEventStore } from '../event-store.contract.js';
import { SqliteEventStore } from './sqlite-event-store.js';

describeEventStore('SQLite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'event-log-'));
  return {
    open: (registry) => Promise.resolve(SqliteEventStore.open(join(directory, 'events.db'), registry)),
    dispose: () => rm(directory, { recursive: true }),
  };
});
