import { Refusal } from '#kernel';
import type { Appended, EventStore } from './event-store.js';
import { ObservedEventStore } from './observed-event-store.js';

/** A log to which nothing is added, whoever tries. */
export class ReadOnlyEventStore extends ObservedEventStore {
  constructor(inner: EventStore) {
    super(inner, (_, call) => call());
  }

  override append(): Promise<Appended> {
    return Promise.reject(readOnly());
  }
}

/** Why nothing can be changed here. */
export function readOnly(): Refusal {
  return new Refusal('READ_ONLY', 'This server only answers questions: it records nothing (READ_ONLY=on).');
}
