import { BoundedMap } from '../bounded-map.js';
import { AppendTooLarge, EventStoreUnavailable, type ExpectedRevision, RevisionConflict } from '../event-store.js';
import type { PreparedEvent } from '../prepared-event.js';
import type { Connection } from './connection.js';
import type { Client } from './driver.js';
import type { Health } from './health.js';
import { Pauses, rest } from './patience.js';
import { positionOf, type ProposedEvent, proposed } from './record.js';
import type { ServerReads } from './server-reads.js';
import { findBack, lastRevision, type Stored } from './stream-tail.js';
import { isOwn, NoAnswer, troubleOf } from './trouble.js';

/** What the server is given to answer an append, and the client a little more. */
const ANSWER_LIMIT_MS = 3_000;
const ATTEMPT_LIMIT_MS = 4_000;

const PAUSE_FIRST_MS = 30;
const PAUSE_MAX_MS = 1_000;

/** Ends of streams that are appended to at `any`. One that is forgotten is asked for again. */
const TAILS_MAX = 10_000;

/** The longer ago an end was seen, the more others may have appended since, and the more would be read in search of an append. */
const TAIL_FRESH_MS = 60_000;

/** One append as the server sees it. */
export interface Sending {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly PreparedEvent[];
  /** When to give up, by `performance.now()`. */
  readonly untilMs: number;
}

/** What has been found out about an append on the way. */
interface Course {
  readonly events: readonly ProposedEvent[];
  readonly pauses: Pauses;
  /** Of the stream's last event before the first attempt, where the append is at `any`. */
  before: number | undefined;
  /** An attempt ended without an answer: the events may be stored. */
  isOpen: boolean;
}

/**
 * Sends appends until it knows how they ended. When an answer is lost, an append at an exact revision is repeated as it
 * is: the server knows it by its event ids, also after a restart. It may have forgotten one at `any`; so the end of the
 * stream is searched for the events before they are sent again.
 */
export class Sender {
  readonly #tails = new BoundedMap<string, { readonly revision: number; readonly seenMs: number }>(TAILS_MAX);

  constructor(
    private readonly connection: Connection,
    private readonly namespace: string,
    private readonly reads: ServerReads,
    private readonly health: Health,
    private readonly closing: AbortSignal,
  ) {}

  /** @throws RevisionConflict, AppendTooLarge, EventStoreUnavailable */
  async send(sending: Sending): Promise<Stored> {
    const course: Course = {
      events: sending.events.map(proposed),
      pauses: new Pauses(PAUSE_FIRST_MS, PAUSE_MAX_MS),
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
        await rest(pauseMs, this.closing);
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
    const appending = client.appendToStream(name, [...events], {
      expectedRevision: expected === 'any' ? 'any' : expected === 'none' ? 'no_stream' : BigInt(expected),
      requiresLeader: true,
      deadline: ANSWER_LIMIT_MS,
    });
    try {
      return await withinLimit(appending);
    } catch (error) {
      // The client may still hold what it could not write, and more on top of that would be too much for it.
      if (error instanceof NoAnswer) await this.connection.renew(client);
      throw error;
    }
  }

  /** How long to wait before the next attempt; throws when there is no point in one. */
  #pauseAfter(error: unknown, { stream, expected, untilMs }: Sending, { pauses }: Course): number {
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
        const pauseMs = pauses.next();
        if (!this.closing.aborted && performance.now() + pauseMs < untilMs) return pauseMs;
        throw isUnavailable ? error : this.health.unavailable(error);
      }
    }
  }

  /** Revision of the stream's last event as far as it is known; others may have appended since. */
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

/** The client waits for ever for an answer that does not come. */
async function withinLimit(appending: ReturnType<Client['appendToStream']>): Promise<Awaited<typeof appending>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer()), ATTEMPT_LIMIT_MS);
  });
  try {
    return await Promise.race([appending, late]);
  } finally {
    clearTimeout(timer);
  }
}

function actualRevision(error: unknown): number {
  const { actualVersion } = error as { readonly actualVersion?: unknown };
  return typeof actualVersion === 'bigint' ? Number(actualVersion) : -1;
}
