import type { RecordedEvent } from './event-store.js';

/** Recorded events of a union of event types, with data typed by their schemas. */
export type RecordedOf<Event extends { readonly type: string; readonly data: object }> = Event extends unknown
  ? RecordedEvent<Event['data']> & { readonly type: Event['type'] }
  : never;

/** One handler per event type of a union: an omission does not compile. */
export type EventHandlers<
  Event extends { readonly type: string; readonly data: object },
  Context extends readonly unknown[],
  Result,
> = {
  readonly [Type in Event['type']]: (
    event: RecordedOf<Extract<Event, { readonly type: Type }>>,
    ...context: Context
  ) => Result;
};
