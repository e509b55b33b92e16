/**
 * Consistent reads: everything in one reply must be of one log position, as must the queue that continues from it
 * (events.md §1, "Atomicity").
 */
export abstract class StillReads {
  /** Runs reads while no projection and no directory moves. They must be quick: commands wait meanwhile. */
  abstract still<T>(read: () => Promise<T>): Promise<T>;
}
