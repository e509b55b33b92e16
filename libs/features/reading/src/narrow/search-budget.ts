import { nextSlice } from '#kernel';
import { badNarrow } from './narrow-terms.js';

/** Maximum processor time that one request may spend on finding messages; a longer search should be narrowed. */
const SEARCH_BUDGET_MS = 1_500;
/** Elapsed time allowed, as a multiple of the CPU time: a read store may work on another machine, and a busy machine is slower. */
const CLOCK_FACTOR = 4;
/** Other requests run after this much work in a row. */
const SLICE_MS = 10;

/**
 * Remaining search time of a request, by the processor and by the clock. Counts the time of its own work, not the pauses
 * between. The process's compiler and collector are in it: on a server that has just started, as many messages as one request may
 * have take several times as long as later. So what is answered costs nothing: its number has a limit of its own.
 */
export class SearchBudget {
  #unpausedMs = 0;
  #clockLeftMs: number;

  constructor(private leftMs = SEARCH_BUDGET_MS) {
    this.#clockLeftMs = CLOCK_FACTOR * leftMs;
  }

  get isSpent(): boolean {
    return this.leftMs <= 0 || this.#clockLeftMs <= 0;
  }

  /** @throws Refusal BAD_NARROW */
  assertLeft(): void {
    if (this.isSpent) throw badNarrow(TOO_MUCH);
  }

  /**
   * Runs a piece of work of some milliseconds, after other requests had their turn.
   * @param answeredBy share of the work that went into the answer, from 0 to 1: its processor time is no search
   */
  async spend<Result>(work: () => Promise<Result>, answeredBy: (result: Result) => number = () => 0): Promise<Result> {
    if (this.#unpausedMs >= SLICE_MS) {
      const workedMs = this.#unpausedMs;
      this.#unpausedMs = 0;
      await nextSlice(workedMs);
    }
    const beganMs = performance.now();
    const before = process.cpuUsage();
    let searched = 1;
    try {
      const result = await work();
      searched -= answeredBy(result);
      return result;
    } finally {
      const tookMs = performance.now() - beganMs;
      const { user, system } = process.cpuUsage(before);
      this.leftMs -= (searched * (user + system)) / 1_000;
      this.#clockLeftMs -= tookMs;
      this.#unpausedMs += tookMs;
    }
  }
}

const TOO_MUCH =
  'this search takes too long. Name a channel, a topic or a sender, search for a rarer word, or leave out negated terms';
