import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type EventStore, EventStoreUnavailable, openEventStore, SqliteEventStore } from '#event-store';
import { eventRegistry } from '../../api/src/event-registry.js';

/** Where the log is: `EVENT_STORE_URL`, or the file in the server's data directory. An empty value is no value. */
export function logAddress(dataDir: string, eventStoreUrl: string | undefined): string {
  return eventStoreUrl === undefined || eventStoreUrl === '' ? `sqlite:${join(dataDir, 'events.db')}` : eventStoreUrl;
}

/** The file behind an embedded log's address; undefined for one on a server. */
export function logFile(address: string): string | undefined {
  return /^sqlite:(?:\/\/)?(.+)$/.exec(address)?.[1];
}

/** @throws EventStoreUnavailable when there is no log in that place: looking for one must not make one. */
export function assertLogExists(address: string): void {
  const file = logFile(address);
  if (file !== undefined && !existsSync(file)) throw new EventStoreUnavailable(`There is no log at ${file}.`);
}

/** Opens a log for reading, also while servers write it. @throws EventStoreUnavailable; TypeError when the address is none */
export async function openLog(address: string): Promise<EventStore> {
  assertLogExists(address);
  const file = logFile(address);
  return file === undefined
    ? openEventStore(address, eventRegistry)
    : SqliteEventStore.openReadOnly(file, eventRegistry);
}
