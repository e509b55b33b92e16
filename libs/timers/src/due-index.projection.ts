import type { RecordedEvent } from '#event-store';
import type { CollectionSchema, Projection } from '#read-store';
import type { TimerSource } from './timer-source.js';

/** A timer that is set. */
export interface TimerDocument {
  kind: string;
  subject: string;
  /** Seconds since the epoch. */
  dueAt: number;
}

export const dueIndexCollection = {
  name: 'due_index',
  key: 'text',
  fields: { kind: 'text', dueAt: 'integer' },
  indexes: [['kind', 'dueAt']],
} as const satisfies CollectionSchema;

export function timerKey(kind: string, subject: string): string {
  return `${kind}:${subject}`;
}

/** Index of all timers by kind and time: one small document each, removed when the timer is cleared. */
export function dueIndexProjection(sources: readonly TimerSource[]): Projection<TimerDocument> {
  const timersIn = (event: RecordedEvent) =>
    sources
      .filter(({ handles }) => handles.has(event.type))
      .flatMap((source) => source.changes(event).map((change) => ({ kind: source.kind, ...change })));
  return {
    collection: dueIndexCollection,
    handles: new Set(sources.flatMap(({ handles }) => [...handles])),
    keys: (event) => timersIn(event).map(({ kind, subject }) => ({ key: timerKey(kind, subject) })),
    evolve(_, event, key) {
      const timer = timersIn(event).find(({ kind, subject }) => timerKey(kind, subject) === key);
      if (timer?.dueAt === undefined) return undefined;
      const { kind, subject, dueAt } = timer;
      return { kind, subject, dueAt };
    },
  };
}
