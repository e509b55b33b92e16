import { setImmediate as nextTurn } from 'node:timers/promises';
import { Backoff, sleep } from '#kernel';
import {
  type Damage,
  DamagedRecord,
  EventStoreUnavailable,
  ForeignCheckpoint,
  type RecordedEvent,
} from '../event-store.js';
import { type EventRegistry, UnreadableEvent } from '../registry.js';
import type { DriverRecord, Position } from './driver.js';
import type { Flow } from './flow.js';
import type { Health } from './health.js';
import { placeOf, positionOf, type ResumePoint, toRecorded } from './record.js';
import { type Progress, records, type ServerReads } from './server-reads.js';
import { isOwn, isUnreadablePlace, NoAnswer, troubleOf } from './trouble.js';

const PAUSE_FIRST_MS = 50;
const PAUSE_MAX_MS = 1_000;

/** Timeout of a read of the log that receives nothing. */
const SILENCE_LIMIT_MS = 10_000;

/** Longest delay of a Node timer: 24 days. */
const NO_END_MS = 2 ** 31 - 1;

/** What a reader wants from the log. */
export interface Wanted {
  /** Stream prefixes, with the namespace: the filter on the server. */
  readonly prefixes: readonly string[];
  readonly after: ResumePoint | undefined;
  /** Is told of what cannot be read; without it, reading stops there. */
  readonly onDamage?: ((damage: Damage) => void) | undefined;
}

/** A place in `$all` that moves forwards over the events of this log. */
class Cursor {
  constructor(
    private readonly namespace: string,
    private readonly registry: EventRegistry,
    private readonly prefixes: readonly string[],
    public at: Position | undefined,
    private readonly onDamage?: (damage: Damage) => void,
  ) {}

  /** Moves over events and returns the wanted ones, without those at or before the cursor. */
  take(events: readonly DriverRecord[]): RecordedEvent[] {
    const taken: RecordedEvent[] = [];
    for (const event of events) {
      const place = placeOf(event);
      if (!isAfter(place, this.at)) continue;
      if (this.prefixes.some((prefix) => event.streamId.startsWith(prefix))) {
        const recorded = this.#recorded(event);
        if (recorded !== undefined) taken.push(recorded);
      }
      this.at = place;
    }
    return taken;
  }

  /** Undefined for what cannot be read, when somebody wants to be told. */
  #recorded(event: DriverRecord): RecordedEvent | undefined {
    try {
      return toRecorded(event, this.namespace, this.registry);
    } catch (error) {
      const isDamage = error instanceof DamagedRecord || error instanceof UnreadableEvent;
      if (this.onDamage === undefined || !isDamage) throw error;
      this.onDamage({
        position: positionOf(placeOf(event)),
        stream: event.streamId.slice(this.namespace.length),
        revision: Number(event.revision),
        reason: error.reason,
      });
      return undefined;
    }
  }

  moveTo(place: Position | undefined): void {
    if (place !== undefined && isAfter(place, this.at)) this.at = place;
  }
}

function isAfter(place: Position, other: Position | undefined): boolean {
  if (other === undefined || place.commit > other.commit) return true;
  return place.commit === other.commit && place.prepare > other.prepare;
}

/** Reads and follows the log. After a lost connection it resumes after the last event that was returned. */
export class LogReader {
  constructor(
    private readonly reads: ServerReads,
    private readonly health: Health,
    private readonly namespace: string,
    private readonly registry: EventRegistry,
    private readonly closing: AbortSignal,
  ) {}

  /**
   * Reads the log up to the position of one of its events. It reads everything on the server: the client has no filter
   * here, and reading everything is three times as fast as a filtered subscription. Bounded: fails when the server is
   * unavailable.
   * @throws DamagedRecord, UnreadableEvent, EventStoreUnavailable
   */
  async *upTo(
    head: number,
    { prefixes, after, onDamage }: Wanted,
  ): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    if (after !== undefined) await this.reads.persistently(() => this.#assertSameLog(after));
    const cursor = new Cursor(this.namespace, this.registry, prefixes, after?.at, onDamage);
    const backoff = new Backoff(PAUSE_FIRST_MS, PAUSE_MAX_MS);
    let heardMs = performance.now();
    while (cursor.at === undefined || positionOf(cursor.at) < head) {
      const flow = await this.reads.openAll(cursor.at);
      try {
        for await (const events of this.#batches(flow, SILENCE_LIMIT_MS)) {
          const taken = cursor.take(events).filter(({ position }) => position <= head);
          if (taken.length > 0) yield taken;
          backoff.reset();
          heardMs = performance.now();
          if (cursor.at !== undefined && positionOf(cursor.at) >= head) return;
        }
        throw new NoAnswer();
      } catch (error) {
        this.reads.assertWorthRepeating(error);
        if (performance.now() - heardMs > SILENCE_LIMIT_MS) throw this.health.unavailable(error);
        await sleep(backoff.next(), this.closing);
      } finally {
        flow.close();
      }
    }
  }

  /**
   * Follows the log from a place, without end. Resumes there after an outage of any length.
   * @throws DamagedRecord, UnreadableEvent; EventStoreUnavailable once the store is closed
   */
  async *follow(
    { prefixes, after }: Wanted,
    signal: AbortSignal,
  ): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    const cursor = new Cursor(this.namespace, this.registry, prefixes, after?.at);
    const backoff = new Backoff(PAUSE_FIRST_MS, PAUSE_MAX_MS);
    let isProved = after === undefined;
    const ending = AbortSignal.any([signal, this.closing]);
    // The server rejects a filter without prefixes; here it means that nothing is wanted.
    if (prefixes.length === 0) await sleep(NO_END_MS, ending);
    while (!ending.aborted) {
      try {
        if (after !== undefined && !isProved) await this.#assertSameLog(after);
        isProved = true;
        for await (const taken of this.#subscription(cursor, prefixes, ending)) {
          backoff.reset();
          yield taken;
        }
      } catch (error) {
        if (!isTransient(error)) throw error;
        this.health.suspect();
        await this.health.pause(backoff.next(), ending);
      }
    }
    if (!signal.aborted) throw new EventStoreUnavailable('The event store is closed.');
  }

  /** One subscription, until its connection ends. */
  async *#subscription(
    cursor: Cursor,
    prefixes: readonly string[],
    ending: AbortSignal,
  ): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    const passed: Progress = { at: undefined };
    const flow = await this.reads.openSubscription(prefixes, cursor.at, passed);
    try {
      for (;;) {
        const events = await flow.next(ending);
        if (ending.aborted) return;
        if (events.length === 0) throw new NoAnswer();
        const taken = cursor.take(records(events));
        if (taken.length > 0) yield taken;
        await nextTurn();
      }
    } finally {
      // The filter's progress counts once all events before it have been returned.
      if (flow.isDrained) cursor.moveTo(passed.at);
      flow.close();
    }
  }

  async *#batches(flow: Flow, limitMs: number): AsyncGenerator<readonly DriverRecord[], void, undefined> {
    for (;;) {
      const events = await flow.next(this.closing, limitMs);
      if (events.length === 0) return;
      yield records(events);
      await nextTurn();
    }
  }

  /** @throws ForeignCheckpoint when another event, or none, is at the checkpoint's position */
  async #assertSameLog({ at, id }: ResumePoint): Promise<void> {
    const event = await this.#eventAt(at);
    if (event === undefined || placeOf(event).commit !== at.commit || event.id.toLowerCase() !== id) {
      throw new ForeignCheckpoint(Number(at.commit));
    }
  }

  async #eventAt(at: Position): Promise<DriverRecord | undefined> {
    const options = { direction: 'forwards', maxCount: 1 } as const;
    try {
      return (await this.reads.allPageOnce(at, options))[0];
    } catch (error) {
      if (!isUnreadablePlace(error)) throw error;
      // The server cannot read from the middle of a record. If it is otherwise healthy, that is the cause.
      await this.reads.probe();
      return undefined;
    }
  }
}

/** Whether a retry may help. */
function isTransient(error: unknown): boolean {
  const trouble = troubleOf(error);
  return !isOwn(error) && (trouble === 'lost' || trouble === 'refused');
}
