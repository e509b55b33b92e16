import type { Recorded } from '../event-store.js';

/** A generation of latest events is closed at this size; two are kept. A subscriber that lags more reads the database. */
const GENERATION_EVENTS_MAX = 4_096;
const GENERATION_TEXT_LENGTH_MAX = 4 * 1024 * 1024;

/** At most this many events are handed over at once, like a page of the database. */
const BATCH_EVENTS_MAX = 1_024;

/** A subscriber that can be told that something happened. */
export class Sleeper {
  #wake: (() => void) | undefined;

  readonly wake = (): void => {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  };

  /** To be called in the same turn as the check that found nothing to do; otherwise a wake-up could be missed. */
  sleep(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }
}

/**
 * The latest events, kept once for all subscribers. There are no buffers per subscriber: one that follows closely
 * takes the events from here, one that has fallen behind what is kept finds nothing and reads the database.
 */
export class LiveTail {
  readonly #sleepers = new Set<Sleeper>();
  #older: Recorded[] = [];
  #newer: Recorded[] = [];
  #newerTextLength = 0;
  #head: number;

  constructor(head: number) {
    this.#head = head;
  }

  /** Position of the last event that everybody may see. */
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

  /** Makes events up to the new head visible. `events`, where given, are all those since the last head. */
  advance(head: number, events?: readonly Recorded[], textLength = 0): void {
    this.#head = head;
    if (events === undefined) this.#drop();
    else this.#keep(events, textLength);
    this.wakeAll();
  }

  /** The events right after a position, as far as they are kept; undefined when the database has to be asked. */
  after(position: number): readonly Recorded[] | undefined {
    return slice(this.#newer, position) ?? slice(this.#older, position);
  }

  wakeAll(): void {
    for (const sleeper of this.#sleepers) sleeper.wake();
  }

  #keep(events: readonly Recorded[], textLength: number): void {
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

function slice(events: readonly Recorded[], position: number): readonly Recorded[] | undefined {
  const start = position + 1 - (events[0]?.position ?? Infinity);
  return start >= 0 && start < events.length ? events.slice(start, start + BATCH_EVENTS_MAX) : undefined;
}
