/** Work of which one run at a time is under way. Calls made meanwhile share the run after it, which begins later than they did. */
export class Coalesced<Result> {
  #running: Promise<Result> | undefined;
  #next: Promise<Result> | undefined;

  constructor(private readonly work: () => Promise<Result>) {}

  run(): Promise<Result> {
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  async #after(running: Promise<Result> | undefined): Promise<Result> {
    // Its failure is told to those who asked for it.
    await running?.catch(() => undefined);
    this.#running = this.#next;
    this.#next = undefined;
    return this.work();
  }
}
