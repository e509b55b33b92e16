/** Lets one piece of work at a time through. Whoever finds it free enters at once. */
export class Turns {
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
