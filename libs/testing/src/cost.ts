const RUNS_MAX = 3;
const CALCULATION = { text: 'The quick brown fox. '.repeat(50), steps: 1_000_000 };
const RATIO_LIMIT = 8;
const ATTEMPTS_MAX = 3;
/** What costs no more than this is no danger, and too little to be measured. */
const HARMLESS_COST = 5;
/** What costs as much for the least input is not asked for more. */
const HOPELESS_COST = 100;
/** What costs more than this needs no second look. */
const CERTAIN_COST = 500;

/** Processor time, which other work of the machine does not add to. */
function timeOf(work: () => void): number {
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

/**
 * How often a fixed calculation, of a millisecond or two where we work, could be done in the time that `work` takes: what is slow for a
 * machine is so for both. The shortest of some runs counts, since others only add to what it takes; once it costs no more than `enough`
 * it is not run again.
 */
export function costOf(work: () => void, enough: number): number {
  let [shortest, unit] = [Infinity, Infinity];
  for (let run = 0; run < RUNS_MAX; run++) {
    unit = Math.min(unit, timeOf(calculation));
    shortest = Math.min(shortest, timeOf(work));
    if (shortest <= enough * unit || shortest > CERTAIN_COST * unit) break;
  }
  return shortest / unit;
}

/**
 * Passes when the work for four times the input takes less than eight times as long: linear work takes four times, quadratic work
 * sixteen times as long. @throws Error with the costs of the input once, twice and four times
 */
export function expectProportional(workFor: (times: 1 | 2 | 4) => () => void): void {
  const [once, twice, fourTimes] = [workFor(1), workFor(2), workFor(4)];
  const seen: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const a = costOf(once, 0);
    if (a > HOPELESS_COST) throw new Error(`It costs ${a.toFixed(1)} for the least input.`);
    const [b, c] = [costOf(twice, 0), costOf(fourTimes, HARMLESS_COST)];
    if (c < HARMLESS_COST || c / a < RATIO_LIMIT) return;
    seen.push(`${a.toFixed(1)} → ${b.toFixed(1)} → ${c.toFixed(1)}`);
  }
  throw new Error(`It costs ${seen.join(', ')}.`);
}
