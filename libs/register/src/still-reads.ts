/**
 * Reads that belong together. What one request is told must stand for one position of the log, and so must the queue that
 * continues from it (supplement, events.md §1, "Atomicity").
 */
export abstract class StillReads {
  /** Runs this while no projection and no directory moves. It must be quick: commands wait meanwhile. */
  abstract still<T>(read: () => Promise<T>): Promise<T>;
}
