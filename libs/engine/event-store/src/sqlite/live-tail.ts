import type { RecordedEvent } from '../event-store.js';

/** Size of a generation of recent events; two are kept. A subscriber that lags further reads the database. */
const GENERATION_EVENTS_MAX = 4_096;
const GENERATION_TEXT_LENGTH_MAX = 4 * 1024 * 1024;

/** Maximum events returned at once, as many as a page of the database. */
const BATCH_EVENTS_MAX = 1_024;

/** A subscriber that can be woken. */
export class Sleeper {
  #wake: (() => void) | undefined;

  readonly wake = (): void => {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  };

  /** Must be called in the same turn as the check that found nothing to do; otherwise a wake-up could be missed. */
  sleep(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }
}

/**
 * Recent events, kept once for all subscribers, without a buffer per subscriber. A subscriber that keeps up takes its
 * events from here; one that has fallen behind reads the database.
 */
export class LiveTail {
  readonly #sleepers = new Set<Sleeper>();
  #older: RecordedEvent[] = [];
  #newer: RecordedEvent[] = [];
  #newerTextLength = 0;
  #head: number;

  constructor(head: number) {
    this.#head = head;
  }

  /** Position of the last visible event. */
  get head(): number {
    return this.#head;
  }

  get isFollowed(): boolean {
    return this.#sleepers.size > 0;
  }

  join(sleeper: Sleeper): void {
    this.#sleepers.add(sleeper);
  }

  leave(sleeper: Sleeper): void {
    this.#sleepers.delete(sleeper);
    if (!this.isFollowed) this.#drop();
  }

  /** Makes events up to the new head visible. `events`, when given, are all those since the last head. */
  advance(head: number, events?: readonly RecordedEvent[], textLength = 0): void {
    this.#head = head;
    if (events === undefined) this.#drop();
    else this.#keep(events, textLength);
    this.wakeAll();
  }

  /** Returns the events right after a position, as far as they are kept; undefined when the database has to be read. */
  after(position: number): readonly RecordedEvent[] | undefined {
    return slice(this.#newer, position) ?? slice(this.#older, position);
  }

  wakeAll(): void {
    for (const sleeper of this.#sleepers) sleeper.wake();
  }

  #keep(events: readonly RecordedEvent[], textLength: number): void {
    const isFull =
      this.#newer.length + events.length > GENERATION_EVENTS_MAX ||
      this.#newerTextLength + textLength > GENERATION_TEXT_LENGTH_MAX;
    if (isFull) {
      this.#older = this.#newer;
      this.#newer = [];
      this.#newerTextLength = 0;
    }
    this.#newer.push(...events);
    this.#newerTextLength += textLength;
  }

  #drop(): void {
    this.#older = [];
    this.#newer = [];
    this.#newerTextLength = 0;
  }
}

function slice(events: readonly RecordedEvent[], position: number): readonly RecordedEvent[] | undefined {
  const start = position + 1 - (events[0]?.position ?? Infinity);
  return start >= 0 && start < events.length ? events.slice(start, start + BATCH_EVENTS_MAX) : undefined;
}
