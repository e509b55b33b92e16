import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Appended,
  APPEND_BYTES_MAX,
  AppendTooLarge,
  EventStoreUnavailable,
  type ExpectedRevision,
} from '../event-store.js';
import { bytesOf, type PreparedEvent } from '../prepared-event.js';
import type { Sender } from './sender.js';
import type { Stored } from './stream-tail.js';

/** Maximum appends in flight, which bounds what waits in memory for the socket; see `guardAppends`. */
const IN_FLIGHT_MAX = 15;

/** Limits of the queue: number of waiting appends, and their total size. */
const WAITING_APPENDS_MAX = 8_192;
const WAITING_BYTES_MAX = 64 * 1024 * 1024;

/** Maximum events in one append on the server, so that readers get them in pieces of a good size. */
const GROUP_EVENTS_MAX = 1_000;

/** Timeout of an append, including retries and pauses. */
const APPEND_LIMIT_MS = 10_000;

/** Counters since the start, for metrics. */
export interface AppendCounters {
  /** Appends as the server saw them; each may have served several callers. */
  readonly sent: number;
  readonly events: number;
  /** Callers not yet answered. */
  readonly waiting: number;
}

interface Waiting {
  readonly expected: ExpectedRevision;
  readonly events: readonly PreparedEvent[];
  readonly bytes: number;
  readonly untilMs: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Queue of appends. Appends on one stream run in the order of their calls; those that have queued up at `any` are
 * merged into one. Different streams run in parallel.
 */
export class Appends {
  /** Waiting appends by stream. */
  readonly #lanes = new Map<string, Waiting[]>();
  /** Streams that may be served next. */
  readonly #ready: string[] = [];
  #inFlight = 0;
  #waiting = 0;
  #waitingBytes = 0;
  #sent = 0;
  #events = 0;
  #isPumping = false;
  #isClosed = false;
  #whenIdle: (() => void) | undefined;

  constructor(
    private readonly sender: Pick<Sender, 'send'>,
    private readonly assertReachable: () => void,
  ) {}

  get counters(): AppendCounters {
    return { sent: this.#sent, events: this.#events, waiting: this.#waiting };
  }

  /** @throws RevisionConflict, AppendTooLarge, EventStoreUnavailable */
  async append(stream: string, expected: ExpectedRevision, events: readonly PreparedEvent[]): Promise<Appended> {
    let bytes = 0;
    for (const event of events) bytes += bytesOf(event);
    if (bytes > APPEND_BYTES_MAX) throw new AppendTooLarge(stream);
    this.#assertRoom(bytes);
    this.#waiting += 1;
    this.#waitingBytes += bytes;
    try {
      return await new Promise<Appended>((resolve, reject) => {
        const untilMs = performance.now() + APPEND_LIMIT_MS;
        this.#enqueue(stream, { expected, events, bytes, untilMs, resolve, reject });
      });
    } finally {
      this.#waiting -= 1;
      this.#waitingBytes -= bytes;
      if (this.#waiting === 0) this.#whenIdle?.();
    }
  }

  /** Refuses all waiting appends, so that clients can retry later. Appends in flight run to their end. */
  refuseWaiting(failure: EventStoreUnavailable): void {
    for (const lane of this.#lanes.values()) for (const { reject } of lane.splice(0)) reject(failure);
  }

  /** Stops accepting appends, and resolves when the accepted ones have ended. */
  async finish(): Promise<void> {
    this.#isClosed = true;
    if (this.#waiting > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
  }

  #assertRoom(bytes: number): void {
    if (this.#isClosed) throw new EventStoreUnavailable('The event store is closed.');
    this.assertReachable();
    if (this.#waiting >= WAITING_APPENDS_MAX || this.#waitingBytes + bytes > WAITING_BYTES_MAX) {
      throw new EventStoreUnavailable('Too many appends are waiting for the event store.');
    }
  }

  #enqueue(stream: string, waiting: Waiting): void {
    const lane = this.#lanes.get(stream);
    if (lane !== undefined) {
      lane.push(waiting);
      return;
    }
    this.#lanes.set(stream, [waiting]);
    this.#ready.push(stream);
    void this.#pump();
  }

  /** Starts after the event loop has taken in all requests that have arrived, so that they can be merged. */
  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    await nextTurn();
    this.#isPumping = false;
    while (this.#inFlight < IN_FLIGHT_MAX) {
      const stream = this.#ready.shift();
      if (stream === undefined) return;
      this.#inFlight += 1;
      void this.#serve(stream);
    }
  }

  /** Sends the next group of one stream. */
  async #serve(stream: string): Promise<void> {
    const lane = this.#lanes.get(stream) ?? [];
    const group = lane.splice(0, groupSize(lane));
    await this.#send(stream, group);
    this.#inFlight -= 1;
    if (lane.length > 0) this.#ready.push(stream);
    else this.#lanes.delete(stream);
    void this.#pump();
  }

  async #send(stream: string, group: readonly Waiting[]): Promise<void> {
    const [first] = group;
    if (first === undefined) return;
    try {
      this.assertReachable();
      if (performance.now() > first.untilMs) {
        throw new EventStoreUnavailable('The event store is too slow: an append did not come to its turn in time.');
      }
      const events = group.length === 1 ? first.events : group.flatMap((waiting) => waiting.events);
      this.#sent += 1;
      const stored = await this.sender.send({ stream, expected: first.expected, events, untilMs: first.untilMs });
      this.#events += events.length;
      answer(group, events.length, stored);
    } catch (error) {
      // The server counts sizes slightly differently. Each append that fits is sent alone.
      if (error instanceof AppendTooLarge && group.length > 1) {
        for (const waiting of group) await this.#send(stream, [waiting]);
        return;
      }
      for (const { reject } of group) reject(error);
    }
  }
}

/** Number of waiting appends to merge: as many as are at `any` and fit. */
function groupSize(lane: readonly Waiting[]): number {
  if (lane[0]?.expected !== 'any') return 1;
  let events = 0;
  let bytes = 0;
  let size = 0;
  for (const waiting of lane) {
    events += waiting.events.length;
    bytes += waiting.bytes;
    const fits = events <= GROUP_EVENTS_MAX && bytes <= APPEND_BYTES_MAX;
    if (size > 0 && (waiting.expected !== 'any' || !fits)) return size;
    size += 1;
  }
  return size;
}

function answer(group: readonly Waiting[], count: number, { lastRevision, position, positions }: Stored): void {
  let taken = 0;
  for (const { events, resolve } of group) {
    const firstRevision = lastRevision - count + 1 + taken;
    taken += events.length;
    // The server returns only the position of the last event of the group, which is stored together with the others.
    resolve({
      position: positions?.[taken - 1] ?? position,
      firstRevision,
      lastRevision: firstRevision + events.length - 1,
    });
  }
}
