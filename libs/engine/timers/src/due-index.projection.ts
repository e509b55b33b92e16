import type { RecordedEvent } from '#event-store';
import { memoized } from '#kernel';
import type { CollectionSchema, Projection } from '#read-store';
import type { TimerSource } from './timer-source.js';

/** A timer that is set. */
export interface TimerDocument {
  kind: string;
  subject: string;
  /** Seconds since the epoch. */
  dueAt: number;
  /** Stream and revision of the event that set it. */
  setBy: string;
}

export const dueIndexCollection = {
  name: 'due_timers',
  key: 'text',
  fields: { kind: 'text', dueAt: 'integer' },
  indexes: [['kind', 'dueAt']],
} as const satisfies CollectionSchema;

export function timerKey(kind: string, subject: string): string {
  return `${kind}:${subject}`;
}

/** Index of all timers by kind and time: one small document each, removed when the timer is cleared. */
export function dueIndexProjection(sources: readonly TimerSource[]): Projection<TimerDocument> {
  // One event may set hundreds of timers, and is asked for each of them.
  const timersIn = memoized((event: RecordedEvent): ReadonlyMap<string, TimerDocument | undefined> => {
    const timers = new Map<string, TimerDocument | undefined>();
    const setBy = `${event.stream}@${event.revision}`;
    for (const source of sources) {
      if (!source.handles.has(event.type)) continue;
      const { kind } = source;
      for (const { subject, dueAt } of source.changes(event))
        timers.set(timerKey(kind, subject), dueAt === undefined ? undefined : { kind, subject, dueAt, setBy });
    }
    return timers;
  });
  return {
    collection: dueIndexCollection,
    handles: new Set(sources.flatMap(({ handles }) => [...handles])),
    keys: (event) => Array.from(timersIn(event).keys(), (key) => ({ key })),
    evolve: (_, event, key) => timersIn(event).get(key as string),
  };
}
