const RUNS_MAX = 3;

/** The shortest of some runs, in milliseconds: others only add to what it takes. What took no more than `enoughMs` is not run again. */
export function shortestRunMs(work: () => void, enoughMs: number): number {
  let shortest = Infinity;
  for (let run = 0; run < RUNS_MAX && shortest > enoughMs; run++) {
    const started = performance.now();
    work();
    shortest = Math.min(shortest, performance.now() - started);
  }
  return shortest;
}
