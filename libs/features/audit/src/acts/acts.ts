import { parseOrigin } from '#event-store';
import { Slices } from '#kernel';
import type { MessagesReader } from '#messages';
import { placeOf } from '#messages';
import type { Directory } from '#people';
import { where } from '#read-store';
import type { UsesNoted } from '#uses';
import type { AnswerLog } from '../log/answer-log.js';
import type { MessageEvents } from '../messages/message-events.js';
import type { SentEvent } from '../messages/sends.js';
import { isWithin, type Period } from '../moment.js';
import { recordedRow } from '../organization/recorded.js';
import type { Moments } from '../past/moments.js';
import { BATCH, eventsInBatches, FIRST_BATCH } from '../places/places.reader.js';
import { type LogEvent, type Row, rowOf } from '../rows.js';
import type { DeletionsReader } from '../search/deletions.reader.js';
import { wireContent, wirePlace } from '../wire.js';
import { whoIs, type Who } from './acts.projection.js';
import type { ActsReader } from './acts.reader.js';
import { useRow } from './use-row.js';

/**
 * Everything that a person, a bot or the operator did: sends by the index of senders, other acts by rows of their own, in the order
 * of the log. Sends of messages that were deleted since come last, because only the log tells who sent them.
 */
export class Acts {
  constructor(
    private readonly directory: Directory,
    private readonly store: AnswerLog,
    private readonly messages: MessagesReader,
    private readonly events: MessageEvents,
    private readonly acts: ActsReader,
    private readonly deletions: DeletionsReader,
    private readonly moments: Moments,
  ) {}

  async *rows(who: Who, period: Period): AsyncGenerator<Row, void, void> {
    const ids = typeof who === 'number' ? await this.#idsIn(period) : undefined;
    for await (const row of this.#all(who, ids, period)) if (isWithin(period, row)) yield row;
  }

  async *#all(who: Who, ids: Ids | undefined, period: Period): AsyncGenerator<Row, void, void> {
    const sends = this.#sends(who, ids);
    let next = await sends.next();
    for await (const event of this.#others(who, period)) {
      for (; next.done !== true && next.value.position < event.position; next = await sends.next())
        yield this.#sent(next.value);
      yield* this.#told(who, event);
    }
    for (; next.done !== true; next = await sends.next()) yield this.#sent(next.value);
    for await (const event of this.#deleted(who, ids)) yield this.#sent(event, { is_deleted: true });
  }

  /** Messages among which are all that were sent in the period. */
  async #idsIn({ after, upTo }: Period): Promise<Ids> {
    const last = await Promise.all(upTo.map((moment) => this.moments.lastMessageId(moment)));
    return {
      after: after === undefined ? 0 : await this.moments.messageIdReached(after),
      last: Math.min(...last, Number.MAX_SAFE_INTEGER),
    };
  }

  /** Sends of messages that are there. */
  async *#sends(who: Who, ids: Ids | undefined): AsyncGenerator<SentEvent, void, void> {
    if (ids === undefined || typeof who !== 'number') return;
    const slices = new Slices();
    let size = FIRST_BATCH;
    for (let { after } = ids; ;) {
      const range = where.range('$key', { gt: after, lte: ids.last });
      const page = await this.messages.findIds(where.and(where.eq('senderId', who), range), 'ascending', size);
      for (const event of (await this.events.sends(page)).values()) yield event;
      const last = page.at(-1);
      if (last === undefined || page.length < size) return;
      [after, size] = [last, BATCH];
      if (slices.isOver) await slices.next();
    }
  }

  /** Sends of messages that were deleted since. */
  async *#deleted(who: Who, ids: Ids | undefined): AsyncGenerator<SentEvent, void, void> {
    if (ids === undefined) return;
    const slices = new Slices();
    for await (const page of this.deletions.ids(ids.after, ids.last))
      for (let from = 0; from < page.length; from += BATCH) {
        const sends = await this.events.sends(page.slice(from, from + BATCH));
        for (const event of sends.values()) if (event.data.senderId === who) yield event;
        if (slices.isOver) await slices.next();
      }
  }

  /** Events of other acts. */
  #others(who: Who, period: Period): AsyncGenerator<LogEvent, void, void> {
    return eventsInBatches(this.store, this.acts.of(who, period));
  }

  #sent(event: SentEvent, more: object = {}): Row {
    const { senderId: _, at: __, client: ___, ...data } = event.data;
    return rowOf(this.directory, event, 'sent', {
      message_id: event.revision + 1,
      place: wirePlace(this.directory, placeOf(data)),
      ...wireContent(event.data),
      ...more,
    });
  }

  *#told(who: Who, event: LogEvent): Generator<Row, void, void> {
    if (event.type !== 'uses.noted.v1') {
      yield { ...recordedRow(this.directory, event, { act: event.type.replace(/\.v\d+$/, '') }), type: 'did' };
      return;
    }
    for (const use of (event.data as UsesNoted['data']).uses)
      if (whoIs(parseOrigin(use.o)).includes(who)) yield useRow(this.directory, event, use);
  }
}

/** Message IDs above `after` and up to `last`. */
interface Ids {
  readonly after: number;
  readonly last: number;
}
