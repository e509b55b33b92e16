import { type JsonObject, Repetition } from '#kernel';
import { notReady } from './engine/position-waiters.js';
import type { ReadSidePass } from './read-side-gate.js';
import type { Lease, Leases } from './sharing.js';

/** Renewals within the time after which other processes may take the lease. */
const RENEWALS_PER_TERM = 3;

/** What a held lease asks of the read store, which keeps it. */
export type LeaseKeeper = Pick<Leases, 'renew' | 'release'>;

/**
 * A lease that is renewed until another process has taken it. While the store is unavailable no process can take it, so
 * it is still held afterwards. Work that the lease's term does not guard asserts that it is held before each step that counts.
 */
export class HeldLease {
  readonly #renewals: Repetition;
  #renewedMs: number;
  readonly #lost = new AbortController();
  #note: () => JsonObject | undefined = () => undefined;
  #telling: Promise<unknown> = Promise.resolve();

  /**
   * @param onError is told of renewals that failed; they are repeated
   * @param askedMs when the lease was asked for, from which its time counts
   */
  constructor(
    private readonly leases: LeaseKeeper,
    readonly lease: Lease,
    private readonly ttlMs: number,
    private readonly onError: (error: unknown) => void = () => undefined,
    askedMs = performance.now(),
  ) {
    this.#renewedMs = askedMs;
    this.#renewals = new Repetition(() => this.#renew(), ttlMs / RENEWALS_PER_TERM);
    // A store that is unavailable is so for the other processes, too.
    this.#renewals.start(onError);
  }

  /** Whether another process has taken it. All work under it must stop. */
  get isLost(): boolean {
    return this.#lost.signal.aborted;
  }

  /** Aborts when another process has taken it. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Whether no other process can have taken it yet. Work that its term does not guard requires this. */
  get isSure(): boolean {
    return !this.isLost && performance.now() - this.#renewedMs <= this.ttlMs;
  }

  /** The pass, which is valid no longer than the lease is held for sure. */
  guarded(pass: ReadSidePass): ReadSidePass {
    return {
      position: pass.position,
      assertValid: async (position) => {
        await pass.assertValid(position);
        if (!this.isSure) throw notReady('Another process may be at this work.');
      },
    };
  }

  /** Tells other processes of the work under the lease, at once and with each renewal. */
  tell(note: () => JsonObject): void {
    this.#note = note;
    this.#telling = Promise.all([this.#telling, this.#renew().catch(this.onError)]);
  }

  /** Releases the lease for the next process. */
  async release(): Promise<void> {
    // A renewal that arrives later takes the release back, where updates are not atomic.
    await Promise.all([this.#renewals.stop(), this.#telling]);
    // Other processes take it after its TTL when this fails.
    if (!this.isLost) await this.leases.release(this.lease).catch(this.onError);
  }

  async #renew(): Promise<void> {
    const askedMs = performance.now();
    if (await this.leases.renew(this.lease, this.#note())) this.#renewedMs = Math.max(this.#renewedMs, askedMs);
    else this.#lost.abort();
  }
}
