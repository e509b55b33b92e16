import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** Pauses that double from one failure to the next, each by chance between half and all of its length, so that many callers do not return at once. */
export class Pauses {
  #nextMs: number;

  constructor(
    private readonly firstMs: number,
    private readonly longestMs: number,
  ) {
    this.#nextMs = firstMs;
  }

  /** Things went well: the next pause is short again. */
  reset(): void {
    this.#nextMs = this.firstMs;
  }

  /** The length of the pause that is due. */
  next(): number {
    const ms = this.#nextMs * (0.5 + Math.random() / 2);
    this.#nextMs = Math.min(this.#nextMs * 2, this.longestMs);
    return ms;
  }
}

/** Waits, or less when the signal ends it. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal });
  } catch {
    // Only the signal ends a pause early, and whoever gave it looks at it.
  }
}

/** For a signal that everything under way listens to, which is bounded elsewhere: Node warns of more than ten. */
export function quietController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
