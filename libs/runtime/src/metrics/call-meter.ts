import { RevisionConflict } from '#event-store';
import type { CallProbe } from '#kernel';
import { Durations } from './durations.js';

/** From a hit in memory to the deadlines of calls to stores on servers. */
const BOUNDS_SECONDS = [0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5];

/** The calls of one kind. */
export interface MeteredCalls {
  readonly durations: Durations;
  failures: number;
}

/** Counts the calls to one store by kind, with their time and failures. */
export class CallMeter {
  readonly kinds = new Map<string, MeteredCalls>();

  readonly probe: CallProbe = (kind, call) => {
    const calls = this.#of(kind);
    const begunMs = performance.now();
    const result = call();
    result.then(
      () => {
        calls.durations.add(performance.now() - begunMs);
      },
      (error: unknown) => {
        calls.durations.add(performance.now() - begunMs);
        // A lost race is an answer of the store.
        if (!(error instanceof RevisionConflict)) calls.failures++;
      },
    );
    return result;
  };

  #of(kind: string): MeteredCalls {
    const known = this.kinds.get(kind);
    if (known !== undefined) return known;
    const calls = { durations: new Durations(BOUNDS_SECONDS), failures: 0 };
    this.kinds.set(kind, calls);
    return calls;
  }
}
