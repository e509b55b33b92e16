import type { Recorded } from '#event-store';
import type { EngineOptions } from './engine-status.js';

/** Weight of the newest measurement in a rate; at four a second this looks back over about five seconds. */
const RATE_WEIGHT = 0.2;
/** The loop has had nothing to do for this long: it has caught up, whatever the batch before was like. */
const IDLE_MS = 1_000;

/** Measures how the live loop fares. Costs a few assignments per batch; the rest happens on the monitor's clock. */
export class Gauges {
  head = 0;
  /** Since when a batch is in the works. */
  #busySinceMs: number | undefined;
  #idleSinceMs = 0;
  /** How late the events of the latest batch were when their turn came. */
  #lateMs = 0;
  #lateSinceMs: number | undefined;
  #sampledMs = performance.now();
  readonly #rates = new Map<string, { handled: number; perSecond: number }>();

  constructor(private readonly options: EngineOptions) {}

  began(first: Recorded): void {
    const now = performance.now();
    this.#busySinceMs = now;
    // Clocks of two machines may differ: nothing is ever early.
    this.#lateMs = Math.max(0, Date.now() - first.recordedAtMs);
    if (this.#lateMs <= this.options.lagLimitMs) this.#lateSinceMs = undefined;
    else this.#lateSinceMs ??= now;
  }

  ended(): void {
    this.#busySinceMs = undefined;
    this.#idleSinceMs = performance.now();
  }

  /** The log's end was met: what was late before does not count any more. */
  caughtUp(): void {
    this.#lateSinceMs = undefined;
    this.#lateMs = 0;
  }

  /** The loop waits for the log, and nobody waits for the loop. */
  isIdle(waiting: number): boolean {
    return waiting === 0 && this.#busySinceMs === undefined && performance.now() - this.#idleSinceMs > IDLE_MS;
  }

  lagMs(waiting: number): number {
    if (this.isIdle(waiting)) return 0;
    const busyMs = this.#busySinceMs === undefined ? 0 : performance.now() - this.#busySinceMs;
    return Math.round(this.#busySinceMs === undefined && waiting === 0 ? 0 : this.#lateMs + busyMs);
  }

  /** Why new commands should be refused for now, if they should. */
  complaint(oldestWaiterMs: number, waiting: number): string | undefined {
    const now = performance.now();
    const { stallLimitMs, lagGraceMs } = this.options;
    if (this.isIdle(waiting)) this.#lateSinceMs = undefined;
    if (now - (this.#busySinceMs ?? now) > stallLimitMs || now - oldestWaiterMs > stallLimitMs)
      return 'The read side is stuck.';
    if (now - (this.#lateSinceMs ?? now) > lagGraceMs) return 'The read side has fallen behind.';
    return undefined;
  }

  sample(participants: readonly { readonly name: string; readonly handled: number }[]): void {
    const now = performance.now();
    const seconds = Math.max(now - this.#sampledMs, 1) / 1000;
    this.#sampledMs = now;
    for (const { name, handled } of participants) {
      const before = this.#rates.get(name) ?? { handled: 0, perSecond: 0 };
      const newest = (handled - before.handled) / seconds;
      this.#rates.set(name, { handled, perSecond: before.perSecond + RATE_WEIGHT * (newest - before.perSecond) });
    }
  }

  eventsPerSecond(name: string): number {
    return Math.round(this.#rates.get(name)?.perSecond ?? 0);
  }
}
