/**
 * Counts durations by upper bound, as a histogram needs them. It adds a number to an array and no more: it is called for each
 * request and each call to a store.
 */
export class Durations {
  /** Durations up to each bound and above the one before; the last are those above all bounds. */
  readonly counts: number[];
  sumSeconds = 0;

  constructor(readonly boundsSeconds: readonly number[]) {
    this.counts = [...boundsSeconds, Infinity].map(() => 0);
  }

  add(ms: number): void {
    const { boundsSeconds, counts } = this;
    const seconds = ms / 1000;
    let index = 0;
    while (index < boundsSeconds.length && seconds > (boundsSeconds[index] as number)) index++;
    counts[index] = (counts[index] as number) + 1;
    this.sumSeconds += seconds;
  }
}
