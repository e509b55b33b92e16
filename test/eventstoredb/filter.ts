import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventLog } from './log.js';

/** Events that a node searches at once by default. */
const DEFAULT_WINDOW = 32;

/** Filter of a reader of `$all`. */
export interface EventFilter {
  matches: (log: EventLog, ordinal: number) => boolean;
  /** Events searched at once while catching up. */
  window: number;
  /** Events examined between two checkpoints. */
  checkpointInterval: number;
}

/** Parses a filter by stream name or event type, by prefixes or a regular expression. */
export function eventFilter(options: ReadReq.Options.FilterOptions): EventFilter {
  const byType = options.getEventType();
  const expression = byType ?? options.getStreamIdentifier();
  const nameOf = byType
    ? (log: EventLog, ordinal: number) => log.typeName(ordinal)
    : (log: EventLog, ordinal: number) => log.streamName(ordinal);
  const pattern = expression?.getRegex() ?? '';
  const regex = pattern === '' ? undefined : new RegExp(pattern, 'u');
  const prefixes = expression?.getPrefixList() ?? [];
  const window = options.hasMax() ? options.getMax() : DEFAULT_WINDOW;
  return {
    matches: (log, ordinal) => {
      const name = nameOf(log, ordinal);
      return regex ? regex.test(name) : prefixes.some((prefix) => name.startsWith(prefix));
    },
    window,
    checkpointInterval: window * Math.max(options.getCheckpointintervalmultiplier(), 1),
  };
}
