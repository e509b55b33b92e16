import { Refusal } from '#kernel';
import type { EngineStatus, RebuildProgress } from './engine/engine-status.js';
import type { Undone } from './engine/former-builds.js';
import type { Compared } from './engine/rebuild-run.js';
import type { LeftOver } from './read-store.js';

/** The outcome of a rebuild: each projection, with its `failure` when the old collection stays live. */
export type Rebuilt = readonly RebuildProgress[];

/** Collections that other releases kept, and this one does not. */
export interface LeftOvers {
  readonly collections: readonly LeftOver[];
  /** Why none of them may be removed now, if so. */
  readonly keptBecause?: string;
}

/** Operations on the read side for operators, in whichever process the projections run. */
export abstract class ReadSideOperations {
  /** Position and lag of each projection. */
  abstract status(): EngineStatus;

  /**
   * Rebuilds projections beside the live ones, in one pass over the log, and resolves when the new ones are live. Refuses with
   * `NOT_FOUND` for an unknown projection, with `BAD_REQUEST` for one that is not rebuildable or is being rebuilt, and when it is
   * cancelled, with `SERVER_NOT_READY` when it cannot be done now.
   * @param names without them, all projections
   */
  abstract rebuild(names?: readonly string[]): Promise<Rebuilt>;

  /**
   * Builds a projection anew and compares it with the live one, which stays. Refuses as `rebuild`; the failure of the projection is one
   * of this call.
   */
  abstract compare(name: string): Promise<Compared>;

  /**
   * Puts the build that the last rebuild has replaced in its place again, up to date, within a second where it is not far behind; the
   * other one is kept instead. Refuses as `rebuild`, and with `BAD_REQUEST` when none is kept or it fails on an event that arrived since.
   */
  abstract undo(name: string): Promise<Undone>;

  /** Ends all rebuilds; the old collections stay live. @returns the names of those that were being rebuilt */
  abstract cancelRebuilds(): Promise<readonly string[]>;

  /**
   * Removes the collections that other releases kept, or only says which. Refuses with `BAD_REQUEST` while another release may still read
   * them, with `SERVER_NOT_READY` when it cannot be done now.
   */
  abstract removeLeftOvers(isDryRun: boolean): Promise<LeftOvers>;
}

/** Why a rebuild of what is no projection is refused. */
export function cannotRebuild(name: string, known: readonly { readonly name: string }[]): Refusal {
  if (known.every((participant) => participant.name !== name))
    return new Refusal('NOT_FOUND', `There is no projection '${name}'.`);
  return new Refusal(
    'BAD_REQUEST',
    `'${name}' cannot be rebuilt beside the live one, since clients are in the midst of it: remove the read models while the server is stopped.`,
  );
}
