import type { ObservedLogCall } from '../eventstoredb/index.js';
import type { ObservedCommand } from '../mongodb/index.js';

/** A call of a process to a store, and when it was on its way by the clock of `performance`. */
export interface Call {
  readonly process: string;
  readonly store: 'MongoDB' | 'EventStoreDB';
  readonly name: string;
  /** The collection or the log, which one process reads and another writes. */
  readonly place: string;
  readonly kind: 'read' | 'write' | 'other';
  readonly beganMs: number;
  readonly endedMs: number;
  /** A read that found nothing brings no news. */
  readonly isEmpty: boolean;
}

/** The driver's own, by which it watches the server and ends sessions. */
const OF_THE_DRIVER = new Set(['hello', 'ismaster', 'isMaster', 'endSessions', 'killCursors', 'ping']);
const READS = new Set(['find', 'getMore', 'aggregate', 'count', 'distinct']);
const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite']);

export function mongoCall(
  process: string,
  { command, collection, found, ...times }: ObservedCommand,
): Call | undefined {
  if (OF_THE_DRIVER.has(command)) return undefined;
  // What follows the name tells where a rebuild has put the documents.
  const place = (collection ?? '').replace(/@.*$/, '');
  const kind = READS.has(command) ? 'read' : WRITES.has(command) ? 'write' : 'other';
  return { process, store: 'MongoDB', name: `${command} ${place}`.trim(), place, kind, ...times, isEmpty: found === 0 };
}

export function logCall(process: string, { name, ...times }: ObservedLogCall): Call {
  const kind = name === 'append' ? 'write' : ['subscription', 'read'].includes(name) ? 'read' : 'other';
  return { process, store: 'EventStoreDB', name, place: '$all', kind, ...times, isEmpty: false };
}
