import { type TimerHandler, TimerLoop, type TimerLoopParts } from './timer-loop.js';

export interface TimersParts extends TimerLoopParts {
  /** Kinds of the timers that are in the index. */
  readonly kinds: ReadonlySet<string>;
}

/**
 * Fires timers when they are due (ADR 21). Every api looks at the index, at moments of its own; which of them acts is decided
 * by the stream of what is due, so no api is special, and none is missed.
 */
export class Timers {
  readonly #loops = new Map<string, TimerLoop>();

  constructor(private readonly parts: TimersParts) {}

  add(handler: TimerHandler): void {
    const { kind } = handler;
    // It would never be called.
    if (!this.parts.kinds.has(kind)) throw new Error(`No event sets timers of the kind ${kind}.`);
    this.#loops.set(kind, new TimerLoop(handler, this.parts));
  }

  /**
   * Starts firing, at once what is late.
   * @throws Error for a kind of timer without a handler
   */
  start(): void {
    const missing = [...this.parts.kinds].find((kind) => !this.#loops.has(kind));
    if (missing !== undefined) throw new Error(`Nothing handles timers of the kind ${missing}.`);
    for (const loop of this.#loops.values()) loop.start();
  }

  /** Stops after the timers that are being fired. */
  async stop(): Promise<void> {
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop()));
  }

  /** Fires all timers that are due now. */
  async fireDue(): Promise<void> {
    await Promise.all([...this.#loops.values()].map((loop) => loop.fireDue()));
  }
}
