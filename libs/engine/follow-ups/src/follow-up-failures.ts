/** Failing follow-ups remembered. With more, the cause is in none of them. */
const FAILURES_MAX = 1_000;

/** What failed of one follow-up, in this process. */
interface Failures {
  readonly attempts: number;
  /** Why the last attempt failed; null when none has. */
  readonly reason: string | null;
}

/** A follow-up that is open. Times are in seconds since the epoch. */
export interface OpenFollowUp extends Failures {
  /** See `triggerKey`. */
  readonly key: string;
  /** Type of the event. */
  readonly type: string;
  readonly since: number;
  readonly nextAt: number;
}

const NONE: Failures = { attempts: 0, reason: null };

/** Remembers why follow-ups failed in this process, until they are done. */
export class FollowUpFailures {
  readonly #failures = new Map<string, Failures>();

  add(key: string, error: unknown): void {
    const { attempts } = this.of(key);
    if (attempts === 0 && this.#failures.size >= FAILURES_MAX) this.#failures.clear();
    this.#failures.set(key, { attempts: attempts + 1, reason: error instanceof Error ? error.message : String(error) });
  }

  of(key: string): Failures {
    return this.#failures.get(key) ?? NONE;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }
}
