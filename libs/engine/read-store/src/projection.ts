import type { RecordedEvent, RecordedOf } from '#event-store';
import type { CollectionSchema, Key, KeyRange, Prune, SavedCheckpoint, Write } from './read-store.js';

/** A document that an event touches. */
export interface DocumentKey {
  readonly key: Key;
  /** The event creates the document, so there is nothing to load. A promise: never set where a document may exist. */
  readonly fresh?: true;
}

/**
 * A read model: one collection, and a pure function from (document, event) to document. The engine adds batch loading,
 * bulk writing, exactly-once effect, a checkpoint, lag and rebuild.
 */
export interface Projection<Doc extends object = any> {
  readonly collection: CollectionSchema;
  /** Event types that it reads; others are skipped. */
  readonly handles: ReadonlySet<string>;
  keys(event: RecordedEvent): readonly DocumentKey[];
  /**
   * Ranges of keys whose documents the event removes, for documents that it cannot name one by one. A promise: no later event
   * touches a key in them.
   */
  removes?(event: RecordedEvent): readonly KeyRange[];
  /** The document after the event; undefined for none. It may mutate and return the given document. */
  evolve(doc: Doc | undefined, event: RecordedEvent, key: Key): Doc | undefined;
}

/** A projection's handler for events of one type. */
export interface ProjectionHandler<Doc, Event> {
  /** Keys of the documents that the event changes; none when absent. */
  readonly keys?: (event: Event) => readonly Key[];
  /** The event creates these documents, so none is loaded. A promise: never set where a document may exist. */
  readonly creates?: true;
  /** As `Projection.removes`. */
  readonly removes?: (event: Event) => readonly KeyRange[];
  /** The document after the event; undefined for none, and when absent. It may mutate and return the given document. */
  readonly evolve?: (doc: Doc | undefined, event: Event, key: Key) => Doc | undefined;
}

/**
 * Makes a projection from one handler per event type: the map is the list of what the projection reads. Events are
 * typed by their schemas, and a type of the union without a handler does not compile.
 */
export function projection<Doc extends object, Event extends { readonly type: string; readonly data: object }>(
  collection: CollectionSchema,
  on: {
    readonly [Type in Event['type']]: ProjectionHandler<Doc, RecordedOf<Extract<Event, { readonly type: Type }>>>;
  },
): Projection<Doc> {
  const handlers = new Map<string, ProjectionHandler<Doc, RecordedEvent>>(Object.entries(on));
  const removes = (event: RecordedEvent): readonly KeyRange[] => handlers.get(event.type)?.removes?.(event) ?? [];
  return {
    collection,
    handles: new Set(handlers.keys()),
    keys(event) {
      const handler = handlers.get(event.type);
      const keys = handler?.keys?.(event) ?? [];
      return handler?.creates === true ? keys.map((key) => ({ key, fresh: true })) : keys.map((key) => ({ key }));
    },
    evolve: (doc, event, key) => handlers.get(event.type)?.evolve?.(doc, event, key),
    ...([...handlers.values()].some((handler) => handler.removes !== undefined) ? { removes } : {}),
  };
}

/**
 * A participant of the live loop whose writes depend on the event and on its own state: the directory and the feed. It
 * receives every event, in log order, before the batch is committed, and is notified of the commit. Followers are
 * called in the order in which the engine was given them, one event at a time, so a later one may use an earlier one's
 * state.
 */
export interface Follower {
  /** For logs and status. Its checkpoint has the name of its collection. */
  readonly name: string;
  readonly collection: CollectionSchema;
  /**
   * Restores the state kept beside its collection, once, at start, from its newest snapshot at or before the position
   * `atMost`.
   * @returns the checkpoint of that snapshot; undefined when there is none, and the whole log is replayed. A follower
   * without this method keeps no such state and receives only the events that its collection lacks.
   */
  restore?(atMost: number): Promise<SavedCheckpoint | undefined>;
  /**
   * Called instead of `restore` when the state was restored, and has followed the log, while another process wrote: the collection is
   * at the position `atMost`, and its writer from now on is this process.
   */
  resume?(atMost: number): Promise<void>;
  /** Applies the event. `write` is false while events are replayed only to restore the follower's state. */
  follow(event: RecordedEvent, write: boolean): readonly Write[];
  prunes?(): readonly Prune[];
  /**
   * Called after the batch is committed and its writes are visible, with the events that were followed with `write`.
   * The state is now exactly at `at`: the moment to copy it for a snapshot (saving the copy may take longer).
   */
  committed(events: readonly RecordedEvent[], at: SavedCheckpoint): void;
}
