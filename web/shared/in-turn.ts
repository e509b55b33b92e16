/** Does one thing after the other: on connections of their own the last wish might be heard first. What fails holds up nothing. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve();

  /** @returns what comes of it */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(() => work());
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
