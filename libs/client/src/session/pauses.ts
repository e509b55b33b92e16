/** The world that a session runs in: time and chance. */
export interface Surroundings {
  now(): number;
  random(): number;
  /** Resolves after the time, or when the signal ends it. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const SYSTEM: Surroundings = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, signal.aborted ? 0 : ms);
      signal.addEventListener('abort', end);
    }),
};

/** Between looks at whether all is done. */
export const SETTLING_MS = 10;

/** Pauses that can be cut short. After the end there are none. */
export class Pauses {
  /**
   * What is cut short at the end, and whether by `wake` as well. Each has a signal of its own: Node 20 keeps a trace of each use of a
   * signal for as long as the signal lives, and warns of more than ten at a time.
   */
  readonly #cuts = new Map<AbortController, boolean>();
  readonly backoff: Backoff;
  isEnded = false;

  constructor(readonly surroundings: Surroundings = SYSTEM) {
    this.backoff = new Backoff(surroundings);
  }

  /**
   * @param work is to stop when the signal aborts
   * @param isWoken false to go on after `wake`
   */
  async cut<T>(work: (signal: AbortSignal) => Promise<T>, isWoken = true): Promise<T> {
    const own = new AbortController();
    this.#cuts.set(own, isWoken);
    try {
      return await work(own.signal);
    } finally {
      this.#cuts.delete(own);
    }
  }

  /** @returns whether the pause was cut short */
  async sleep(ms: number): Promise<boolean> {
    if (this.isEnded) return true;
    return this.cut(async (signal) => {
      await this.surroundings.sleep(ms, signal);
      return signal.aborted;
    });
  }

  wake(): void {
    for (const [one, isWoken] of this.#cuts) if (isWoken || this.isEnded) one.abort();
  }

  end(): void {
    this.isEnded = true;
    this.wake();
  }
}

const FIRST_MS = 500;
const LAST_MS = 30_000;
/** At most, whatever a server or a proxy asks for; timers that are longer than 24 days end at once. */
const ASKED_MAX_MS = 3_600_000;

/** Pauses between attempts: 0.5 s, doubled up to 30 s, each shortened by up to a half at random, so that clients do not come together. */
export class Backoff {
  #attempts = 0;

  constructor(private readonly chance: Pick<Surroundings, 'random'>) {}

  /** @param atLeastMs what the server asks for */
  next(atLeastMs = 0): number {
    const ms = Math.min(LAST_MS, FIRST_MS * 2 ** this.#attempts++);
    const jittered = ms * (1 - this.chance.random() / 2);
    const askedMs = Math.min(atLeastMs, ASKED_MAX_MS);
    return askedMs > jittered ? askedMs + this.chance.random() * FIRST_MS : jittered;
  }

  reset(): void {
    this.#attempts = 0;
  }
}
