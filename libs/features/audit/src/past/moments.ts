import { messageIdOf, streams } from '#event-store';
import type { AnswerLog } from '../log/answer-log.js';
import { isEventUpTo, type Moment } from '../moment.js';
import type { LogEvent } from '../rows.js';

/**
 * Of two events of a stream, the later one may tell a time that is earlier by less than this: processes have clocks of their own, and
 * take the time before they append.
 */
export const CLOCKS_APART_SECONDS = 60;
const PAGE = 25;

/** Finds where streams stood at a moment, by halving: some twenty reads of one event each. */
export class Moments {
  constructor(private readonly store: AnswerLog) {}

  /** ID of the last message sent up to the moment; 0 for none. Messages with lower IDs may be later by a little. */
  async lastMessageId(moment: Moment): Promise<number> {
    return messageIdOf(await this.lastRevision(streams.messages, moment));
  }

  /** An ID up to which all messages were sent up to the moment; of those above it, some may have been as well. */
  async messageIdReached(moment: Moment): Promise<number> {
    return messageIdOf(await this.#halved(streams.messages, moved(moment, -CLOCKS_APART_SECONDS)));
  }

  /** Revision of the last event of a stream up to the moment; -1 for none. Those before it may be later by a little. */
  async lastRevision(stream: string, moment: Moment): Promise<number> {
    const reached = await this.#halved(stream, moved(moment, CLOCKS_APART_SECONDS));
    if (moment.kind !== 'time') return reached;
    for (let from = reached; from >= 0; from -= PAGE) {
      const page = (await this.store.readStream(stream, {
        direction: 'backwards',
        from,
        limit: PAGE,
      })) as readonly LogEvent[];
      if (this.store.isDamaged(stream, from)) return from;
      const last = page.find((event) => isEventUpTo(moment, event));
      if (last !== undefined) return last.revision;
    }
    return -1;
  }

  /** The revision where events up to the moment are followed by a later one. */
  async #halved(stream: string, moment: Moment): Promise<number> {
    const last = await this.store.lastRevision(stream);
    if (last < 0 || moment.kind === 'now') return last;
    const end = await this.#wholeFrom(stream, last, last + 1);
    if (end !== undefined && isEventUpTo(moment, end)) return last;
    let [known, beyond] = [-1, last + (end === undefined ? 1 : 0)];
    while (beyond - known > 1) {
      const middle = Math.floor((known + beyond) / 2);
      const event = await this.#wholeFrom(stream, middle, beyond);
      // Whether damaged records before a later event belong to the moment, nothing tells: they are taken to.
      if (event === undefined) return beyond - 1;
      if (isEventUpTo(moment, event)) known = event.revision;
      else beyond = middle;
    }
    return known;
  }

  /** The first event from a revision on and before another one that is not damaged. */
  async #wholeFrom(stream: string, from: number, before: number): Promise<LogEvent | undefined> {
    for (let revision = from; revision < before; revision++) {
      const [event] = (await this.store.readStream(stream, { from: revision, limit: 1 })) as readonly LogEvent[];
      if (event !== undefined) return event;
    }
    return undefined;
  }

  /** Position after which subscriptions and other facts of the organization are later than the moment. */
  async organizationPosition(moment: Moment): Promise<number> {
    if (moment.kind === 'now') return Number.MAX_SAFE_INTEGER;
    if (moment.kind === 'position') return moment.position;
    const revision = await this.lastRevision(streams.organization, moment);
    const [event] = revision < 0 ? [] : await this.store.readStream(streams.organization, { from: revision, limit: 1 });
    return event?.position ?? 0;
  }
}

function moved(moment: Moment, seconds: number): Moment {
  return moment.kind === 'time' ? { kind: 'time', seconds: moment.seconds + seconds } : moment;
}
