import type { RecordedEvent } from '#event-store';
import type { Clock } from '#kernel';
import type { TimerSource } from './timer-source.js';

export interface DueAtOnceParts {
  readonly sources: readonly TimerSource[];
  readonly clock: Clock;
  /** Calls the listener with each event of the log; returns a function that ends it. */
  readonly listen: (listener: (event: RecordedEvent) => void) => () => void;
  /** What becomes due in this time is told together. */
  readonly gatherMs: () => number;
  /** @param position of the last event that made some of them due */
  readonly tell: (kinds: ReadonlySet<string>, position: number) => void;
}

/** Watches the log for timers that are due when they are set: the next look at the index may be half a second away. */
export class DueAtOnce {
  readonly #byType = new Map<string, TimerSource[]>();
  #kinds = new Set<string>();
  #position = 0;
  #telling: NodeJS.Timeout | undefined;
  #unlisten: (() => void) | undefined;

  constructor(private readonly parts: DueAtOnceParts) {
    for (const source of parts.sources) {
      for (const type of source.handles) this.#byType.set(type, [...(this.#byType.get(type) ?? []), source]);
    }
  }

  /** Begins, unless it has. */
  start(): void {
    this.#unlisten ??= this.parts.listen(this.#take);
  }

  stop(): void {
    this.#unlisten?.();
    clearTimeout(this.#telling);
  }

  readonly #take = (event: RecordedEvent): void => {
    for (const source of this.#byType.get(event.type) ?? []) {
      if (!this.#isDue(source, event)) continue;
      this.#kinds.add(source.kind);
      this.#position = event.position;
      this.#telling ??= setTimeout(this.#tell, this.parts.gatherMs()).unref();
    }
  };

  #isDue(source: TimerSource, event: RecordedEvent): boolean {
    const now = this.parts.clock.nowSeconds();
    try {
      return source.changes(event).some(({ dueAt = Infinity }) => dueAt <= now);
    } catch {
      // The engine sets the index aside and tells why.
      return false;
    }
  }

  readonly #tell = (): void => {
    const [kinds, position] = [this.#kinds, this.#position];
    this.#kinds = new Set();
    this.#telling = undefined;
    this.parts.tell(kinds, position);
  };
}
