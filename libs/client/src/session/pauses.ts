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
      signal.addEventListener('abort', end, { once: true });
    }),
};

/** Between looks at whether all is done. */
export const SETTLING_MS = 10;

/** Pauses that can be cut short. After the end there are none. */
export class Pauses {
  #waking = new AbortController();
  #isEnded = false;
  readonly backoff: Backoff;

  constructor(private readonly surroundings: Surroundings = SYSTEM) {
    this.backoff = new Backoff(surroundings);
  }

  /** Ends with the pause, when it is cut short. */
  get signal(): AbortSignal {
    return this.#waking.signal;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** @returns whether the pause was cut short */
  async sleep(ms: number): Promise<boolean> {
    const { signal } = this;
    await this.surroundings.sleep(ms, signal);
    return signal.aborted;
  }

  wake(): void {
    this.#waking.abort();
    if (!this.#isEnded) this.#waking = new AbortController();
  }

  end(): void {
    this.#isEnded = true;
    this.wake();
  }
}

const FIRST_MS = 500;
const LAST_MS = 30_000;

/** Pauses between attempts: 0.5 s, doubled up to 30 s, each shortened by up to a half at random, so that clients do not come together. */
export class Backoff {
  #attempts = 0;

  constructor(private readonly chance: Pick<Surroundings, 'random'>) {}

  /** @param atLeastMs what the server asks for */
  next(atLeastMs = 0): number {
    const ms = Math.min(LAST_MS, FIRST_MS * 2 ** this.#attempts++);
    const jittered = ms * (1 - this.chance.random() / 2);
    return atLeastMs > jittered ? atLeastMs + this.chance.random() * FIRST_MS : jittered;
  }

  reset(): void {
    this.#attempts = 0;
  }
}
