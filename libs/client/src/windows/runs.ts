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
  return changed(runs, id, ({ run, older, newer, has }) => (has ? run : { ...run, ids: [...older, id, ...newer] }));
}

export function deleted(runs: Runs, id: number): Runs {
  return changed(runs, id, ({ run, older, newer, has }) => (has ? { ...run, ids: [...older, ...newer] } : run));
}

/** With a gap at the ID: whether it is in the narrow is not known. */
export function torn(runs: Runs, id: number): Runs {
  return changed(runs, id, ({ run, older, newer }) =>
    [
      { ...run, to: id - 1, ids: older },
      { ...run, from: id + 1, ids: newer },
    ].filter(({ from, to, ids }) => from <= to && (ids.length > 0 || to === Infinity)),
  );
}

/** A run at an ID that it knows about: the IDs before and after it, and whether it has it. */
interface Cut {
  readonly run: Run;
  readonly older: readonly number[];
  readonly newer: readonly number[];
  readonly has: boolean;
}

function changed(runs: Runs, id: number, change: (cut: Cut) => Run | Runs): Runs {
  const run = runAt(runs, id);
  if (run === undefined) return runs;
  const { ids } = run;
  const at = indexOf(ids, id);
  const has = ids[at] === id;
  const next = change({ run, older: ids.slice(0, at), newer: ids.slice(has ? at + 1 : at), has });
  return next === run ? runs : runs.flatMap((one) => (one === run ? next : one));
}
