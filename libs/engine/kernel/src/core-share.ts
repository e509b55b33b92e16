import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** A piece that took unusually long, since others kept the process busy meanwhile, must not hold up the next ones for long. */
const REST_MAX_MS = 250;

export interface ShareClock {
  /** Milliseconds of work that the process has done so far. */
  busyMs(): number;
  rest(ms: number): Promise<unknown>;
}

const EVENT_LOOP: ShareClock = {
  // Without the time for which stores are waited for. What else runs meanwhile counts as well: under load, the work takes less.
  busyMs: () => performance.eventLoopUtilization().active,
  rest: (ms) => pause(ms),
};

/**
 * Limits background work to a share of a core: its pieces run one after the other, and each rests in proportion to the time
 * that it took. Callers bound how many pieces wait.
 */
export class CoreShare {
  #last: Promise<unknown> = Promise.resolve();

  /** @param share more than 0, and at most 1 for the whole core */
  constructor(
    private readonly share: number,
    private readonly clock: ShareClock = EVENT_LOOP,
  ) {}

  /** Runs a piece of work in its turn. Its result does not wait for the rest. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#last;
    let hasRested: () => void = () => undefined;
    this.#last = new Promise<void>((resolve) => (hasRested = resolve));
    await before;
    const beganMs = this.clock.busyMs();
    try {
      return await work();
    } finally {
      const workedMs = Math.max(0, this.clock.busyMs() - beganMs);
      const restMs = Math.min(workedMs * (1 / this.share - 1), REST_MAX_MS);
      this.clock.rest(restMs).then(hasRested, hasRested);
    }
  }
}
