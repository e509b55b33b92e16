/** Runs one piece of work at a time, in the order of the calls. Work that finds the mutex free begins within the call. */
export class Mutex {
  #current: Promise<void> | undefined;

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#current !== undefined) await this.#current;
    let release = (): void => undefined;
    this.#current = new Promise((resolve) => (release = resolve));
    try {
      return await work();
    } finally {
      this.#current = undefined;
      release();
    }
  }
}
