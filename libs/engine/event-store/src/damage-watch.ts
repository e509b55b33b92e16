import {
  type Appended,
  type Damage,
  DamagedRecord,
  ForeignCheckpoint,
  type EventStore,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type StreamPage,
  type SubscribeOptions,
} from './event-store.js';
import { ObservedEventStore } from './observed-event-store.js';

/** More are for `verify` to list. */
const KNOWN_MAX = 100;

/** A log that remembers what damage its readers have met, and tells of each damaged record once. */
export class DamageWatch extends ObservedEventStore {
  /** By position, or by the place in the stream where that is not known. */
  readonly #met = new Map<number | string, Damage>();

  constructor(
    private readonly watched: EventStore,
    private readonly onDamage: (damage: Damage) => void,
  ) {
    super(watched, (_, call) => call());
  }

  override get damages(): readonly Damage[] {
    return [...this.#met.values()];
  }

  override readStream(stream: string, options: ReadStreamOptions): Promise<readonly RecordedEvent[]> {
    return this.watched.readStream(stream, options).catch((error: unknown) => this.#pass(error, stream));
  }

  override readPages(pages: readonly StreamPage[]): Promise<readonly (readonly RecordedEvent[])[]> {
    return this.watched.readPages(pages).catch((error: unknown) => this.#pass(error));
  }

  override append(...append: Parameters<EventStore['append']>): Promise<Appended> {
    return this.watched.append(...append).catch((error: unknown) => this.#pass(error, append[0]));
  }

  override async *readAll(options: ReadAllOptions): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    yield* this.#watching(this.watched.readAll(options));
  }

  override subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.#watching(this.watched.subscribe(options));
  }

  async *#watching(
    pages: AsyncIterable<readonly RecordedEvent[]>,
  ): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    try {
      yield* pages;
    } catch (error) {
      this.#pass(error);
    }
  }

  #pass(error: unknown, stream?: string): never {
    const isOfRecord = error instanceof DamagedRecord && !(error instanceof ForeignCheckpoint);
    if (isOfRecord) this.#note(error, stream);
    throw error;
  }

  #note({ position, reason, place }: DamagedRecord, stream: string | undefined): void {
    const damage = { position, ...(stream !== undefined && { stream }), ...place, reason };
    const key = position === 0 ? `${damage.stream}@${place.revision}` : position;
    if (this.#met.has(key) || this.#met.size >= KNOWN_MAX) return;
    this.#met.set(key, damage);
    this.onDamage(damage);
  }
}
