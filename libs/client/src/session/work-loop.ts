import { Pauses, type Surroundings } from './pauses.js';

/** Work that is done in one place at a time, and again when there is more. */
export class WorkLoop extends Pauses {
  #isMore = false;
  #running: Promise<void> | undefined;

  /** @param work does all that there is to do */
  constructor(
    surroundings: Surroundings | undefined,
    private readonly work: () => Promise<void>,
  ) {
    super(surroundings);
  }

  /** There is more to do. What comes in one turn is done together. */
  begin(): void {
    this.#isMore = true;
    this.#running ??= this.#run();
  }

  /** Whether nothing is left to do. */
  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** Ends pauses, and waits for the work in progress. */
  async stop(): Promise<void> {
    this.end();
    await this.#running;
  }

  async #run(): Promise<void> {
    await Promise.resolve();
    try {
      while (this.#isMore) {
        this.#isMore = false;
        await this.work();
      }
    } finally {
      // In the turn that found no more: what comes after it begins anew.
      this.#running = undefined;
    }
  }
}
