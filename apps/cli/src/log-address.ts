import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type EventRegistry,
  type EventStore,
  EventStoreUnavailable,
  openEventStore,
  SqliteEventStore,
} from '#event-store';
import { type BlobStore, blobStoreComplaint, openBlobStore } from '#blob-store';
import { scrollback } from '#runtime';

/**
 * Address of the log: `EVENT_STORE_URL`, or the file in the server's data directory. An empty value counts as absent.
 */
export function logAddress(dataDir: string, eventStoreUrl: string | undefined): string {
  return eventStoreUrl === undefined || eventStoreUrl === '' ? `sqlite:${join(dataDir, 'events.db')}` : eventStoreUrl;
}

/** Prefix of the organization's stream names on a server. */
export function streamPrefix(): string {
  return process.env['STREAM_PREFIX'] ?? '';
}

/** The store of files; undefined when there is none at the usual place, since a look-up must not create one. */
export function uploadsOf(dataDir: string, uploadsUrl: string | undefined): BlobStore | undefined {
  const folder = join(dataDir, 'uploads');
  if (uploadsUrl !== undefined && uploadsUrl !== '') {
    const complaint = blobStoreComplaint(uploadsUrl);
    if (complaint !== undefined) throw new Error(`UPLOADS_URL: ${complaint}`);
    return openBlobStore(uploadsUrl, { isOnlyUser: false, mustExist: true });
  }
  return existsSync(folder) ? openBlobStore(`file:${folder}`, { isOnlyUser: false }) : undefined;
}

/** File of an embedded log by its address; undefined for one on a server. */
export function logFile(address: string): string | undefined {
  return /^sqlite:(?:\/\/)?(.+)$/.exec(address)?.[1];
}

/** @throws EventStoreUnavailable when there is no log: a look-up must not create one. */
export function assertLogExists(address: string): void {
  const file = logFile(address);
  if (file !== undefined && !existsSync(file)) throw new EventStoreUnavailable(`There is no log at ${file}.`);
}

/**
 * Opens a log for reading, even while servers write it.
 * @throws EventStoreUnavailable; TypeError for an invalid address
 */
export async function openLog(address: string, registry: EventRegistry = scrollback.registry): Promise<EventStore> {
  assertLogExists(address);
  const file = logFile(address);
  return file === undefined
    ? openEventStore(address, registry, { streamPrefix: streamPrefix() })
    : SqliteEventStore.openReadOnly(file, registry);
}
