import { type EventStore, messageIdOf, streams } from '#event-store';
import { AnswerLog } from '../log/answer-log.js';
import { isEventUpTo, type Moment } from '../moment.js';
import type { LogEvent } from '../rows.js';

/**
 * Of two events of a stream, the later one may tell a time that is earlier by less than this: processes have clocks of their own, and
 * take the time before they append.
 */
export const CLOCKS_APART_SECONDS = 60;
const PAGE = 25;
/**
 * Events that decide together on which side of a time their place is: the clock of one process may be wrong by a day, and nobody's
 * single event decides.
 */
const JURY = 9;

/**
 * Finds where streams stood at a moment, by halving: some twenty reads of a few events each. Damaged records among those are passed over, and are
 * none of the answer: each call has a view of the log of its own.
 */
export class Moments {
  constructor(private readonly store: EventStore) {}

  /** ID of the last message sent up to the moment; 0 for none. Messages with lower IDs may be later by a little. */
  async lastMessageId(moment: Moment): Promise<number> {
    return messageIdOf(await this.lastRevision(streams.messages, moment));
  }

  /** An ID up to which all messages were sent up to the moment; of those above it, some may have been as well. */
  async messageIdReached(moment: Moment): Promise<number> {
    return messageIdOf(await this.#read(streams.messages).halved(moved(moment, -CLOCKS_APART_SECONDS)));
  }

  /**
   * Revision of the last event of a stream up to the moment; -1 for none. Those before it may be later by a little. Damaged records that
   * follow it count as up to the moment, since their time is unknown.
   */
  async lastRevision(stream: string, moment: Moment): Promise<number> {
    return this.#read(stream).last(moment);
  }

  /** Position after which subscriptions and other facts of the organization are later than the moment. */
  async organizationPosition(moment: Moment): Promise<number> {
    if (moment.kind === 'now') return Number.MAX_SAFE_INTEGER;
    if (moment.kind === 'position') return moment.position;
    return (await this.#read(streams.organization).lastEvent(moment))?.position ?? 0;
  }

  #read(stream: string): StreamMoments {
    return new StreamMoments(new AnswerLog(this.store), stream);
  }
}

/** Where one stream stood at a moment. */
class StreamMoments {
  constructor(
    private readonly log: AnswerLog,
    private readonly stream: string,
  ) {}

  async last(moment: Moment): Promise<number> {
    if (moment.kind === 'now') return this.log.lastRevision(this.stream);
    const whole = moment.kind === 'position' ? await this.halved(moment) : (await this.lastEvent(moment))?.revision;
    let revision = whole ?? -1;
    while (await this.#isDamaged(revision + 1)) revision++;
    return revision;
  }

  /** The last event up to a time that is not damaged. */
  async lastEvent(moment: Moment): Promise<LogEvent | undefined> {
    const reached = await this.halved(moved(moment, CLOCKS_APART_SECONDS));
    // The majority may change a little before or behind the last event that is not later.
    for (let from = Math.min(reached + 2 * JURY, await this.log.lastRevision(this.stream)); from >= 0;) {
      const options = { direction: 'backwards', from, limit: PAGE } as const;
      const page = (await this.log.readStream(this.stream, options)) as readonly LogEvent[];
      const last = page.find((event) => isEventUpTo(moment, event));
      if (last !== undefined) return last;
      from = (page.at(-1)?.revision ?? 0) - 1;
    }
    return undefined;
  }

  /**
   * Revision of the last event with which most of the next few are up to the moment, damaged records left out; -1 when there is none.
   * Where times are in order, all events before it are up to the moment.
   */
  async halved(moment: Moment): Promise<number> {
    const last = await this.log.lastRevision(this.stream);
    if (last < 0 || moment.kind === 'now') return last;
    // All of them, since the last one alone may be the one of a wrong clock.
    const tail = await this.#few(Math.max(0, last - JURY + 1), last);
    if (tail.at(-1)?.revision === last && tail.every((event) => isEventUpTo(moment, event))) return last;
    let [known, beyond] = [-1, last + 1];
    while (beyond - known > 1) {
      const middle = Math.floor((known + beyond) / 2);
      const first = await this.#mostAreUpTo(moment, middle, beyond);
      if (first === undefined) beyond = middle;
      else known = first.revision;
    }
    return known;
  }

  /**
   * The first event from a revision on and before another one that is not damaged, if it and those after it are mostly up to the moment.
   * Positions are always in order.
   */
  async #mostAreUpTo(moment: Moment, from: number, before: number): Promise<LogEvent | undefined> {
    const page = await this.#few(from, before - 1);
    const jury = page.filter(({ revision }) => revision < before).slice(0, moment.kind === 'time' ? JURY : 1);
    const [first] = jury;
    const upTo = jury.filter((event) => isEventUpTo(moment, event)).length;
    // Of as many on both sides, the first one is the nearest.
    const isTie = 2 * upTo === jury.length && first !== undefined && isEventUpTo(moment, first);
    return isTie || 2 * upTo > jury.length ? first : undefined;
  }

  /** The next events from a revision on that are not damaged. */
  async #few(from: number, through: number): Promise<readonly LogEvent[]> {
    return (await this.log.readStream(this.stream, { from, limit: JURY, through })) as readonly LogEvent[];
  }

  async #isDamaged(revision: number): Promise<boolean> {
    await this.#page(revision);
    return this.log.isDamaged(this.stream, revision);
  }

  /** One event, or none where it is damaged. */
  async #page(revision: number): Promise<readonly LogEvent[]> {
    return (await this.log.readStream(this.stream, { from: revision, limit: 1 })) as readonly LogEvent[];
  }
}

function moved(moment: Moment, seconds: number): Moment {
  return moment.kind === 'time' ? { kind: 'time', seconds: moment.seconds + seconds } : moment;
}
