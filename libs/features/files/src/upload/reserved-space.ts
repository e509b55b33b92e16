import { assertRoom } from '../model/file.decider.js';

/**
 * Space under the quota that uploads of this process take while they are stored, so that they need not wait for each other. One that
 * fits only if another fails waits for its outcome.
 */
export class ReservedSpace {
  #bytes = 0;
  /** Counts reservations that have ended. */
  #ended = 0;
  readonly #waiting = new Set<() => void>();

  /** @param used reads the space in use by uploads that have ended */
  constructor(private readonly used: () => Promise<number>) {}

  /**
   * Runs `store` with the space reserved for as long. When it resolves, the space must count as used.
   * @param store is given the space that others use
   * @throws Refusal REALM_UPLOAD_QUOTA
   */
  async run<Result>(size: number, quotaBytes: number, store: (usedBytes: number) => Promise<Result>): Promise<Result> {
    const usedBytes = await this.#reserve(size, quotaBytes);
    try {
      return await store(usedBytes);
    } finally {
      this.#bytes -= size;
      this.#ended += 1;
      for (const wake of this.#waiting) wake();
      this.#waiting.clear();
    }
  }

  async #reserve(size: number, quotaBytes: number): Promise<number> {
    for (;;) {
      const before = this.#ended;
      const ended = await this.used();
      // What was reserved meanwhile may be in use now: it must count once.
      if (before !== this.#ended) continue;
      const usedBytes = ended + this.#bytes;
      if (usedBytes + size > quotaBytes && this.#bytes > 0 && ended + size <= quotaBytes) {
        await new Promise<void>((wake) => this.#waiting.add(wake));
        continue;
      }
      assertRoom(size, { usedBytes, quotaBytes });
      this.#bytes += size;
      return usedBytes;
    }
  }
}
