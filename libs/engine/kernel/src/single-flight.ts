import { within } from './within.js';

/** Time limit of a run, and its error. */
export interface RunLimit {
  readonly limitMs: number;
  /** Makes the error for the callers of a run that exceeds the limit. */
  readonly late: () => Error;
}

/**
 * Runs `work` once at a time. Calls during a run share the next one, so that no call is answered by a run that began before it.
 * A run that does not settle within the limit fails, and the next one begins.
 */
export class SingleFlight<Result> {
  #running: Promise<Result> | undefined;
  #next: Promise<Result> | undefined;

  constructor(
    private readonly work: () => Promise<Result>,
    private readonly limit?: RunLimit,
  ) {}

  run(): Promise<Result> {
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  async #after(running: Promise<Result> | undefined): Promise<Result> {
    // The callers of that run get its failure.
    await running?.catch(() => undefined);
    this.#running = this.#run();
    this.#next = undefined;
    return this.#running;
  }

  #run(): Promise<Result> {
    return this.limit === undefined ? this.work() : within(this.limit.limitMs, this.work, this.limit.late);
  }
}
