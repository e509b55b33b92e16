import type { EventStore, EventStoreUnavailable } from './event-store.js';
import type { EventRegistry } from './registry.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';

export interface OpenEventStoreOptions {
  /**
   * Called once per failure when appends fail: until there is space (`EventStoreFull`), until the server is back, or
   * permanently.
   */
  readonly onFailure?: (failure: EventStoreUnavailable) => void;
  /** Called when appends work again. */
  readonly onRecovery?: () => void;
  /** Called with the time in ms that each commit to a file took, nearly all of it the sync of the disk. */
  readonly onSync?: (tookMs: number) => void;
  /** Prefix of the stream names on a server, which other installations may share. A file is not shared. */
  readonly streamPrefix?: string;
  /**
   * Owner that claims the prefix: a fingerprint of the installation's secret. Programs that only read or copy claim
   * nothing.
   */
  readonly owner?: string;
}

const SERVER = /^(?:esdb|kurrentdb)(?:\+discover)?:/;
const FILE = /^sqlite:(?:\/\/)?(.+)$/;

/** Why the text is no address of a log; the rest of a server's address is checked when it is opened. */
export function eventStoreComplaint(url: string): string | undefined {
  if (SERVER.test(url) || FILE.test(url)) return undefined;
  return "An event store's address begins with sqlite:PATH or esdb:// or esdb+discover://.";
}

/**
 * Opens the log by its address: `sqlite:PATH`, or a server's `esdb://…` or `esdb+discover://…` (`kurrentdb` is the
 * same).
 * @throws EventStoreUnavailable when the log cannot be opened; within seconds, when the server cannot be reached or
 * refuses: the message names the host and the reason, and no credentials
 * @throws TypeError for an invalid address
 * @throws DamagedRecord when acknowledged events are missing
 * @throws WrongStreamPrefix when the owner's organization is on the server under another prefix
 */
export async function openEventStore(
  url: string,
  registry: EventRegistry,
  options: OpenEventStoreOptions = {},
): Promise<EventStore> {
  if (SERVER.test(url)) {
    // The driver costs an embedded server memory and start-up time, so it is loaded only when needed.
    const { EventStoreDbEventStore } = await import('./eventstoredb/eventstoredb-event-store.js');
    return EventStoreDbEventStore.open(url, registry, options);
  }
  const path = FILE.exec(url)?.[1];
  if (path === undefined) throw new TypeError(eventStoreComplaint(url));
  const { onFailure, onRecovery, onSync } = options;
  return SqliteEventStore.open(path, registry, {
    ...(onFailure === undefined ? {} : { onFailure }),
    ...(onRecovery === undefined ? {} : { onRecovery }),
    ...(onSync === undefined ? {} : { onSync }),
  });
}
