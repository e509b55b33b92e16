import type { Recorded } from '#event-store';
import type { CollectionSchema, Key, Prune, SavedCheckpoint, Write } from './read-store.js';

/** A document that an event touches. */
export interface Touch {
  readonly key: Key;
  /** The event is the document's first, so there is nothing to load. A promise: never set where a document may exist. */
  readonly fresh?: true;
}

/**
 * A read model: one collection, and a pure function from (document, event) to document (DESIGN, decision 9).
 * The engine gives it batch loading, bulk writing, exactly-once effect, its own checkpoint, lag and rebuild.
 */
export interface Projection<Doc extends object = any> {
  readonly collection: CollectionSchema;
  /** The event types it reads; others pass by. */
  readonly handles: ReadonlySet<string>;
  keys(event: Recorded): readonly Touch[];
  /** The document after the event; undefined for none. It may change and return the document it was given. */
  evolve(doc: Doc | undefined, event: Recorded, key: Key): Doc | undefined;
}

/**
 * A participant of the live loop whose writes follow from the event and from a state that it keeps itself: the directory
 * and the feed. It sees every event, in log order, before the batch is committed, and is told when it is. Followers are
 * called in the order they were given to the engine, one event at a time, so a later one may lean on an earlier one's state.
 */
export interface Follower {
  /** For logs and status. Its checkpoint bears the name of its collection. */
  readonly name: string;
  readonly collection: CollectionSchema;
  /**
   * Restores the state that it keeps beside its collection, once, at start: from its newest snapshot at or before the
   * position `atMost`, and says where that snapshot stands. Undefined when there is none: the whole log is replayed. A
   * follower without this method keeps no such state and sees only the events that its collection lacks.
   */
  restore?(atMost: number): Promise<SavedCheckpoint | undefined>;
  /** Takes the event in. `write` is false while events are replayed only to restore the follower's state. */
  follow(event: Recorded, write: boolean): readonly Write[];
  prunes?(): readonly Prune[];
  /**
   * The batch is committed: what it wrote is visible now. Told of the events that were followed with `write`. The state
   * now stands exactly at `at`: the moment to copy it for a snapshot (saving the copy may take its time).
   */
  committed(events: readonly Recorded[], at: SavedCheckpoint): void;
}
