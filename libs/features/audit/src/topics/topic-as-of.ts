import { Injectable } from '@nestjs/common';
import { EventStore } from '#event-store';
import { Slices } from '#kernel';
import {
  type ContentEdit,
  inTopic,
  type MessageEdited,
  type MessagesMoved,
  MessagesReader,
  topicKeyOf,
} from '#messages';
import { Directory } from '#organization';
import { where } from '#read-store';
import { MessageEvents, type SentEvent } from '../messages/message-events.js';
import { isEventUpTo, isUpTo, type Moment } from '../moment.js';
import { Moments } from '../past/moments.js';
import { type PlaceRow, subjects } from '../places/place-row.js';
import { eventAt, PlacesReader } from '../places/places.reader.js';
import { type Row, rowOf } from '../rows.js';
import { wireContent, wireUser } from '../wire.js';

const PAGE = 100;

/**
 * A topic as it read at a moment: messages that are in it now and were then, and those that have left it since, by a move or a
 * deletion. What they were in is known from what they left first after the moment.
 */
@Injectable()
export class TopicAsOf {
  constructor(
    private readonly directory: Directory,
    private readonly store: EventStore,
    private readonly reader: MessagesReader,
    private readonly places: PlacesReader,
    private readonly events: MessageEvents,
    private readonly moments: Moments,
  ) {}

  /** Messages in the order of their IDs. */
  async *rows(channelId: number, topic: string, moment: Moment): AsyncGenerator<Row, void, void> {
    const lastId = await this.moments.lastMessageId(moment);
    const topicKey = topicKeyOf(topic);
    const gone = await this.#leftSince(channelId, topicKey, moment, lastId);
    let next = 0;
    for await (const message of this.#stayed(channelId, topicKey, moment, lastId)) {
      for (; (gone[next]?.id ?? Infinity) < message.id; next++) yield* this.#message(gone[next], moment);
      yield* this.#message(message, moment);
    }
    for (; next < gone.length; next++) yield* this.#message(gone[next], moment);
  }

  /** Messages that are in the topic now, and were at the moment. */
  async *#stayed(
    channelId: number,
    topicKey: string,
    moment: Moment,
    lastId: number,
  ): AsyncGenerator<Found, void, void> {
    const slices = new Slices();
    for (let after = 0; ;) {
      const range = where.range('$key', { gt: after, lte: lastId });
      const { rows, isLast, reached } = await this.reader.page(
        where.and(inTopic(channelId, topicKey), range),
        'ascending',
        PAGE,
      );
      for (const { id, doc } of rows) {
        const isUnchanged = doc.edits === undefined;
        if (isUnchanged || (await this.places.leftAfter(id, moment)) === undefined)
          yield { id, isUnchanged, left: undefined };
        if (slices.isOver) await slices.next();
      }
      if (isLast || reached === undefined) return;
      after = reached;
    }
  }

  /** Messages that left the topic after the moment and nothing before that, by ID. */
  async #leftSince(channelId: number, topicKey: string, moment: Moment, lastId: number): Promise<readonly Found[]> {
    const gone = new Map<number, PlaceRow>();
    if (moment.kind === 'now') return [];
    const slices = new Slices();
    const after = moment.kind === 'position' ? moment.position : 0;
    for await (const row of this.places.of(subjects.left(channelId, topicKey), after)) {
      const { messageId: id = 0 } = row;
      if (isUpTo(moment, row) || id > lastId || gone.has(id)) continue;
      const first = await this.places.leftAfter(id, moment);
      if (first?.position === row.position) gone.set(id, row);
      if (slices.isOver) await slices.next();
    }
    return [...gone].map(([id, left]) => ({ id, isUnchanged: false, left })).sort((a, b) => a.id - b.id);
  }

  async *#message(message: Found | undefined, moment: Moment): AsyncGenerator<Row, void, void> {
    if (message === undefined) return;
    const { id, isUnchanged, left } = message;
    const sent = await this.events.sent(id);
    if (sent === undefined) return;
    const { version, content, topic, later } = isUnchanged ? asSent(sent) : await this.#versionAt(sent, id, moment);
    yield rowOf(this.directory, sent, 'message', {
      message_id: id,
      sender: wireUser(this.directory, sent.data.senderId),
      version,
      topic: left?.from?.topic ?? topic,
      ...wireContent(content),
      ...(later === 0 ? {} : { edited_since: later }),
      ...(left === undefined ? {} : { left: await this.#leaving(left) }),
    });
  }

  /** The wording of a message at a moment, where it stood then as far as its own stream tells, and how often it was edited later. */
  async #versionAt(sent: SentEvent, id: number, moment: Moment): Promise<VersionAt> {
    let found = asSent(sent);
    for await (const event of this.events.changes(id)) {
      const edit = editOf(event, id);
      const moved = event.type === 'messages.moved.v1' ? (event.data as MessagesMoved['data']).to.topic : undefined;
      if (!isEventUpTo(moment, event)) found = edit === undefined ? found : { ...found, later: found.later + 1 };
      else {
        if (edit !== undefined) found = { ...found, version: found.version + 1, content: edit };
        if (moved !== undefined) found = { ...found, topic: moved };
      }
    }
    return found;
  }

  async #leaving(left: PlaceRow): Promise<object> {
    const event = await eventAt(this.store, left);
    const { type } = event;
    const row = rowOf(this.directory, event, type === 'messages.moved.v1' ? 'moved' : 'deleted');
    const { at, position, stream, revision, actor } = row;
    return { type: row.type, at, position, stream, revision, event: type, actor };
  }
}

interface Found {
  readonly id: number;
  /** It is as it was sent. */
  readonly isUnchanged: boolean;
  /** How it left; undefined for a message that is still there. */
  readonly left: PlaceRow | undefined;
}

interface VersionAt {
  readonly version: number;
  readonly content: SentEvent['data'] | ContentEdit;
  readonly topic: string;
  /** Edits after the moment. */
  readonly later: number;
}

function asSent({ data }: SentEvent): VersionAt {
  return { version: 1, content: data, topic: data.topic ?? '', later: 0 };
}

/** The new content, when the event is an edit of the message. */
export function editOf(
  { type, data }: { readonly type: string; readonly data: object },
  id: number,
): ContentEdit | undefined {
  if (type === 'message.edited.v1') return data as MessageEdited['data'];
  if (type !== 'messages.moved.v1') return undefined;
  const { edit, targetId } = data as MessagesMoved['data'];
  return targetId === id ? edit : undefined;
}
