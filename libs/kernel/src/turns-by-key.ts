/** Lets work on the same thing take turns, in the order asked. Work on different things goes side by side. */
export class TurnsByKey {
  /** The last turn of each key that is being worked on. */
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const previous = this.#last.get(key);
    const turn = previous === undefined ? work() : previous.then(work, work);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}
