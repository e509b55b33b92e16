import type { EngineStatus, RebuildProgress } from './engine/engine-status.js';

/** Operations on the read side for operators, in whichever process the projections run. */
export abstract class ReadSideOperations {
  /** Position and lag of each projection. */
  abstract status(): EngineStatus;

  /**
   * Rebuilds a projection beside the live one, and resolves when the new one is live. Refuses with `NOT_FOUND` for an
   * unknown projection, with `BAD_REQUEST` while it is being rebuilt, with `SERVER_NOT_READY` when it cannot be done
   * now.
   */
  abstract rebuild(name: string): Promise<RebuildProgress>;
}
