const RUNS_MAX = 3;
const CALCULATION = { text: 'The quick brown fox. '.repeat(50), steps: 1_000_000 };
const RATIO_LIMIT = 8;
const ATTEMPTS_MAX = 3;
/** A cost up to this is harmless, and too small to be measured. */
const HARMLESS_COST = 5;
/** Work that costs this much for the smallest input is not run with larger ones. */
const HOPELESS_COST = 100;
/** A cost above this needs no second measurement. */
const CERTAIN_COST = 500;

/** Processor time, which other processes do not affect. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function calculation(): void {
  const { text, steps } = CALCULATION;
  let hash = 0;
  for (let step = 0; step < steps; step++) hash = (hash * 31 + text.charCodeAt(step % text.length)) | 0;
  if (!Number.isInteger(hash)) throw new Error('It has been left out.');
}

interface Costs {
  /**
   * Cost of `work` as a multiple of a fixed calculation, which takes a millisecond or two on a developer's machine and
   * scales with the machine. When it seems to cost more than `enough`, both run again: the shortest of some runs counts,
   * since interference only adds time.
   */
  costOf: (work: () => void, enough: number) => number;
  /**
   * Passes when the work for four times the input takes less than eight times as long: linear work takes four times,
   * quadratic work sixteen times as long.
   * @throws Error with the costs of the input once, twice and four times
   */
  expectProportional: (workFor: (times: 1 | 2 | 4) => () => void) => void;
}

/** @param timeOf runs the work, and answers how long it took */
export function costsBy(timeOf: (work: () => void) => number): Costs {
  let usual: number | undefined;

  /** Usual time of the calculation in this process. */
  function usualUnit(): number {
    usual ??= Math.min(...Array.from({ length: RUNS_MAX }, () => timeOf(calculation)));
    return usual;
  }

  function costOf(work: () => void, enough: number): number {
    let unit = usualUnit();
    let shortest = timeOf(work);
    if (shortest <= enough * unit) return shortest / unit;
    unit = timeOf(calculation);
    for (let run = 1; run < RUNS_MAX && shortest > enough * unit && shortest <= CERTAIN_COST * unit; run++) {
      shortest = Math.min(shortest, timeOf(work));
      unit = Math.min(unit, timeOf(calculation));
    }
    return shortest / unit;
  }

  function expectProportional(workFor: (times: 1 | 2 | 4) => () => void): void {
    const [once, twice, fourTimes] = [workFor(1), workFor(2), workFor(4)];
    const seen: string[] = [];
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const least = costOf(once, HOPELESS_COST);
      if (least > HOPELESS_COST) throw new Error(`It costs ${least.toFixed(1)} for the least input.`);
      const c = costOf(fourTimes, HARMLESS_COST);
      if (c < HARMLESS_COST) return;
      const a = costOf(once, 0);
      if (c / a < RATIO_LIMIT) return;
      seen.push([a, costOf(twice, 0), c].map((cost) => cost.toFixed(1)).join(' → '));
    }
    throw new Error(`It costs ${seen.join(', ')}.`);
  }

  return { costOf, expectProportional };
}

export const { costOf, expectProportional } = costsBy(processorTime);
