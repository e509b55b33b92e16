/**
 * Lets moves and other changes to messages take turns. A fact about a message names where it stands, and another message's
 * stream may tell that it moved: so whatever is decided on a place is recorded and visible before the next move begins.
 * Changes that move nothing do not wait for each other. This one is for a process on its own.
 */
export class MoveTurns {
  #lastMove: Promise<unknown> = Promise.resolve();
  readonly #changes = new Set<Promise<unknown>>();

  /** Does the work when the moves asked for before are done. */
  change<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#lastMove.then(work);
    const settled: Promise<unknown> = result.catch(ignored).finally(() => this.#changes.delete(settled));
    this.#changes.add(settled);
    return result;
  }

  /** Does the work alone, when everything asked for before is done. */
  move<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = Promise.all([this.#lastMove, ...this.#changes]);
    const result = before.then(work);
    this.#lastMove = result.catch(ignored);
    return result;
  }
}

/** The next in turn does not care how this one ended; its caller does. */
export function ignored(): undefined {
  return undefined;
}
