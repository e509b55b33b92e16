/** When the read side has caught up (DESIGN, decision 2). */
export abstract class Visibility {
  /** Refuses with `SERVER_NOT_READY` while the read side is stalled, so that nothing is appended that could not be shown. */
  abstract assertAccepting(): void;

  /** Resolves when every projection and the feed have passed the position. Bounded: refuses with `SERVER_NOT_READY`. */
  abstract reached(position: number): Promise<void>;

  /**
   * Resolves when this process shows whatever any process had acknowledged before the call; undefined when it always does.
   * Bounded like `reached`.
   */
  current(): Promise<void> | undefined {
    return undefined;
  }
}
