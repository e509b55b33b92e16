import { indexOf } from '../core/ordered.js';

/**
 * A stretch of a narrow that is known whole: of all IDs from `from` to `to`, these are in the narrow. `from` is 0 at the oldest
 * message, and `to` is Infinity at the newest.
 */
export interface Run {
  readonly from: number;
  readonly to: number;
  /** Ascending. */
  readonly ids: readonly number[];
}

/** Disjoint, ascending. Between two of them is a gap. */
export type Runs = readonly Run[];

/** What is known together with another stretch, which is newer knowledge where both know. */
export function merged(runs: Runs, run: Run): Runs {
  const touching = runs.filter(({ from, to }) => to >= run.from && from <= run.to);
  const before = touching.flatMap(({ ids }) => ids.slice(0, indexOf(ids, run.from)));
  const after = touching.flatMap(({ ids }) => ids.slice(indexOf(ids, run.to + 1)));
  const whole: Run = {
    from: Math.min(run.from, touching[0]?.from ?? run.from),
    to: Math.max(run.to, touching.at(-1)?.to ?? run.to),
    ids: [...before, ...run.ids, ...after],
  };
  const others = runs.filter((one) => !touching.includes(one));
  return [...others, whole].sort((a, b) => a.from - b.from);
}

/** The run that knows about this ID. */
export function runAt(runs: Runs, id: number): Run | undefined {
  return runs.find(({ from, to }) => from <= id && id <= to);
}

/**
 * With the ID in the run that knows about it, or not; unchanged where there is a gap.
 * @param isIn undefined where it is not known, which makes a gap
 */
export function placed(runs: Runs, id: number, isIn: boolean | undefined): Runs {
  const run = runAt(runs, id);
  if (run === undefined) return runs;
  const { ids } = run;
  const at = indexOf(ids, id);
  const has = ids[at] === id;
  if (has === isIn) return runs;
  const older = ids.slice(0, at);
  const newer = ids.slice(has ? at + 1 : at);
  const next =
    isIn === undefined
      ? [
          { ...run, to: id - 1, ids: older },
          { ...run, from: id + 1, ids: newer },
        ].filter((one) => one.from <= one.to && (one.ids.length > 0 || one.to === Infinity))
      : { ...run, ids: isIn ? [...older, id, ...newer] : [...older, ...newer] };
  return runs.flatMap((one) => (one === run ? next : one));
}
