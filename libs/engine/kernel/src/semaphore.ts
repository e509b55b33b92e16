/** Runs up to `limit` pieces of work at a time; the others wait in the order of the calls. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#free = limit;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    // Who is woken has been given the place of the one that ended.
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((woken) => this.#waiting.push(woken));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

/** Runs one piece of work at a time, in the order of the calls. Work that finds the mutex free begins within the call. */
export class Mutex extends Semaphore {
  constructor() {
    super(1);
  }
}
