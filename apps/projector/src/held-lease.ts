import type { Lease, Leases } from '#read-store';

/** Renewed this often within the time after which others may take it. */
const RENEWALS_PER_TERM = 4;

/** A lease that is kept as long as it can be, and known to be lost at once when it may be. */
export class HeldLease {
  readonly #timer: NodeJS.Timeout;
  #renewedMs = performance.now();
  #isLost = false;
  #renewing: Promise<void> | undefined;

  constructor(
    private readonly leases: Leases,
    readonly lease: Lease,
    private readonly ttlMs: number,
  ) {
    this.#timer = setInterval(() => {
      this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
    }, ttlMs / RENEWALS_PER_TERM).unref();
  }

  /** Whether another process may hold it by now. Whatever is done under the lease must end. */
  get isLost(): boolean {
    return this.#isLost || performance.now() - this.#renewedMs > this.ttlMs;
  }

  /** Lets the next one in. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    // Others take it by themselves when this fails.
    if (!this.#isLost) await this.leases.release(this.lease).catch(() => undefined);
  }

  async #renew(): Promise<void> {
    const askedMs = performance.now();
    try {
      if (await this.leases.renew(this.lease)) this.#renewedMs = askedMs;
      else this.#isLost = true;
    } catch {
      // The store is away. Time decides.
    }
  }
}
