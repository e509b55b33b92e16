import type { EventStore} from './event-store.js';
import type { EventStoreUnavailable } from './event-store.js';
import type { EventRegistry } from './registry.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';

export interface EventStoreOptions {
  /** Told when nothing can be appended any more. */
  readonly onFailure?: (failure: EventStoreUnavailable) => void;
}

/**
 * Opens the log by its address.
 * @throws TypeError when the address is none. @throws EventStoreUnavailable
 */
export function openEventStore(
  url: string,
  registry: EventRegistry,
  options: EventStoreOptions = {},
): Promise<EventStore> {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (path !== undefined) return Promise.resolve(SqliteEventStore.open(path, registry, options));
  return Promise.reject(new TypeError('An event store’s address begins with sqlite: or esdb://.'));
}
