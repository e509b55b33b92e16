import { nextSlice } from '#kernel';
import { badNarrow } from '../narrow/narrow-terms.js';

/** Maximum work that one request may spend on finding messages; a longer search should be narrowed. */
export const SEARCH_BUDGET_MS = 1_500;
/** Other requests run after this much work in a row. */
const SLICE_MS = 10;

/** Remaining search time of a request. Counts the time of its own work, not the pauses between. */
export class SearchBudget {
  #unpausedMs = 0;

  constructor(private leftMs = SEARCH_BUDGET_MS) {}

  get isSpent(): boolean {
    return this.leftMs <= 0;
  }

  /** @throws Refusal BAD_NARROW */
  assertLeft(): void {
    if (this.isSpent) throw badNarrow(TOO_MUCH);
  }

  /** Runs a piece of work of some milliseconds, after other requests had their turn. */
  async spend<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#unpausedMs >= SLICE_MS) {
      this.#unpausedMs = 0;
      await nextSlice();
    }
    const beganMs = performance.now();
    try {
      return await work();
    } finally {
      const tookMs = performance.now() - beganMs;
      this.leftMs -= tookMs;
      this.#unpausedMs += tookMs;
    }
  }
}

const TOO_MUCH =
  'this search takes too long. Name a channel, a topic or a sender, search for a rarer word, or leave out negated terms';
