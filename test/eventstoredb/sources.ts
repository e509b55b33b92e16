import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { streamDeleted } from './errors.js';
import type { EventFilter } from './filter.js';
import type { Position } from './log.js';
import type { Source } from './pump.js';
import type { Store } from './store.js';

/** Yields to others after this many events without a match. */
const SEARCH_TURN = 10_000;

/** Ordinals or revisions to read: `from` to `to`, inclusive, by `step`. */
export interface Range {
  from: number;
  to: number;
  step: 1 | -1;
  count: number;
}

/** Part of a stream, as of the start of the read. */
export function streamSource({ log }: Store, ordinals: readonly number[], { from, to, step, count }: Range): Source {
  let revision = from;
  let left = count;
  return {
    next() {
      if (left <= 0 || (to - revision) * step < 0) return 'none';
      const ordinal = ordinals[revision]!;
      revision += step;
      left--;
      return log.message(ordinal);
    },
  };
}

/** Part of `$all`, as of the start of the read. */
export function allSource({ log }: Store, { from, to, step, count }: Range, filter: EventFilter | undefined): Source {
  let ordinal = from;
  let left = count;
  return {
    next() {
      for (let seen = 0; seen < SEARCH_TURN; seen++) {
        if (left <= 0 || (to - ordinal) * step < 0) return 'none';
        const current = ordinal;
        ordinal += step;
        if (filter && !filter.matches(log, current)) continue;
        left--;
        return log.message(current);
      }
      return 'busy';
    },
  };
}

/** A stream from a revision on, followed live. */
export function liveStreamSource(store: Store, name: string, fromRevision: number): Source {
  let revision = fromRevision;
  return {
    next() {
      const stream = store.stream(name);
      if (stream?.tombstoned) throw streamDeleted(name);
      if (!stream) return 'none';
      const next = Math.max(revision, store.firstRevision(stream));
      const ordinal = stream.ordinals[next];
      if (ordinal === undefined) return 'none';
      revision = next + 1;
      return store.log.message(ordinal);
    },
  };
}

/** `$all` from an ordinal on, followed live. */
export function liveAllSource({ log }: Store, fromOrdinal: number): Source {
  let ordinal = fromOrdinal;
  return { next: () => (ordinal < log.length ? log.message(ordinal++) : 'none') };
}

/** The position of a request; `undefined` for the start or the end. */
export function requestedPosition(all: ReadReq.Options.AllOptions): Position | undefined {
  const position = all.getPosition();
  return position && { commit: Number(position.getCommitPosition()), prepare: Number(position.getPreparePosition()) };
}
