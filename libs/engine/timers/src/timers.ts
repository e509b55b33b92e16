import { type LookingWork, where } from '#read-store';
import { PAGE_MAX, type TimerHandler, TimerLoop, type TimerLoopParts } from './timer-loop.js';

/** Well below the second in which times are given. A look that finds nothing is one read of an index. */
const LOOK_EVERY_MS = 500;

export interface TimersParts extends TimerLoopParts {
  /** Kinds of the timers that are in the index. */
  readonly kinds: ReadonlySet<string>;
}

/**
 * Fires timers when they are due (ADR 21). Every api looks at the index, at moments of its own; which of them acts is decided
 * by the stream of what is due, so no api is special, and none is missed.
 */
export class Timers implements LookingWork {
  readonly name = 'timers';
  readonly complaint = 'Timers cannot be looked for at the moment.';
  readonly everyMs = LOOK_EVERY_MS;
  readonly isDue = true;
  readonly #loops = new Map<string, TimerLoop>();

  constructor(private readonly parts: TimersParts) {}

  add(kind: string, handler: TimerHandler): void {
    // It would never be called.
    if (!this.parts.kinds.has(kind)) throw new Error(`No event sets timers of the kind ${kind}.`);
    this.#loops.set(kind, new TimerLoop(kind, handler, this.parts));
  }

  /** Stops after the timers that are being fired. */
  async stop(): Promise<void> {
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop()));
  }

  /** Fires all timers that are due now. */
  async fireDue(): Promise<void> {
    await Promise.all([...this.#loops.values()].map((loop) => loop.fireDue()));
  }

  /** Looks at all kinds at once; those of which something is due go on by themselves. */
  async look(signal: AbortSignal): Promise<void> {
    const { index, clock, kinds } = this.parts;
    const due = await index.find({
      where: where.and(where.in('kind', [...kinds]), where.range('dueAt', { lte: clock.nowSeconds() })),
      sort: [{ field: 'dueAt', direction: 'ascending' }],
      limit: PAGE_MAX,
    });
    // What is behind a full page may be of any kind.
    const woken = due.length < PAGE_MAX ? new Set(due.map(({ doc }) => doc.kind)) : kinds;
    if (!signal.aborted) for (const kind of woken) this.#loops.get(kind)?.wake();
  }
}
