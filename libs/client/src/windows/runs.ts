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

/** With the ID in the run that knows about it; unchanged where there is a gap. */
export function inserted(runs: Runs, id: number): Runs {
  return changed(runs, id, (run) => {
    const at = indexOf(run.ids, id);
    return run.ids[at] === id ? run : { ...run, ids: [...run.ids.slice(0, at), id, ...run.ids.slice(at)] };
  });
}

export function deleted(runs: Runs, id: number): Runs {
  return changed(runs, id, (run) => {
    const at = indexOf(run.ids, id);
    return run.ids[at] === id ? { ...run, ids: [...run.ids.slice(0, at), ...run.ids.slice(at + 1)] } : run;
  });
}

/** With a gap at the ID: whether it is in the narrow is not known. */
export function torn(runs: Runs, id: number): Runs {
  const run = runAt(runs, id);
  if (run === undefined) return runs;
  const at = indexOf(run.ids, id);
  const older: Run = { from: run.from, to: id - 1, ids: run.ids.slice(0, at) };
  const newer: Run = { from: id + 1, to: run.to, ids: run.ids.slice(run.ids[at] === id ? at + 1 : at) };
  const parts = [older, newer].filter(({ from, to, ids }) => from <= to && (ids.length > 0 || to === Infinity));
  return runs.flatMap((one) => (one === run ? parts : [one]));
}

function changed(runs: Runs, id: number, change: (run: Run) => Run): Runs {
  const run = runAt(runs, id);
  const next = run && change(run);
  return next === run ? runs : runs.map((one) => (one === run && next !== undefined ? next : one));
}
