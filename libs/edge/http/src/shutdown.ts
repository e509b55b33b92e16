/**
 * Announces the shutdown of the process. Held requests (long polls) are answered when the signal aborts; stores stay
 * open until the last request is answered.
 */
export class Shutdown {
  readonly #controller = new AbortController();
  #inFlight = 0;
  #idle: (() => void) | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get begun(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Number of requests in progress. */
  get inFlight(): number {
    return this.#inFlight;
  }

  begin(): void {
    this.#controller.abort();
  }

  enter(): void {
    this.#inFlight++;
  }

  leave(): void {
    this.#inFlight--;
    if (this.#inFlight === 0) this.#idle?.();
  }

  /** Resolves when no request is in progress, or after this time. */
  async whenIdle(limitMs: number): Promise<void> {
    if (this.#inFlight === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
