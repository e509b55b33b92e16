import { BoundedMap, Backoff } from '#kernel';
import { AppendTooLarge, EventStoreUnavailable, type ExpectedRevision, RevisionConflict } from '../event-store.js';
import type { PreparedEvent } from '../prepared-event.js';
import type { Connection } from './connection.js';
import type { Client } from './driver.js';
import type { Health } from './health.js';
import { answerWithin } from './running-time.js';
import { positionOf, type ProposedEvent, proposed } from './record.js';
import type { ServerReads } from './server-reads.js';
import { findBack, lastRevision, type Stored } from './stream-tail.js';
import { isOwn, NoAnswer, troubleOf } from './trouble.js';

/**
 * Timeout of one attempt. A healthy server answers an append sooner. After it the client is abandoned and the leader is
 * searched, a little before the cluster has elected another one, which takes about 2 s.
 */
const SILENCE_LIMIT_MS = 1_750;

/** Deadline after which the server itself refuses an append. It uses its own clock, which may be ahead. */
const EXPIRES_AFTER_MS = 3_000;

/**
 * Timeout of one probe, and their number in a row, together about one attempt. A leader that was elected a moment ago
 * may never answer what reached it before a majority had joined it, so the next probe is sent beside the last one.
 */
const PROBE_LIMIT_MS = 450;
const PROBES = 4;

const PAUSE_FIRST_MS = 30;
const PAUSE_MAX_MS = 1_000;

/** Known ends of streams that are appended to at `any`. A forgotten one is read again. */
const TAILS_MAX = 10_000;

/** The older the known end, the more events may follow it, and the more a search for an append would read. */
const TAIL_FRESH_MS = 60_000;

/** One append as the server sees it. */
export interface Sending {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly PreparedEvent[];
  /** Deadline, by `performance.now()`. */
  readonly untilMs: number;
}

/** State of an append across its attempts. */
interface Course {
  readonly events: readonly ProposedEvent[];
  readonly backoff: Backoff;
  /** Revision of the stream's last event before the first attempt, for an append at `any`. */
  before: number | undefined;
  /** Whether an attempt ended without an answer, so that the events may be stored. */
  isOpen: boolean;
}

/**
 * Sends appends until their outcome is known. After a lost answer, an append at an exact revision is repeated as it is:
 * the server recognises its event ids, even after a restart. It may have forgotten those of an append at `any`; so the
 * end of the stream is searched for the events before they are sent again.
 */
export class Sender {
  #hasAppended = false;
  readonly #tails = new BoundedMap<string, { readonly revision: number; readonly seenMs: number }>(TAILS_MAX);

  constructor(
    private readonly connection: Connection,
    private readonly namespace: string,
    private readonly reads: ServerReads,
    private readonly health: Health,
    private readonly closing: AbortSignal,
  ) {}

  /** Whether an append has succeeded since the start. */
  get hasAppended(): boolean {
    return this.#hasAppended;
  }

  /** @throws RevisionConflict, AppendTooLarge, EventStoreUnavailable */
  async send(sending: Sending): Promise<Stored> {
    const course: Course = {
      events: sending.events.map(proposed),
      backoff: new Backoff(PAUSE_FIRST_MS, PAUSE_MAX_MS),
      before: undefined,
      isOpen: false,
    };
    for (;;) {
      try {
        const stored = await this.#attempt(sending, course);
        if (sending.expected === 'any') this.#remember(this.namespace + sending.stream, stored.lastRevision);
        return stored;
      } catch (error) {
        const pauseMs = this.#pauseAfter(error, sending, course);
        await this.health.pause(pauseMs, this.closing);
        await this.health.reachable(sending.untilMs);
        if (performance.now() >= sending.untilMs) throw this.#given(error);
      }
    }
  }

  /**
   * Probes the server with empty appends, which it accepts and stores nothing of, until it answers one of them.
   * @throws errors of the client
   */
  async probe(stream: string): Promise<void> {
    const { client } = await this.connection.current();
    const asked: Promise<unknown>[] = [];
    for (;;) {
      asked.push(this.#call(client, this.namespace + stream, 'any', []));
      try {
        await answerWithin(PROBE_LIMIT_MS, Promise.race(asked), () => new NoAnswer());
        this.health.heard();
        return;
      } catch (error) {
        if (error instanceof NoAnswer && asked.length < PROBES) continue;
        this.#leaveSilent(client, error);
        throw error;
      }
    }
  }

  async #attempt(sending: Sending, course: Course): Promise<Stored> {
    const name = this.namespace + sending.stream;
    const { events } = course;
    if (sending.expected === 'any') {
      course.before ??= await this.#tailOf(name);
      const found = course.isOpen ? await findBack(this.reads, name, course.before, events) : undefined;
      if (found !== undefined) return found;
    }
    course.isOpen = true;
    const { nextExpectedRevision, position } = await this.#append(name, sending.expected, events);
    const lastRevision = Number(nextExpectedRevision);
    if (position !== undefined) return { lastRevision, position: positionOf(position), positions: undefined };
    const found = await findBack(this.reads, name, lastRevision - events.length, events);
    if (found === undefined) throw new NoAnswer();
    return found;
  }

  async #append(
    name: string,
    expected: ExpectedRevision,
    events: readonly ProposedEvent[],
  ): ReturnType<Client['appendToStream']> {
    const { client } = await this.connection.current();
    try {
      // The client itself has no timeout.
      const appending = this.#call(client, name, expected, events);
      const appended = await answerWithin(SILENCE_LIMIT_MS, appending, () => new NoAnswer());
      this.health.worked();
      this.#hasAppended = true;
      return appended;
    } catch (error) {
      this.#leaveSilent(client, error);
      throw error;
    }
  }

  #call(
    client: Client,
    name: string,
    expected: ExpectedRevision,
    events: readonly ProposedEvent[],
  ): ReturnType<Client['appendToStream']> {
    return client.appendToStream(name, [...events], {
      expectedRevision: expected === 'any' ? 'any' : expected === 'none' ? 'no_stream' : BigInt(expected),
      requiresLeader: true,
      deadline: EXPIRES_AFTER_MS,
    });
  }

  /** The client may still buffer what it could not write; more appends on top would exceed its buffer. */
  #leaveSilent(client: Client, error: unknown): void {
    if (error instanceof NoAnswer && this.connection.leave(client)) this.health.silent(error, 'append');
  }

  /** Returns the pause before the next attempt; throws when a retry is pointless. */
  #pauseAfter(error: unknown, { stream, expected, untilMs }: Sending, { backoff }: Course): number {
    const isUnavailable = error instanceof EventStoreUnavailable;
    if (isOwn(error) && !isUnavailable) throw error;
    switch (troubleOf(error)) {
      case 'conflict':
        throw new RevisionConflict(stream, expected, actualRevision(error));
      case 'too-large':
        throw new AppendTooLarge(stream);
      case 'refused':
        this.health.suspect();
        throw this.health.denied(error);
      case 'malformed':
      case 'deleted':
      case 'missing':
        throw this.health.unavailable(error);
      case 'lost': {
        this.health.suspect();
        const pauseMs = backoff.next();
        if (!this.closing.aborted && performance.now() + pauseMs < untilMs) return pauseMs;
        throw this.#given(error);
      }
    }
  }

  /**
   * Maps an error to the one that callers of the port get. A known failure of the server comes first: calls of a client that
   * was abandoned for it only report a lost connection.
   */
  #given(error: unknown): EventStoreUnavailable {
    return error instanceof EventStoreUnavailable ? error : (this.health.failure ?? this.health.unavailable(error));
  }

  /** Last known revision of the stream; others may have appended since. */
  async #tailOf(name: string): Promise<number> {
    const known = this.#tails.get(name);
    if (known !== undefined && performance.now() - known.seenMs < TAIL_FRESH_MS) return known.revision;
    const revision = await lastRevision(this.reads, name);
    this.#remember(name, revision);
    return revision;
  }

  #remember(name: string, revision: number): void {
    this.#tails.set(name, { revision, seenMs: performance.now() });
  }
}

function actualRevision(error: unknown): number {
  const { actualVersion } = error as { readonly actualVersion?: unknown };
  return typeof actualVersion === 'bigint' ? Number(actualVersion) : -1;
}
