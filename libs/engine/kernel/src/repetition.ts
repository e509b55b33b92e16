import { tellFailure } from './tell-failure.js';

/** Work that is repeated at an interval until it is stopped. A turn that takes longer than the interval delays the next one. */
export class Repetition {
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> | undefined;

  constructor(
    private readonly work: () => Promise<void>,
    private readonly everyMs: number,
  ) {}

  /**
   * The process may end meanwhile.
   * @param onError is told of a failure; the next turn tries again, also when `onError` fails itself
   * @param options.isDue whether the first turn begins at once
   */
  start(onError: (error: unknown) => void, { isDue = false }: { readonly isDue?: boolean } = {}): void {
    const turn = (): void => {
      this.#turn ??= this.#run(onError).finally(() => (this.#turn = undefined));
    };
    this.#timer = setInterval(turn, this.everyMs).unref();
    if (isDue) turn();
  }

  /** Resolves after the turn in progress. */
  stop(): Promise<void> {
    clearInterval(this.#timer);
    return this.#turn ?? Promise.resolve();
  }

  async #run(onError: (error: unknown) => void): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      tellFailure(onError, error);
    }
  }
}
