import { Repetition } from '#kernel';
import type { Intent, ReadSideGate, ReadSidePass } from './read-side-gate.js';

/** Work beside the requests that is repeated: each turn begins over a whole read side, or not at all. */
export class BackgroundWork {
  readonly #turns: Repetition;

  constructor(
    private readonly gate: ReadSideGate,
    private readonly work: (pass: ReadSidePass) => Promise<void>,
    private readonly options: Intent & { readonly everyMs: number },
  ) {
    this.#turns = new Repetition(() => this.turn(), options.everyMs);
  }

  /** One turn. @throws Refusal SERVER_NOT_READY when the read side is not whole, or was replaced meanwhile */
  async turn(): Promise<void> {
    await this.work(await this.gate.enter(this.options));
  }

  /** @param onError is told of a failure; the next turn tries again */
  start(onError: (error: unknown) => void, options: { readonly isDue?: boolean } = {}): void {
    this.#turns.start(onError, options);
  }

  /** Stops after the turn in progress. */
  stop(): Promise<void> {
    return this.#turns.stop();
  }
}
