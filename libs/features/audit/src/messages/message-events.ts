import { type RecordedEvent, streams } from '#event-store';
import { includesId, type Ranges } from '#kernel';
import type { AnswerLog } from '../log/answer-log.js';
import { eventsOf, readAllPages } from '../pages.js';
import { type PlaceRow, subjects } from '../places/place-row.js';
import type { PlacesReader } from '../places/places.reader.js';
import { eventAt } from '../places/places.reader.js';
import { sendsOf, type SentEvent } from './sends.js';

const PAGE = 100;
/** Events of the first pages of streams: few messages have more. */
const BEGINNING = 16;

/** An event of the stream of a message, or of another stream that names it. */
export type StoryEvent = RecordedEvent<object>;

/** The first events of a stream. */
export type Beginning = readonly StoryEvent[];

/** Events of messages, from their streams. */
export class MessageEvents {
  constructor(
    private readonly store: AnswerLog,
    private readonly places: PlacesReader,
  ) {}

  /** The send; undefined for an ID that no message had. */
  async sent(messageId: number): Promise<SentEvent | undefined> {
    const [event] = await this.store.readStream(streams.messages, { from: messageId - 1, limit: 1 });
    return event;
  }

  /** The sends of several messages, by ID. @param messageIds ascending */
  sends(messageIds: readonly number[]): Promise<ReadonlyMap<number, SentEvent>> {
    return sendsOf(this.store, messageIds);
  }

  /**
   * First pages of the messages' own streams, for `changes`: read together, some messages at a time, in the order of the IDs. None is
   * left out.
   */
  async *beginnings(messageIds: readonly number[]): AsyncGenerator<ReadonlyMap<number, Beginning>, void, void> {
    const pages = messageIds.map((id) => ({ stream: streams.message(id), from: 0, limit: BEGINNING }));
    let next = 0;
    for await (const read of readAllPages(this.store, pages))
      yield new Map(read.map((events) => [messageIds[next++] ?? 0, events]));
  }

  /** The message's own stream, as far as its events are about the message. */
  async *own(messageId: number, beginning?: Beginning): AsyncGenerator<StoryEvent, void, void> {
    for await (const event of this.#stream(streams.message(messageId), beginning))
      if (isAbout(event, messageId)) yield event;
  }

  /** Everything that happened to the message after it was sent, and its flags, in the order of the log. */
  async *after(messageId: number): AsyncGenerator<StoryEvent, void, void> {
    const own = this.own(messageId);
    let next = await own.next();
    for await (const place of this.places.naming(messageId)) {
      if (place.stream === streams.message(messageId)) continue;
      for (; next.done !== true && next.value.position < place.position; next = await own.next()) yield next.value;
      const event = await eventAt(this.store, place);
      if (event !== undefined) yield event;
    }
    for (; next.done !== true; next = await own.next()) yield next.value;
  }

  /**
   * What changed the message itself, whose flags and notices are left out: no look through the changes that name many messages.
   * @param leavings where they are known already
   * @param beginning of `beginnings`
   */
  async *changes(
    messageId: number,
    leavings: AsyncIterable<PlaceRow> | readonly PlaceRow[] = this.places.of(subjects.leaving(messageId)),
    beginning?: Beginning,
  ): AsyncGenerator<StoryEvent, void, void> {
    const own = this.own(messageId, beginning);
    let next = await own.next();
    for await (const place of leavings) {
      if (place.stream === streams.message(messageId)) continue;
      for (; next.done !== true && next.value.position < place.position; next = await own.next()) yield next.value;
      const event = await eventAt(this.store, place);
      if (event !== undefined) yield event;
    }
    for (; next.done !== true; next = await own.next()) yield next.value;
  }

  /** Whom the notifier told. */
  async *notices(messageId: number): AsyncGenerator<StoryEvent, void, void> {
    for (let part = 0; ; part++) {
      let isThere = false;
      for await (const event of this.#stream(streams.notice(`m${messageId}-${part}`))) {
        isThere = true;
        yield event;
      }
      if (!isThere) return;
    }
  }

  /** The upload of a file, and its removal. */
  async *file(fileId: number): AsyncGenerator<StoryEvent, void, void> {
    yield* await this.store.readStream(streams.files, { from: fileId - 1, limit: 1 });
    yield* this.#stream(streams.file(fileId));
  }

  async *#stream(stream: string, beginning?: Beginning): AsyncGenerator<StoryEvent, void, void> {
    if (beginning !== undefined) yield* beginning;
    if (beginning !== undefined && beginning.length < BEGINNING) return;
    yield* eventsOf(this.store, stream, PAGE, (beginning?.at(-1)?.revision ?? -1) + 1);
  }
}

/** A move that continues in further events is recorded in the stream of the message that it began with, which is not in them. */
function isAbout({ data: { ids } }: RecordedEvent<{ ids?: Ranges }>, messageId: number): boolean {
  return ids === undefined || includesId(ids, messageId);
}
