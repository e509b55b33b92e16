/** How far a long read of the log has come. */
export interface PassProgress {
  /** Events read so far. */
  readonly events: number;
  readonly position: number;
  /** Position at which it ends, as far as is known. */
  readonly head: number;
  readonly elapsedMs: number;
  /** Events read per second, lately. */
  readonly eventsPerSecond: number;
  /** Time until `head` is reached, by how it went lately; absent while that is unknown. */
  readonly secondsLeft?: number;
}

/** A rate is that of about this time: long enough to be steady, short enough to follow a change. */
const RATE_OVER_MS = 5_000;
/** The rate of less time than this says nothing yet. */
const KNOWN_AFTER_MS = 200;

/** Measures a pass over the log. Positions may be far apart (on EventStoreDB they count bytes), so both they and events are counted. */
export class Pace {
  readonly #startedMs: number;
  #sampledMs: number;
  #events = 0;
  #position: number;
  #head: number;
  #eventsPerMs: number | undefined;
  #positionsPerMs = 0;

  constructor(
    from: number,
    head: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.#position = from;
    this.#head = head;
    this.#startedMs = this.#sampledMs = nowMs();
  }

  /** A batch of so many events was applied, up to the position. */
  moved(events: number, position: number): void {
    const now = this.nowMs();
    const elapsedMs = Math.max(now - this.#sampledMs, 0.001);
    const weight = this.#eventsPerMs === undefined ? 1 : 1 - Math.exp(-elapsedMs / RATE_OVER_MS);
    const before = this.#eventsPerMs ?? 0;
    this.#eventsPerMs = before + weight * (events / elapsedMs - before);
    this.#positionsPerMs += weight * (Math.max(0, position - this.#position) / elapsedMs - this.#positionsPerMs);
    this.#sampledMs = now;
    this.#events += events;
    this.#position = position;
    this.#head = Math.max(this.#head, position);
  }

  /** The end has moved. */
  extend(head: number): void {
    this.#head = Math.max(this.#head, head);
  }

  get events(): number {
    return this.#events;
  }

  get progress(): PassProgress {
    const elapsedMs = this.nowMs() - this.#startedMs;
    const left = this.#head - this.#position;
    const isKnown = elapsedMs >= KNOWN_AFTER_MS && this.#positionsPerMs > 0;
    return {
      events: this.#events,
      position: this.#position,
      head: this.#head,
      elapsedMs: Math.round(elapsedMs),
      eventsPerSecond: Math.round((this.#eventsPerMs ?? 0) * 1000),
      ...(left <= 0 ? { secondsLeft: 0 } : isKnown && { secondsLeft: Math.ceil(left / this.#positionsPerMs / 1000) }),
    };
  }
}
