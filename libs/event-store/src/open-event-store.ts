import type { EventStore, EventStoreUnavailable } from './event-store.js';
import type { EventRegistry } from './registry.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';

export interface OpenEventStoreOptions {
  /** Told when nothing can be appended any more: for good (SQLite), or until the server is back, once for each time. */
  readonly onFailure?: (failure: EventStoreUnavailable) => void;
  /** Told when the server is back. */
  readonly onRecovery?: () => void;
}

/**
 * Opens the log by its address: `sqlite:PATH`, or a server's `esdb://…` or `esdb+discover://…` (`kurrentdb` says the same).
 * @throws EventStoreUnavailable when the log cannot be opened; within seconds, when the server cannot be reached or refuses:
 * the message names the host and the reason, and no credentials. @throws TypeError when the address is none.
 * @throws DamagedRecord when acknowledged events are missing
 */
export async function openEventStore(
  url: string,
  registry: EventRegistry,
  options: OpenEventStoreOptions = {},
): Promise<EventStore> {
  if (/^(?:esdb|kurrentdb)(?:\+discover)?:/.test(url)) {
    // The driver costs an embedded server memory and time to start, so only who needs it loads it.
    const { EventStoreDbEventStore } = await import('./eventstoredb/eventstoredb-event-store.js');
    return EventStoreDbEventStore.open(url, registry, options);
  }
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (path === undefined) {
    throw new TypeError(`An event store's address begins with sqlite: or esdb:// or esdb+discover://.`);
  }
  const { onFailure } = options;
  return SqliteEventStore.open(path, registry, onFailure === undefined ? {} : { onFailure });
}
