/**
 * Repeats a look: often while something happens, seldom while nothing does. Each wake-up of an idle process costs more than what it
 * looks at, so that a fact should end the pause (`wake`) instead of a short one.
 */
export class Watch {
  #timer: NodeJS.Timeout | undefined;
  #isIdle = false;

  /** @param look whether nothing happens */
  constructor(
    private readonly look: () => boolean,
    private readonly oftenMs: number,
    private readonly seldomMs: number,
  ) {}

  /** The process may end meanwhile. */
  start(): void {
    this.#again(this.oftenMs);
  }

  /** Something happens: the next look is soon. Cheap enough for every event and request. */
  wake(): void {
    if (this.#isIdle) this.#again(this.oftenMs);
  }

  stop(): void {
    this.#isIdle = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #again(ms: number): void {
    clearTimeout(this.#timer);
    this.#isIdle = ms === this.seldomMs;
    this.#timer = setTimeout(() => {
      const isIdle = this.look();
      // The look may have stopped it.
      if (this.#timer !== undefined) this.#again(isIdle ? this.seldomMs : this.oftenMs);
    }, ms).unref();
  }
}
