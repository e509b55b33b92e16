import type { RecordedEvent, RecordedOf } from '#event-store';

/** What an event does to the timer of one subject. */
export interface TimerChange {
  /** What becomes due, in the words of its handler; unique among the timers of the kind. */
  readonly subject: string;
  /** When it becomes due, in seconds since the epoch; undefined = never any more. */
  readonly dueAt: number | undefined;
}

/** How the events of a feature set, move and clear its timers of one kind. Pure. */
export interface TimerSource {
  readonly kind: string;
  /** Types of the events that it reads. */
  readonly handles: ReadonlySet<string>;
  changes(event: RecordedEvent): readonly TimerChange[];
}

/** Makes a source from one function per event type. */
export function timersOf<Event extends { readonly type: string; readonly data: object }>(
  kind: string,
  on: {
    readonly [Type in Event['type']]?: (
      event: RecordedOf<Extract<Event, { readonly type: Type }>>,
    ) => readonly TimerChange[];
  },
): TimerSource {
  const handlers = new Map(Object.entries(on) as [string, (event: RecordedEvent) => readonly TimerChange[]][]);
  return {
    kind,
    handles: new Set(handlers.keys()),
    changes: (event) => handlers.get(event.type)?.(event) ?? [],
  };
}
