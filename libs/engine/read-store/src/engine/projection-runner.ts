import type { RecordedEvent } from '#event-store';
import type { Projection, DocumentKey } from '../projection.js';
import type { Collection, Key, Prune, SavedCheckpoint, Write } from '../read-store.js';
import { atEvent, type ParticipantFailed } from './failures.js';

const NO_FRESH: ReadonlySet<Key> = new Set();
const NO_KEYS: readonly Key[] = [];
const NO_PRUNES: readonly Prune[] = [];
export const NO_DOCUMENTS: ReadonlyMap<Key, object> = new Map();

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
  #isRemembering = false;
  /** Documents as the last committed batch left them. */
  #recent: ReadonlyMap<Key, object> = NO_DOCUMENTS;
  /** What is remembered once the batch is committed. */
  #evolved: ReadonlyMap<Key, object> | undefined;

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

  async load(keys: readonly Key[]): Promise<ReadonlyMap<Key, object>> {
    const recent = this.#recent;
    // Not used twice: `evolve` may change them, and the batch may fail.
    this.#recent = NO_DOCUMENTS;
    if (recent.size === 0) return this.collection.getMany(keys);
    const unknown = keys.filter((key) => !recent.has(key));
    const loaded = unknown.length === 0 ? new Map<Key, object>() : await this.collection.getMany(unknown);
    for (const key of keys) {
      const doc = recent.get(key);
      if (doc !== undefined) loaded.set(key, doc);
    }
    return loaded;
  }

  /**
   * Keeps the documents of a batch that existed before it, or are looked for, until the next batch has used them: many of a long read
   * are the same ones. Only while nobody else writes or exchanges the collection.
   */
  remember(): void {
    this.#isRemembering = true;
  }

  forget(): void {
    this.#isRemembering = false;
    this.#recent = NO_DOCUMENTS;
    this.#evolved = undefined;
  }

  /** The batch is committed. */
  committed(at: SavedCheckpoint): void {
    this.saved = at;
    if (this.#evolved === undefined) return;
    this.#recent = this.#evolved;
    this.#evolved = undefined;
  }

  /** Ranges of keys that the collected events remove. */
  prunes(): readonly Prune[] {
    const { projection, target } = this;
    if (projection.removes === undefined) return NO_PRUNES;
    const prunes: Prune[] = [];
    this.#guarded((event) => {
      for (const range of projection.removes?.(event) ?? []) prunes.push({ ...range, collection: target });
    });
    if (prunes.length > 0) this.#evolved = NO_DOCUMENTS;
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
    const kept = this.#isRemembering ? new Map<Key, object>() : undefined;
    for (const [key, doc] of docs) {
      const isFresh = doc !== undefined && this.#fresh.has(key);
      if (doc !== undefined && !isFresh) kept?.set(key, doc);
      if (isFresh) writes.push({ collection: this.target, key, doc, fresh: true });
      else if (doc !== undefined || loaded.has(key)) writes.push({ collection: this.target, key, doc });
    }
    this.#evolved = kept;
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
