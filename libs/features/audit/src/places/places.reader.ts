import { includesId, Slices } from '#kernel';
import { type Collection, where } from '#read-store';
import type { AnswerLog } from '../log/answer-log.js';
import { readAllPages } from '../pages.js';
import type { LogEvent } from '../rows.js';
import { keyOf, partOf, type PlaceRow, subjects, WIDE_PART_SIZE } from './place-row.js';
import { rowsBetween, rowsOf } from './place-rows.js';

/** Rows of wide parts name up to twenty thousand messages each: some hundred kilobytes. */
const WIDE_PAGE = 8;
/** Rows of one read, about a kilobyte each at most. */
const NEWEST_PAGE = 250;
/** Comes after everything that an encoded topic begins with. */
const AFTER_TEXT = '\u007f';
/** Events that are read together: few at first, so that the first line comes soon. */
export const FIRST_BATCH = 16;
export const BATCH = 128;

/** Finds places in the log by what their events are about. */
export class PlacesReader {
  constructor(private readonly places: Collection<PlaceRow>) {}

  /** Rows of a subject in the order of the log, read page by page and in slices. @param after a position */
  of(subject: string, after?: number, limit?: number): AsyncGenerator<PlaceRow, void, void> {
    return rowsOf(this.places, subject, after, limit);
  }

  /** Messages that left topics of a channel, topic by topic. */
  leftChannel(channelId: number): AsyncGenerator<PlaceRow, void, void> {
    const prefix = subjects.left(channelId, '');
    return rowsBetween(this.places, prefix, `${prefix}${AFTER_TEXT}`);
  }

  get(key: string): Promise<PlaceRow | undefined> {
    return this.places.get(key);
  }

  /** Events that name the message among others, in the order of the log. */
  async *naming(messageId: number): AsyncGenerator<PlaceRow, void, void> {
    const few = this.#among(this.of(subjects.messages(partOf(messageId))), messageId);
    const many = this.of(subjects.manyMessages(partOf(messageId, WIDE_PART_SIZE)), 0, WIDE_PAGE);
    let next = await few.next();
    for await (const row of this.#among(many, messageId)) {
      for (; next.done !== true && next.value.position < row.position; next = await few.next()) yield next.value;
      yield row;
    }
    for (; next.done !== true; next = await few.next()) yield next.value;
  }

  async *#among(rows: AsyncIterable<PlaceRow>, messageId: number): AsyncGenerator<PlaceRow, void, void> {
    const slices = new Slices();
    for await (const row of rows) {
      if (includesId(row.ids ?? [], messageId)) yield row;
      if (slices.isOver) await slices.next();
    }
  }

  /** Moves and deletions of one message, in the order of the log. */
  async leavings(messageId: number): Promise<readonly PlaceRow[]> {
    const rows: PlaceRow[] = [];
    for await (const row of this.of(subjects.leaving(messageId))) rows.push(row);
    return rows;
  }

  /** Rows of a subject against the order of the log, read page by page and in slices. */
  async *newest(subject: string): AsyncGenerator<PlaceRow, void, void> {
    const sort = [{ field: '$key', direction: 'descending' }] as const;
    const slices = new Slices();
    for (let below = keyOf(subject, Number.MAX_SAFE_INTEGER, AFTER_TEXT); ;) {
      const range = where.range('$key', { gt: `${subject}@`, lt: below });
      const page = await this.places.find({ where: range, sort, limit: NEWEST_PAGE });
      for (const { doc } of page) yield doc;
      const last = page.at(-1);
      if (last === undefined || page.length < NEWEST_PAGE) return;
      below = String(last.key);
      if (slices.isOver) await slices.next();
    }
  }

  /** The last row of a subject before a position. */
  async before(subject: string, position: number): Promise<PlaceRow | undefined> {
    const range = where.range('$key', { gt: `${subject}@`, lt: keyOf(subject, position) });
    const sort = [{ field: '$key', direction: 'descending' }] as const;
    return (await this.places.find({ where: range, sort, limit: 1 }))[0]?.doc;
  }
}

/** The events at several places, in their order and without damaged ones, read together and in slices. */
async function eventsAt(store: AnswerLog, places: readonly PlaceRow[]): Promise<readonly LogEvent[]> {
  const slices = new Slices();
  const events: LogEvent[] = [];
  const pages = places.map(({ stream, revision }) => ({ stream, from: revision, limit: 1 }));
  let next = 0;
  for await (const read of readAllPages(store, pages)) {
    for (const [event] of read)
      events.push(...[found(store, event, places[next++])].filter((one) => one !== undefined));
    if (slices.isOver) await slices.next();
  }
  return events;
}

/** The events at any number of places, in their order and without damaged ones, read several at a time. */
export async function* eventsInBatches(
  store: AnswerLog,
  places: AsyncIterable<PlaceRow>,
): AsyncGenerator<LogEvent, void, void> {
  let batch: PlaceRow[] = [];
  let size = FIRST_BATCH;
  for await (const place of places) {
    if (batch.push(place) < size) continue;
    yield* await eventsAt(store, batch);
    [batch, size] = [[], BATCH];
  }
  yield* await eventsAt(store, batch);
}

/** The event at a place; undefined when it is damaged. */
export async function eventAt(store: AnswerLog, place: PlaceRow): Promise<LogEvent | undefined> {
  const [event] = await store.readStream(place.stream, { from: place.revision, limit: 1 });
  return found(store, event, place);
}

function found(store: AnswerLog, event: LogEvent | undefined, place: PlaceRow | undefined): LogEvent | undefined {
  if (event !== undefined) return event;
  if (place !== undefined && store.isDamaged(place.stream, place.revision)) return undefined;
  throw new Error(`The log has no event ${place?.revision} in ${place?.stream}, which the audit's index names.`);
}
