import type { RecordedEvent } from '#event-store';
import type { Projection, DocumentKey } from '../projection.js';
import type { Collection, Key, Prune, SavedCheckpoint, Write } from '../read-store.js';
import { atEvent, type ParticipantFailed } from './failures.js';

/**
 * Runs one projection over batches of events: `collect` names the documents that a batch needs, `evolve` turns them
 * into writes. Events of one batch that touch the same document see each other's result.
 */
export class ProjectionRunner {
  /** Checkpoint of its collection. */
  saved: SavedCheckpoint | undefined;
  /** Events handled since the start. */
  handled = 0;
  /** Why it does not follow the log any more, if so: its collection ends before the event. */
  failure: ParticipantFailed | undefined;
  readonly #events: RecordedEvent[] = [];
  readonly #touches: (readonly DocumentKey[])[] = [];
  /** Documents that the collected events create. */
  #fresh: ReadonlySet<Key> = NO_FRESH;

  constructor(
    readonly projection: Projection<object>,
    /** The collection to write to: the live one or a shadow. */
    private readonly target: string,
    private readonly collection: Collection<object>,
  ) {}

  get name(): string {
    return this.projection.collection.name;
  }

  get position(): number {
    return this.saved?.position ?? 0;
  }

  /**
   * Collects the events of a batch that are after the checkpoint.
   * @returns keys of the documents to load
   */
  collect(events: readonly RecordedEvent[]): readonly Key[] {
    this.#events.length = 0;
    this.#touches.length = 0;
    this.#fresh = NO_FRESH;
    const { position, projection } = this;
    for (const event of events) {
      if (event.position <= position || !projection.handles.has(event.type)) continue;
      this.#events.push(event);
    }
    if (this.#events.length === 0) return NO_KEYS;
    const fresh = new Set<Key>();
    const keys = new Set<Key>();
    this.#guarded((event) => {
      const touches = projection.keys(event);
      this.#touches.push(touches);
      for (const touch of touches) {
        if (touch.fresh) fresh.add(touch.key);
        else if (!fresh.has(touch.key)) keys.add(touch.key);
      }
    });
    this.#fresh = fresh;
    return keys.size === 0 ? NO_KEYS : [...keys];
  }

  load(keys: readonly Key[]): Promise<ReadonlyMap<Key, object>> {
    return this.collection.getMany(keys);
  }

  /** Ranges of keys that the collected events remove. */
  prunes(): readonly Prune[] {
    const { projection, target } = this;
    if (projection.removes === undefined) return NO_PRUNES;
    const prunes: Prune[] = [];
    this.#guarded((event) => {
      for (const range of projection.removes?.(event) ?? []) prunes.push({ ...range, collection: target });
    });
    return prunes;
  }

  /** Adds the writes that result from the collected events and the loaded documents. */
  evolve(loaded: ReadonlyMap<Key, object>, writes: Write[]): void {
    if (this.#events.length === 0) return;
    const { projection } = this;
    const docs = new Map<Key, object | undefined>();
    this.#guarded((event, index) => {
      for (const { key } of this.#touches[index] ?? []) {
        const doc = docs.get(key) ?? (docs.has(key) ? undefined : loaded.get(key));
        docs.set(key, projection.evolve(doc, event, key));
      }
    });
    for (const [key, doc] of docs) {
      const isFresh = doc !== undefined && this.#fresh.has(key);
      if (isFresh) writes.push({ collection: this.target, key, doc, fresh: true });
      else if (doc !== undefined || loaded.has(key)) writes.push({ collection: this.target, key, doc });
    }
    this.handled += this.#events.length;
  }

  /** Reports a failure together with the event that caused it. */
  #guarded(work: (event: RecordedEvent, index: number) => void): void {
    for (const [index, event] of this.#events.entries())
      atEvent(this.name, event, () => {
        work(event, index);
      });
  }
}

const NO_FRESH: ReadonlySet<Key> = new Set();
const NO_KEYS: readonly Key[] = [];
const NO_PRUNES: readonly Prune[] = [];
export const NO_DOCUMENTS: ReadonlyMap<Key, object> = new Map();
