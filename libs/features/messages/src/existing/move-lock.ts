/**
 * Readers-writer lock between moves (exclusive) and other changes to messages (shared). An event about a message names
 * its place, and another message's stream may record its move: so every change that was decided on a place must be
 * recorded and visible before the next move begins. Changes do not wait for each other. This implementation is for a
 * single process.
 */
export class MoveLock {
  #lastMove: Promise<unknown> = Promise.resolve();
  readonly #changes = new Set<Promise<unknown>>();

  /** Runs the work after the moves requested before. */
  shared<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#lastMove.then(work);
    const settled: Promise<unknown> = result.catch(ignored).finally(() => this.#changes.delete(settled));
    this.#changes.add(settled);
    return result;
  }

  /** Runs the work alone, after everything requested before. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = Promise.all([this.#lastMove, ...this.#changes]);
    const result = before.then(work);
    this.#lastMove = result.catch(ignored);
    return result;
  }

  /**
   * To be called before each event of a change: a move that is not alone any more records nothing.
   * @throws Refusal SERVER_NOT_READY
   */
  assertHeld(): void {
    // A single process is alone until its work has ended.
  }
}

/** Swallows the outcome for the next one in the queue; the caller gets it. */
export function ignored(): undefined {
  return undefined;
}
