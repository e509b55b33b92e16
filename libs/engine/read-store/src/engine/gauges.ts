import type { RecordedEvent } from '#event-store';
import type { EngineOptions } from './engine-status.js';

/** A measurement has lost most of its weight in a rate after about as many seconds. */
const RATE_OVER_SECONDS = 1.12;
/** After this time without work the loop counts as caught up, even when the previous batch was slow. */
const IDLE_MS = 1_000;

/**
 * Tracks lag and throughput of the live loop. Costs a few assignments per batch; the rest runs on the monitor's timer.
 */
export class Gauges {
  head = 0;
  /** Start of the batch in progress. */
  #busySinceMs: number | undefined;
  #idleSinceMs = 0;
  /** Age of the latest batch's events when they were processed. */
  #lateMs = 0;
  #lateSinceMs: number | undefined;
  #sampledMs = performance.now();
  readonly #rates = new Map<string, { handled: number; perSecond: number }>();

  constructor(private readonly options: EngineOptions) {}

  began(first: RecordedEvent): void {
    const now = performance.now();
    this.#busySinceMs = now;
    // The clocks of two machines may differ: an event is never early.
    this.#lateMs = Math.max(0, Date.now() - first.recordedAtMs);
    if (this.#lateMs <= this.options.lagLimitMs) this.#lateSinceMs = undefined;
    else this.#lateSinceMs ??= now;
  }

  ended(): void {
    this.#busySinceMs = undefined;
    this.#idleSinceMs = performance.now();
  }

  /** Called at the end of the log: earlier lateness no longer counts. */
  caughtUp(): void {
    this.#lateSinceMs = undefined;
    this.#lateMs = 0;
  }

  /** Whether the loop waits for the log, and no request waits for the loop. */
  isIdle(waiting: number): boolean {
    return waiting === 0 && this.#busySinceMs === undefined && performance.now() - this.#idleSinceMs > IDLE_MS;
  }

  lagMs(waiting: number): number {
    if (this.isIdle(waiting)) return 0;
    const busyMs = this.#busySinceMs === undefined ? 0 : performance.now() - this.#busySinceMs;
    return Math.round(this.#busySinceMs === undefined && waiting === 0 ? 0 : this.#lateMs + busyMs);
  }

  /** Why new commands should be refused at the moment, if they should. */
  complaint(oldestWaiterMs: number, waiting: number): string | undefined {
    const now = performance.now();
    const { stallLimitMs, lagGraceMs } = this.options;
    if (this.isIdle(waiting)) this.#lateSinceMs = undefined;
    // Batches that end one after the other are slow at worst: those who wait for the last one only have to wait.
    const waitingSinceMs = Math.max(oldestWaiterMs, this.#idleSinceMs);
    if (now - (this.#busySinceMs ?? now) > stallLimitMs || now - waitingSinceMs > stallLimitMs)
      return 'The read side is stuck.';
    if (now - (this.#lateSinceMs ?? now) > lagGraceMs) return 'The read side has fallen behind.';
    return undefined;
  }

  sample(participants: readonly { readonly name: string; readonly handled: number }[]): void {
    const now = performance.now();
    const seconds = Math.max(now - this.#sampledMs, 1) / 1000;
    this.#sampledMs = now;
    const weight = 1 - Math.exp(-seconds / RATE_OVER_SECONDS);
    for (const { name, handled } of participants) {
      const before = this.#rates.get(name) ?? { handled: 0, perSecond: 0 };
      const newest = (handled - before.handled) / seconds;
      this.#rates.set(name, { handled, perSecond: before.perSecond + weight * (newest - before.perSecond) });
    }
  }

  eventsPerSecond(name: string): number {
    return Math.round(this.#rates.get(name)?.perSecond ?? 0);
  }
}
