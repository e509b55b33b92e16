import { isPassing } from '../stores/until-available.js';

/** What a stand-by does beside its looks at the lease, so that it can take over at once: one turn at a time. */
export class WarmingUp {
  readonly #ending = new AbortController();
  #turn: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  /** @param work one turn, which the signal ends early */
  constructor(private readonly work: (signal: AbortSignal) => Promise<void>) {}

  /** Begins the next turn, unless one is going on. */
  goOn(): void {
    this.#turn ??= this.work(this.#ending.signal)
      .catch((error: unknown) => {
        // The looks at the lease meet a store that is away; the next turn goes on where this one has stopped.
        if (!isPassing(error)) this.#failure = { error };
      })
      .finally(() => (this.#turn = undefined));
  }

  /** @throws what a turn has failed with: a process that cannot warm up could not work either */
  assertGoing(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Resolves when nothing is going on any more. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#turn;
  }
}
