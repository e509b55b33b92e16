import { messageIdOf } from '#event-store';
import { forEachInBatches, Slices } from '#kernel';
import type { MessagesReader } from '#messages';
import {
  type ContentEdit,
  type EditEntry,
  inTopic,
  namedTopic,
  type MessageDocument,
  type MessageEdited,
  type MessagesMoved,
  topicAfterMove,
  topicKeyOf,
} from '#messages';
import type { Directory } from '#people';
import { where } from '#read-store';
import { ActorRequests } from '../actor.js';
import type { AnswerLog } from '../log/answer-log.js';
import type { MessageEvents } from '../messages/message-events.js';
import type { Beginning } from '../messages/message-events.js';
import type { SentEvent } from '../messages/sends.js';
import { isEventUpTo, isUpTo, type Moment } from '../moment.js';
import type { Moments } from '../past/moments.js';
import { type PlaceRow, subjects } from '../places/place-row.js';
import type { PlacesReader } from '../places/places.reader.js';
import { eventAt } from '../places/places.reader.js';
import { type Row, rowOf } from '../rows.js';
import { wireContent, wireUser } from '../wire.js';

/** Messages of one look into the read model. */
const PAGE = 250;
/** Messages whose rows are made together: few at first, so that the first line comes soon. */
const FIRST_BATCH = 16;
const BATCH = 128;
/** Changed messages of a batch that are read at the same time. */
const AT_ONCE = 16;

/**
 * A topic as it read at a moment: messages that are in it now and were then, and those that have left it since, by a move or a
 * deletion. What they were in is known from what they left first after the moment.
 */
export class TopicAsOf {
  readonly #requests: ActorRequests;

  constructor(
    private readonly directory: Directory,
    private readonly store: AnswerLog,
    private readonly reader: MessagesReader,
    private readonly places: PlacesReader,
    private readonly events: MessageEvents,
    private readonly moments: Moments,
  ) {
    this.#requests = new ActorRequests(store);
  }

  /** Messages in the order of their IDs. */
  async *rows(channelId: number, topic: string, moment: Moment): AsyncGenerator<Row, void, void> {
    const lastId = await this.moments.lastMessageId(moment);
    const topicKey = topicKeyOf(namedTopic(topic));
    let size = FIRST_BATCH;
    let batch: Candidate[] = [];
    for await (const candidate of this.#candidates(channelId, topicKey, moment, lastId)) {
      if (batch.push(candidate) < size) continue;
      yield* await this.#messages(batch, moment);
      [batch, size] = [[], Math.min(2 * size, BATCH)];
    }
    yield* await this.#messages(batch, moment);
  }

  /** Messages that may have been in the topic, in the order of their IDs. */
  async *#candidates(
    channelId: number,
    topicKey: string,
    moment: Moment,
    lastId: number,
  ): AsyncGenerator<Candidate, void, void> {
    const gone = await this.#leftSince(channelId, topicKey, moment, lastId);
    let next = 0;
    const slices = new Slices();
    for (let after = 0; ;) {
      const range = where.range('$key', { gt: after, lte: lastId });
      const { rows, isLast, reached } = await this.reader.page(
        where.and(inTopic(channelId, topicKey), range),
        'ascending',
        PAGE,
      );
      for (const { id, doc } of rows) {
        for (let left = gone[next]; left !== undefined && left.id <= id; left = gone[++next]) yield left;
        yield { id, isUnchanged: doc.edits === undefined, mayHaveLeft: mayHaveMoved(doc), left: undefined };
      }
      if (isLast || reached === undefined) break;
      after = reached;
      if (slices.isOver) await slices.next();
    }
    yield* gone.slice(next);
  }

  /** Messages that left the topic after the moment, each by its first leaving from there, in the order of their IDs. */
  async #leftSince(channelId: number, topicKey: string, moment: Moment, lastId: number): Promise<readonly Candidate[]> {
    const gone = new Map<number, PlaceRow>();
    if (moment.kind === 'now') return [];
    const after = moment.kind === 'position' ? moment.position : 0;
    for await (const row of this.places.of(subjects.left(channelId, topicKey), after)) {
      const { messageId: id = 0 } = row;
      if (!isUpTo(moment, row) && id <= lastId && !gone.has(id)) gone.set(id, row);
    }
    return [...gone]
      .map(([id, left]) => ({ id, isUnchanged: false, mayHaveLeft: true, left }))
      .sort((a, b) => a.id - b.id);
  }

  /** Rows of those that were in the topic. What is read for one does not wait for what is read for another. */
  async #messages(batch: readonly Candidate[], moment: Moment): Promise<readonly Row[]> {
    const sends = await this.events.sends([...new Set(batch.map(({ id }) => id))]);
    const rows = new Map<Candidate, Row>();
    const slices = new Slices();
    const make = async (candidates: readonly Candidate[], beginnings?: ReadonlyMap<number, Beginning>): Promise<void> =>
      forEachInBatches(AT_ONCE, candidates, async (candidate) => {
        const sent = sends.get(candidate.id);
        if (sent === undefined || !isEventUpTo(moment, sent)) return;
        const row = await this.#message(candidate, sent, moment, beginnings?.get(candidate.id));
        if (row !== undefined) rows.set(candidate, row);
        if (slices.isOver) await slices.next();
      });
    await make(batch.filter(({ isUnchanged }) => isUnchanged));
    const changed = batch.filter(({ isUnchanged }) => !isUnchanged);
    // A message that left and came back may be there twice.
    const ids = [...new Set(changed.map(({ id }) => id))];
    for await (const beginnings of this.events.beginnings(ids))
      await make(
        changed.filter(({ id }) => beginnings.has(id)),
        beginnings,
      );
    return batch.flatMap((candidate) => rows.get(candidate) ?? []);
  }

  /** Undefined for a message that was elsewhere at the moment. */
  async #message(
    candidate: Candidate,
    sent: SentEvent,
    moment: Moment,
    beginning: Beginning | undefined,
  ): Promise<Row | undefined> {
    const { id, isUnchanged, mayHaveLeft, left } = candidate;
    const leavings = mayHaveLeft ? await this.places.leavings(id) : [];
    const first = leavings.find((row) => !isUpTo(moment, row));
    // It is there if it left this topic first of all, or is in it now and left none.
    if (first?.position !== left?.position) return undefined;
    const then = isUnchanged ? asSent(sent) : await this.#versionAt(sent, leavings, moment, beginning);
    const { version, content, topic, later } = then;
    return rowOf(this.directory, sent, 'message', {
      message_id: id,
      sender: wireUser(this.directory, sent.data.senderId),
      version,
      topic: topicThen(topic, left),
      ...wireContent(content),
      ...(later === 0 ? {} : { edited_since: later }),
      ...(left === undefined ? {} : { left: await this.#leaving(left) }),
    });
  }

  /** The wording of a message at a moment, where it stood then as far as its own stream tells, and how often it was edited later. */
  async #versionAt(
    sent: SentEvent,
    leavings: readonly PlaceRow[],
    moment: Moment,
    beginning: Beginning | undefined,
  ): Promise<VersionAt> {
    const id = messageIdOf(sent.revision);
    let found = asSent(sent);
    for await (const event of this.events.changes(id, leavings, beginning)) {
      const edit = editOf(event, id);
      const move = event.type === 'messages.moved.v1' ? (event.data as MessagesMoved['data']) : undefined;
      if (!isEventUpTo(moment, event)) found = edit === undefined ? found : { ...found, later: found.later + 1 };
      else {
        if (edit !== undefined) found = { ...found, version: found.version + 1, content: edit };
        if (move !== undefined) found = { ...found, topic: topicAfterMove(found.topic, move) };
      }
    }
    return found;
  }

  async #leaving(left: PlaceRow): Promise<object> {
    const event = await eventAt(this.store, left);
    if (event === undefined) {
      const { at, position, stream, revision } = left;
      return { type: 'damaged', at, position, stream, revision };
    }
    const { type } = event;
    const row = rowOf(this.directory, event, type === 'messages.moved.v1' ? 'moved' : 'deleted');
    const { at, position, stream, revision } = row;
    const actor = await this.#requests.whole(row.actor);
    return { type: row.type, at, position, stream, revision, event: type, actor };
  }
}

/** A message that may have been in the topic. */
interface Candidate {
  readonly id: number;
  /** It is as it was sent, where it was sent. */
  readonly isUnchanged: boolean;
  /** It has left a topic, or may have. */
  readonly mayHaveLeft: boolean;
  /** How it left; undefined for a message that is in the topic now. */
  readonly left: PlaceRow | undefined;
}

interface VersionAt {
  readonly version: number;
  readonly content: SentEvent['data'] | ContentEdit;
  readonly topic: string;
  /** Edits after the moment. */
  readonly later: number;
}

/** Whether a message that is there was moved ever; a long list of its changes tells only of the newest. */
function mayHaveMoved({ edits = [], firstEditPosition }: MessageDocument): boolean {
  const isMove = ({ prevTopic, prevChannelId }: EditEntry): boolean =>
    prevTopic !== undefined || prevChannelId !== undefined;
  return firstEditPosition !== undefined || edits.some(isMove);
}

/** As it was spelled; damage may hide the move that brought the message to the topic that it left. */
function topicThen(topic: string, left: PlaceRow | undefined): string {
  const known = left?.from?.topic;
  return known === undefined || topicKeyOf(known) === topicKeyOf(topic) ? topic : known;
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
