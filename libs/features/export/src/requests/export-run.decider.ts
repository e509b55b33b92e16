import type { Decider } from '#kernel';
import type { ExportRunEvent } from './export-run.events.js';

/** Lifetime of a process's claim on an export: a busy process renews it in time, and a process that ended does not delay the export for long. */
export const LEASE_SECONDS = 30;
/** An export that ends this many processes, or fails as often, is given up. */
export const RUNS_MAX = 5;

export interface ExportRun {
  /** Identity of the current attempt; '' before the first. */
  readonly run: string;
  readonly runs: number;
  readonly until: number;
}

/** `begin` does nothing while another process is at it, and `go-on` once one has begun meanwhile. */
export interface ExportRunCommand {
  readonly type: 'begin' | 'go-on';
  readonly exportId: number;
  readonly run: string;
  readonly done: number;
  readonly total: number;
  readonly at: number;
}

/** Which process makes an archive: one at a time, by a lease that it renews. */
export const exportRunDecider: Decider<ExportRun, ExportRunCommand, ExportRunEvent> = {
  initial: () => ({ run: '', runs: 0, until: 0 }),
  decide(state, { type, exportId, run, done, total, at }) {
    if (type === 'begin' ? state.until > at : state.run !== run) return [];
    if (type === 'begin' && state.runs >= RUNS_MAX) return [{ type: 'export.given-up.v1', data: { exportId, at } }];
    return [{ type: 'export.running.v1', data: { exportId, run, done, total, until: at + LEASE_SECONDS, at } }];
  },
  evolve(state, event) {
    if (event.type === 'export.given-up.v1') return state;
    const { run, until } = event.data;
    return { run, until, runs: state.run === run ? state.runs : state.runs + 1 };
  },
};
