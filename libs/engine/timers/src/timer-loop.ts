import { causedBy, type Clock, forEachInBatches, newId, type Origin } from '#kernel';
import {
  type Collection,
  HeldLease,
  type Key,
  type Leases,
  type ReadSideGate,
  type ReadSidePass,
  type Stored,
  where,
} from '#read-store';
import type { TimerDocument } from './due-index.projection.js';

/** Timers read at a time: however many are due, memory stays small. */
export const PAGE_MAX = 100;
/** Timers fired side by side: their appends share commits of the log. */
const CONCURRENT_MAX = 10;
/** Timers of one owner that are fired one after the other; more are fired side by side, so that they hold up nobody else's. */
const IN_ORDER_MAX = 10;
/** A timer that could not be fired is left alone for this long. */
const RETRY_AFTER_MS = 2_000;
/** Failing timers remembered. With more, the cause is not in them, and a look ends. */
const FAILING_MAX = 200;
/** A process without a sign of life for this long has lost the timers that one process at a time fires. */
const LEASE_MS = 5_000;

/** Acts on timers of one kind. */
export interface TimerHandler {
  /**
   * Claims what is due, by an event at the expected revision of its stream that clears the timer, and acts on it. Several
   * processes may do so at the same time, and for a timer that has been moved or cleared meanwhile: it decides by the stream.
   * @param pass asserts that the read models are whole; a handler that decides by them calls it between the question and the event
   * @param origin the event that set the timer, for what is recorded
   */
  fire(subject: string, pass: ReadSidePass, origin: Origin): Promise<void>;
  /**
   * Whose timer it is: a few of one owner are fired in the order of their times, and then of their subjects. Each is on its own
   * without it.
   */
  ownerOf?(subject: string): string;
  /**
   * It acts before it has claimed anything: of several processes, one at a time fires these timers. One that was suspended may go on
   * with what it has begun beside its successor.
   */
  readonly isExclusive?: true;
}

export interface TimerLoopParts {
  readonly index: Collection<TimerDocument>;
  readonly gate: ReadSideGate;
  readonly clock: Clock;
  /** Where processes agree who fires the timers of exclusive handlers; undefined when there is one process. */
  readonly leases?: Leases | undefined;
  /** Called with the errors of timers that could not be fired. They are retried. */
  readonly onError: (error: unknown) => void;
}

/** Fires the timers of one kind when they are due (ADR 21). Kinds do not wait for each other. */
export class TimerLoop {
  /** Timers that could not be fired, and when each may be tried again, by the monotonic clock. */
  readonly #failing = new Map<Key, number>();
  readonly #holder = newId();
  /** The last term in which this process fired timers of an exclusive handler. */
  #term: number | undefined;
  #running: Promise<void> | undefined;
  #isWoken = false;
  #isEnding = false;

  constructor(
    private readonly kind: string,
    private readonly handler: TimerHandler,
    private readonly parts: TimerLoopParts,
  ) {}

  /** Fires what is due. While that is going on, it is followed by another turn: its last look may have been too early. */
  wake(): void {
    if (this.#isEnding) return;
    this.#isWoken = true;
    this.#running ??= this.#takeTurns();
  }

  /** Stops after the timers that are being fired. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
  }

  async #takeTurns(): Promise<void> {
    try {
      while (this.#isWoken && !this.#isEnding) {
        this.#isWoken = false;
        await this.#takeTurn();
      }
    } catch (error) {
      this.parts.onError(error);
    } finally {
      this.#running = undefined;
    }
  }

  /** Fires all timers that are due now, unless another process is at those of an exclusive handler: it is woken as well. */
  async #takeTurn(): Promise<void> {
    const { leases, onError } = this.parts;
    if (this.handler.isExclusive !== true || leases === undefined) return this.fireDue();
    const due = await this.#due();
    // Mostly another process was faster.
    if (due.length === 0) return;
    const askedMs = performance.now();
    const lease = await leases.acquire(`timers-${this.kind}`, this.#holder, LEASE_MS);
    if (lease === undefined) return;
    const held = new HeldLease(leases, lease, LEASE_MS, onError, askedMs);
    // Otherwise another process has fired some of it meanwhile.
    const isStillDue = lease.term - 1 === this.#term;
    this.#term = lease.term;
    try {
      await this.fireDue(held, isStillDue ? due : undefined);
    } finally {
      await held.release();
    }
  }

  /**
   * Fires all timers that are due now.
   * @param known the first page of them, if it is known
   */
  async fireDue(held?: HeldLease, known?: readonly Stored<TimerDocument>[]): Promise<void> {
    let fired = new Set<Key>();
    for (let due = known ?? (await this.#due()); ; due = await this.#due()) {
      // One that was fired and is still there waits like one that failed: its handler did not clear it.
      for (const { key } of due) if (fired.has(key)) this.#failed(key);
      const page = due.filter(({ key }) => !fired.has(key));
      if (page.length === 0 || this.#isEnding || held?.isSure === false) return;
      // The index may be ahead of other state in this process, or behind the log.
      const entered = await this.parts.gate.enter();
      const pass = held?.guarded(entered) ?? entered;
      await forEachInBatches(CONCURRENT_MAX, shuffled(this.#inOrder(page)), (timers) =>
        forEachInBatches(1, timers, (timer) => this.#fire(timer, pass, held)),
      );
      fired = new Set(page.map(({ key }) => key));
    }
  }

  /** A page of the timers that are due and may be tried now, the earliest first. */
  async #due(): Promise<readonly Stored<TimerDocument>[]> {
    const nowMs = performance.now();
    for (const [key, retryMs] of this.#failing) if (retryMs <= nowMs) this.#failing.delete(key);
    if (this.#failing.size >= FAILING_MAX) return [];
    const due = await this.parts.index.find({
      where: where.and(where.eq('kind', this.kind), where.range('dueAt', { lte: this.parts.clock.nowSeconds() })),
      sort: [{ field: 'dueAt', direction: 'ascending' }],
      limit: PAGE_MAX + this.#failing.size,
    });
    return due.filter(({ key }) => !this.#failing.has(key));
  }

  /** The timers of each owner, in order; those of an owner who has many, each alone. */
  #inOrder(page: readonly Stored<TimerDocument>[]): (readonly Stored<TimerDocument>[])[] {
    const byOwner = new Map<string, Stored<TimerDocument>[]>();
    for (const timer of page) {
      const { subject } = timer.doc;
      const owner = this.handler.ownerOf?.(subject) ?? subject;
      const own = byOwner.get(owner);
      if (own === undefined) byOwner.set(owner, [timer]);
      else own.push(timer);
    }
    return [...byOwner.values()].flatMap((own) =>
      own.length > IN_ORDER_MAX ? own.map((timer) => [timer]) : [own.sort(byTimeAndSubject)],
    );
  }

  async #fire(
    { key, doc: { subject, setBy } }: Stored<TimerDocument>,
    pass: ReadSidePass,
    held: HeldLease | undefined,
  ): Promise<void> {
    if (this.#isEnding || held?.isSure === false) return;
    try {
      await this.handler.fire(subject, pass, causedBy({ key: setBy }));
    } catch (error) {
      this.#failed(key);
      this.parts.onError(error);
    }
  }

  #failed(key: Key): void {
    this.#failing.set(key, performance.now() + RETRY_AFTER_MS);
  }
}

function byTimeAndSubject({ doc: one }: Stored<TimerDocument>, { doc: other }: Stored<TimerDocument>): number {
  return one.dueAt - other.dueAt || (one.subject < other.subject ? -1 : 1);
}

/** In another order in each process: those that look at the same time begin with different timers. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
