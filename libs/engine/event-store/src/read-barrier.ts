/** Waits for the read side to catch up with the log. */
export abstract class ReadBarrier {
  /**
   * Refuses with `SERVER_NOT_READY` while the read side is stalled, so that nothing is appended that could not be
   * shown.
   */
  abstract assertAccepting(): void;

  /** Resolves when every projection and the feed have passed the position. Bounded: refuses with `SERVER_NOT_READY`. */
  abstract waitFor(position: number): Promise<void>;

  /**
   * Resolves when this process shows everything that any process had acknowledged before the call; undefined when it
   * always does. Bounded like `waitFor`.
   */
  sync(): Promise<void> | undefined {
    return undefined;
  }
}
