import type { EngineStatus, RebuildProgress } from './engine/engine-status.js';

/** What operators ask of the read side, wherever the projections run. */
export abstract class ReadSideOperations {
  /** Where each projection stands. */
  abstract status(): EngineStatus;

  /**
   * Builds a projection again beside the live one, and resolves when the new one is live. Refuses with `NOT_FOUND` when
   * there is no such projection, with `BAD_REQUEST` while it is being rebuilt, with `SERVER_NOT_READY` when it cannot be done now.
   */
  abstract rebuild(name: string): Promise<RebuildProgress>;
}
