/** A mutex per key: work on one key runs in the order of the calls, work on different keys in parallel. */
export class KeyedMutex {
  /** The last call for each key in use. */
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const previous = this.#last.get(key);
    const call = previous === undefined ? work() : previous.then(work, work);
    this.#last.set(key, call);
    try {
      return await call;
    } finally {
      if (this.#last.get(key) === call) this.#last.delete(key);
    }
  }
}
