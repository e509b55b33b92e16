import { Refusal } from '#kernel';
import type { EngineStatus, RebuildProgress } from './engine/engine-status.js';

/** Operations on the read side for operators, in whichever process the projections run. */
export abstract class ReadSideOperations {
  /** Position and lag of each projection. */
  abstract status(): EngineStatus;

  /**
   * Rebuilds a projection beside the live one, and resolves when the new one is live. Refuses with `NOT_FOUND` for an
   * unknown projection, with `BAD_REQUEST` for one that is not rebuildable or is being rebuilt, with `SERVER_NOT_READY` when it cannot be done
   * now.
   */
  abstract rebuild(name: string): Promise<RebuildProgress>;
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
