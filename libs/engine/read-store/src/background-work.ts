import type { Intent, ReadSidePass } from './read-side-gate.js';

interface Work extends Pick<Intent, 'removes'> {
  /** For the status. */
  readonly name: string;
  /** What the log says while it fails. */
  readonly complaint: string;
  /** Pause between two turns. */
  readonly everyMs: number;
  /** Pauses after failures grow up to this one; they are like the others without it. */
  readonly retryMaxMs?: number;
  /** The first turn begins at once. */
  readonly isDue?: true;
  /** There is nothing to do at the moment, so no turn begins. */
  readonly isOff?: boolean;
  /** Of several processes, one at a time does it. */
  readonly isExclusive?: true;
}

/**
 * Work beside the requests, in turns. Each begins over a whole read side, or not at all. What cannot be taken back is done after
 * `pass.assertValid()`, which also refuses when another process may be at exclusive work.
 */
export interface GatedWork extends Work {
  /** @param signal aborts when the process ends, and when another process has taken over exclusive work */
  turn(pass: ReadSidePass, signal: AbortSignal): Promise<void>;
}

/** Work that mostly finds nothing to do: it passes the gate itself for what it finds. */
export interface LookingWork extends Work {
  look(signal: AbortSignal): Promise<void>;
  /** Ends what was begun and goes on beside the looks. */
  stop?(): Promise<void>;
}

export type BackgroundWork = GatedWork | LookingWork;
