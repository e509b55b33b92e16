import { firstAtLeast } from '#kernel';

/** A change replaces its run: a longer one costs more to build again, and shorter ones make an answer of more pieces. */
export const CHANGES_PER_RUN = 128;

export interface Change {
  /** An integer. */
  readonly tick: number;
}

/**
 * Changes by ascending tick, in runs of neighbours. Runs are replaced, never mutated, so what is built of a run can be kept
 * by it: a change that comes or goes replaces one run, or two neighbours by one.
 */
export class ChangeRuns<Item extends Change> {
  readonly #runs: (readonly Item[])[] = [];

  /** @param item later than all others */
  add(item: Item): void {
    const last = this.#runs.at(-1);
    if (last === undefined || last.length >= CHANGES_PER_RUN) this.#runs.push([item]);
    else this.#runs[this.#runs.length - 1] = [...last, item];
  }

  delete(item: Item): void {
    const index = this.#indexFrom(item.tick);
    const [before, run, next] = [this.#runs[index - 1], this.#runs[index], this.#runs[index + 1]];
    const rest = run?.filter((other) => other !== item) ?? [];
    const fits = (neighbour: readonly Item[] | undefined): neighbour is readonly Item[] =>
      neighbour !== undefined && neighbour.length + rest.length <= CHANGES_PER_RUN;
    // Any two neighbours are longer than a run may be, so there are never many short runs.
    if (rest.length === 0) this.#runs.splice(index, 1);
    else if (fits(before)) this.#runs.splice(index - 1, 2, [...before, ...rest]);
    else if (fits(next)) this.#runs.splice(index, 2, [...rest, ...next]);
    else this.#runs[index] = rest;
  }

  /** The runs of all changes since the tick, which is included; of the first run only that part. */
  from(tick: number): readonly (readonly Item[])[] {
    const [first, ...later] = this.#runs.slice(this.#indexFrom(tick));
    if (first === undefined) return [];
    const start = first.findIndex((item) => item.tick >= tick);
    return [start === 0 ? first : first.slice(start), ...later];
  }

  /** Index of the first run that does not end before the tick. */
  #indexFrom(tick: number): number {
    return firstAtLeast(this.#runs, tick, (run) => run.at(-1)?.tick ?? Infinity);
  }
}
