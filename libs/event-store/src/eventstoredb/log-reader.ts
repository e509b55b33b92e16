import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventStoreUnavailable, type Recorded } from '../event-store.js';
import type { EventRegistry } from '../registry.js';
import type { DriverRecord, Position } from './driver.js';
import type { Flow } from './flow.js';
import type { Health } from './health.js';
import { Pauses, rest } from './patience.js';
import { anotherLog, placeOf, positionOf, type ResumePoint, toRecorded } from './record.js';
import { type Progress, records, type ServerReads } from './server-reads.js';
import { isOwn, isUnreadablePlace, NoAnswer, troubleOf } from './trouble.js';

const PAUSE_FIRST_MS = 50;
const PAUSE_MAX_MS = 1_000;

/** A read of the log that has got nothing for so long gives up. */
const SILENCE_LIMIT_MS = 10_000;

/** The longest that a timer can be set to: 24 days. */
const NO_END_MS = 2 ** 31 - 1;

/** What a reader wants of the log. */
export interface Wanted {
  /** With the namespace: what the server filters by. */
  readonly prefixes: readonly string[];
  readonly after: ResumePoint | undefined;
}

/** A place in `$all` that moves forwards, event by event of ours. */
class Cursor {
  constructor(
    private readonly namespace: string,
    private readonly registry: EventRegistry,
    private readonly prefixes: readonly string[],
    public at: Position | undefined,
  ) {}

  /** Moves over events, and gives back the wanted ones. Those that it stands at or behind already are left out. */
  take(events: readonly DriverRecord[]): Recorded[] {
    const taken: Recorded[] = [];
    for (const event of events) {
      const place = placeOf(event);
      if (!isAfter(place, this.at)) continue;
      if (this.prefixes.some((prefix) => event.streamId.startsWith(prefix))) {
        taken.push(toRecorded(event, this.namespace, this.registry));
      }
      this.at = place;
    }
    return taken;
  }

  moveTo(place: Position | undefined): void {
    if (place !== undefined && isAfter(place, this.at)) this.at = place;
  }
}

function isAfter(place: Position, other: Position | undefined): boolean {
  if (other === undefined || place.commit > other.commit) return true;
  return place.commit === other.commit && place.prepare > other.prepare;
}

/** Reads and follows the log. What a connection lost on the way is asked for again from the last event that was given. */
export class LogReader {
  constructor(
    private readonly reads: ServerReads,
    private readonly health: Health,
    private readonly namespace: string,
    private readonly registry: EventRegistry,
    private readonly closing: AbortSignal,
  ) {}

  /**
   * The log up to a position, which is that of an event of ours. It reads all there is on the server: the client asks for
   * no filter here, and reading everything is three times as fast as a subscription with one. Bounded: gives up when the
   * server is away. @throws DamagedRecord, UnreadableEvent, EventStoreUnavailable
   */
  async *upTo(head: number, { prefixes, after }: Wanted): AsyncGenerator<readonly Recorded[], void, undefined> {
    if (after !== undefined) await this.reads.persistently(() => this.#assertSameLog(after));
    const cursor = new Cursor(this.namespace, this.registry, prefixes, after?.at);
    const pauses = new Pauses(PAUSE_FIRST_MS, PAUSE_MAX_MS);
    let heardMs = performance.now();
    while (cursor.at === undefined || positionOf(cursor.at) < head) {
      const flow = await this.reads.openAll(cursor.at);
      try {
        for await (const events of this.#batches(flow, SILENCE_LIMIT_MS)) {
          const taken = cursor.take(events).filter(({ position }) => position <= head);
          if (taken.length > 0) yield taken;
          pauses.reset();
          heardMs = performance.now();
          if (cursor.at !== undefined && positionOf(cursor.at) >= head) return;
        }
        throw new NoAnswer();
      } catch (error) {
        this.reads.assertWorthRepeating(error);
        if (performance.now() - heardMs > SILENCE_LIMIT_MS) throw this.health.unavailable(error);
        await rest(pauses.next(), this.closing);
      } finally {
        flow.close();
      }
    }
  }

  /**
   * The log from a place onwards, without end. However long the server is away, it goes on from there once it is back.
   * @throws DamagedRecord, UnreadableEvent; EventStoreUnavailable once the store is closed
   */
  async *follow(
    { prefixes, after }: Wanted,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Recorded[], void, undefined> {
    const cursor = new Cursor(this.namespace, this.registry, prefixes, after?.at);
    const pauses = new Pauses(PAUSE_FIRST_MS, PAUSE_MAX_MS);
    let isProved = after === undefined;
    const ending = AbortSignal.any([signal, this.closing]);
    // A server takes a filter without prefixes for a mistake; ours is that nothing is wanted.
    if (prefixes.length === 0) await rest(NO_END_MS, ending);
    while (!ending.aborted) {
      try {
        if (after !== undefined && !isProved) await this.#assertSameLog(after);
        isProved = true;
        for await (const taken of this.#subscription(cursor, prefixes, ending)) {
          pauses.reset();
          yield taken;
        }
      } catch (error) {
        if (!isTransient(error)) throw error;
        this.health.suspect();
        await rest(pauses.next(), ending);
      }
    }
    if (!signal.aborted) throw new EventStoreUnavailable('The event store is closed.');
  }

  /** One subscription, for as long as its connection lasts. */
  async *#subscription(
    cursor: Cursor,
    prefixes: readonly string[],
    ending: AbortSignal,
  ): AsyncGenerator<readonly Recorded[], void, undefined> {
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
      // What the filter has passed over counts once everything before it has been given.
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

  /** @throws DamagedRecord when another event, or none, stands where the checkpoint was made */
  async #assertSameLog({ at, id }: ResumePoint): Promise<void> {
    const event = await this.#eventAt(at);
    if (event === undefined || placeOf(event).commit !== at.commit || event.id.toLowerCase() !== id) {
      throw anotherLog(Number(at.commit));
    }
  }

  async #eventAt(at: Position): Promise<DriverRecord | undefined> {
    const options = { direction: 'forwards', maxCount: 1 } as const;
    try {
      return (await this.reads.allPageOnce(at, options))[0];
    } catch (error) {
      if (!isUnreadablePlace(error)) throw error;
      // In the middle of a record a server cannot read. If it is well otherwise, that is what it means.
      await this.reads.probe();
      return undefined;
    }
  }
}

/** Whether asking again may help. */
function isTransient(error: unknown): boolean {
  const trouble = troubleOf(error);
  return !isOwn(error) && (trouble === 'lost' || trouble === 'refused');
}
