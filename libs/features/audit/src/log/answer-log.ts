import {
  type Damage,
  DamagedRecord,
  type EventStore,
  ObservedEventStore,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type StreamPage,
  UnreadableEvent,
} from '#event-store';

/** An answer that lacks more is none: it fails, and `verify` lists the damage. */
const DAMAGES_MAX = 1_000;

interface BoundedRead extends ReadStreamOptions {
  readonly through?: number | undefined;
}

/**
 * The log as one answer reads it: goes on behind damaged records, which the answer names. A read of one event has none when that is
 * damaged; a longer one goes on until it has as many as were asked for.
 */
export class AnswerLog extends ObservedEventStore {
  readonly #damages = new Map<string, Damage>();
  #untold: Damage[] = [];

  constructor(private readonly log: EventStore) {
    super(log, (_, call) => call());
  }

  override get damages(): readonly Damage[] {
    return [...this.#damages.values()];
  }

  /** Damage that was met since the last call. */
  taken(): readonly Damage[] {
    const untold = this.#untold;
    if (untold.length > 0) this.#untold = [];
    return untold;
  }

  isDamaged(stream: string, revision: number): boolean {
    return this.#damages.has(placeOf(stream, revision));
  }

  /** @param options with `through`, the last revision to read where damage makes a page longer */
  override async readStream(stream: string, { through, ...options }: BoundedRead): Promise<readonly RecordedEvent[]> {
    try {
      return await this.log.readStream(stream, options);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return this.#whole(stream, { through, ...options });
    }
  }

  override readAll(options: ReadAllOptions): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    const { streamPrefixes = [''] } = options;
    const onDamage = (damage: Damage): void => {
      const { stream, position, reason } = damage;
      // A record whose stream is not known may be of those.
      if (stream === undefined || streamPrefixes.some((prefix) => stream.startsWith(prefix)))
        this.#note(damage, new DamagedRecord(position, reason));
    };
    return super.readAll({ ...options, onDamage });
  }

  override async readPages(pages: readonly StreamPage[]): Promise<readonly (readonly RecordedEvent[])[]> {
    try {
      return await this.log.readPages(pages);
    } catch (error) {
      if (!isDamage(error)) throw error;
      const [{ stream, ...options } = { stream: '', limit: 0 }, ...others] = pages;
      // The rest is read by the next call.
      if (others.length > 0) return this.readPages(pages.slice(0, Math.ceil(pages.length / 2)));
      return [await this.readStream(stream, options)];
    }
  }

  /** Revision of the last event of a stream, damaged or not; -1 when it has none. */
  async lastRevision(stream: string): Promise<number> {
    try {
      const [last] = await this.log.readStream(stream, { direction: 'backwards', limit: 1 });
      return last?.revision ?? -1;
    } catch (error) {
      if (!isDamage(error)) throw error;
      let [known, beyond] = [0, 1];
      for (; await this.#isThere(stream, beyond); beyond *= 2) {
        // Every revision seems to be there when the end of the stream is what cannot be read.
        if (beyond > Number.MAX_SAFE_INTEGER / 2) throw error;
        known = beyond;
      }
      while (beyond - known > 1) {
        const middle = Math.floor((known + beyond) / 2);
        if (await this.#isThere(stream, middle)) known = middle;
        else beyond = middle;
      }
      return known;
    }
  }

  async #isThere(stream: string, revision: number): Promise<boolean> {
    try {
      return (await this.log.readStream(stream, { from: revision, limit: 1 })).length > 0;
    } catch (error) {
      if (isDamage(error)) return true;
      throw error;
    }
  }

  /** One by one. */
  async #whole(stream: string, { from, direction, limit, through }: BoundedRead): Promise<readonly RecordedEvent[]> {
    const isForwards = direction !== 'backwards';
    const last = Math.min(await this.lastRevision(stream), through ?? Infinity);
    const first = isForwards ? (from ?? 0) : Math.min(from ?? last, last);
    const events: RecordedEvent[] = [];
    for (let revision = first; 0 <= revision && revision <= last && events.length < limit;) {
      events.push(...(await this.#one(stream, revision)));
      if (limit === 1 && from !== undefined) break;
      revision += isForwards ? 1 : -1;
    }
    return events;
  }

  async #one(stream: string, revision: number): Promise<readonly RecordedEvent[]> {
    try {
      return await this.log.readStream(stream, { from: revision, limit: 1 });
    } catch (error) {
      if (!isDamage(error)) throw error;
      const position = error instanceof DamagedRecord ? error.position : 0;
      this.#note({ position, stream, revision, reason: error.reason }, error);
      return [];
    }
  }

  /** @throws the error, for damage beyond the limit */
  #note(damage: Damage, error: Error): void {
    const { stream, revision, position } = damage;
    const place = stream === undefined || revision === undefined ? String(position) : placeOf(stream, revision);
    if (this.#damages.has(place)) return;
    if (this.#damages.size >= DAMAGES_MAX) throw error;
    this.#damages.set(place, damage);
    this.#untold.push(damage);
  }
}

function isDamage(error: unknown): error is DamagedRecord | UnreadableEvent {
  return error instanceof DamagedRecord || error instanceof UnreadableEvent;
}

const placeOf = (stream: string, revision: number): string => `${stream}@${revision}`;
