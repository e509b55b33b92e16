import { type LookingWork, where } from '#read-store';
import { DueAtOnce, type DueAtOnceParts } from './due-at-once.js';
import { PAGE_MAX, type TimerHandler, TimerLoop, type TimerLoopParts } from './timer-loop.js';

/** Well below the second in which times are given. */
const LOOK_EVERY_MS = 500;
/** The index is read ahead by this time, and again after it. */
const AHEAD_SECONDS = 10;

export interface TimersParts extends TimerLoopParts {
  /** Kinds of the timers that are in the index. */
  readonly kinds: ReadonlySet<string>;
  /** Position of the latest event that changed the index; undefined where that is not known. */
  readonly changedAt?: () => number | undefined;
  /** For timers that are due when they are set; these wait for the next look without it. */
  readonly atOnce?: Omit<DueAtOnceParts, 'clock' | 'tell'>;
}

/** What the last look found. */
interface Found {
  readonly changedAt: number | undefined;
  /** Nothing is due before, unless the index changes. */
  readonly nextSeconds: number;
  readonly atMs: number;
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
  readonly #atOnce: DueAtOnce | undefined;
  #found: Found | undefined;

  constructor(private readonly parts: TimersParts) {
    const { atOnce, clock } = parts;
    if (atOnce !== undefined) this.#atOnce = new DueAtOnce({ ...atOnce, clock, tell: this.#wake });
  }

  add(kind: string, handler: TimerHandler): void {
    // It would never be called.
    if (!this.parts.kinds.has(kind)) throw new Error(`No event sets timers of the kind ${kind}.`);
    this.#loops.set(kind, new TimerLoop(kind, handler, this.parts));
  }

  /** Stops after the timers that are being fired. */
  async stop(): Promise<void> {
    this.#atOnce?.stop();
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop()));
  }

  /** Fires all timers that are due now. */
  async fireDue(): Promise<void> {
    await Promise.all([...this.#loops.values()].map((loop) => loop.fireDue()));
  }

  /** Looks at all kinds at once, unless nothing can be due; those of which something is due go on by themselves. */
  async look(signal: AbortSignal): Promise<void> {
    const { index, clock, kinds, changedAt } = this.parts;
    if (!signal.aborted) this.#atOnce?.start();
    const [nowSeconds, atMs, changed] = [clock.nowSeconds(), performance.now(), changedAt?.()];
    if (this.#isUnchanged(changed, nowSeconds, atMs)) return;
    const untilSeconds = nowSeconds + AHEAD_SECONDS;
    const upcoming = await index.find({
      where: where.and(where.in('kind', [...kinds]), where.range('dueAt', { lte: untilSeconds })),
      sort: [{ field: 'dueAt', direction: 'ascending' }],
      limit: PAGE_MAX,
    });
    this.#found = { changedAt: changed, nextSeconds: upcoming[0]?.doc.dueAt ?? untilSeconds, atMs };
    const due = upcoming.filter(({ doc: { dueAt } }) => dueAt <= nowSeconds);
    // What is behind a full page may be of any kind.
    const woken = due.length < PAGE_MAX ? new Set(due.map(({ doc }) => doc.kind)) : kinds;
    if (!signal.aborted) for (const kind of woken) this.#loops.get(kind)?.wake();
  }

  /** What the read models do not have in time is left to the next look. */
  readonly #wake = (kinds: ReadonlySet<string>, position: number): void => {
    const wake = (): void => {
      for (const kind of kinds) this.#loops.get(kind)?.wake();
    };
    this.parts.gate.enter({ position }).then(wake, () => undefined);
  };

  #isUnchanged(changedAt: number | undefined, nowSeconds: number, nowMs: number): boolean {
    const found = this.#found;
    if (found === undefined || changedAt === undefined || changedAt !== found.changedAt) return false;
    // The clock may have been put back since.
    return nowSeconds < found.nextSeconds && nowMs - found.atMs < AHEAD_SECONDS * 1000;
  }
}
