import { Injectable, Optional } from '@nestjs/common';
import {
  DamagedRecord,
  EventStoreUnavailable,
  messageIdOf,
  ReadBarrier,
  type RecordedEvent,
  type RecordedOf,
} from '#event-store';
import { Mutex, nextSlice } from '#kernel';
import {
  conversationOf,
  lean,
  type MessageSent,
  messagesProjection,
  MessagesReader,
  PAGE_MAX,
  topicKeyOf,
} from '#messages';
import { Directory } from '#people';
import { type LookingWork, where } from '#read-store';
import { CHUNK_SIZE, chunkOf } from '../flags/id-chunk.js';
import { isReadAgain, KeptRows } from './kept-rows.js';
import { RecentRows, type RowFields } from './recent-rows.js';

const SENT = 'message.sent.v1';
/** Events of messages that change nothing of what rows keep. */
const PASSED_OVER: ReadonlySet<string> = new Set(['reaction.added.v1', 'reaction.removed.v1', 'submessage.added.v1']);
/** Events that may. */
const CHANGING: ReadonlySet<string> = new Set(
  [...messagesProjection.handles].filter((type) => type !== SENT && !PASSED_OVER.has(type)),
);
/** The rows are kept for the next start after so many events, which it reads again: some 30 ms. Fewer messages are read as quickly. */
const KEPT_EVERY_EVENTS = 2_000;
const NEVER_KEPT = Number.MAX_SAFE_INTEGER;
const LOOK_EVERY_MS = 5_000;

/**
 * The newest messages in memory, as of the directory's position. At a start they are those that were kept, and what has happened
 * since; what is missing is read from the read store, chunk by chunk. They follow the log from then on
 * (docs/adr/0055-what-is-unread.md).
 */
@Injectable()
export class RecentMessages implements LookingWork {
  readonly name = 'recent-messages';
  readonly complaint = 'The newest messages could not be read ahead, or kept for the next start.';
  readonly everyMs = LOOK_EVERY_MS;
  /** Whoever comes first after a start does not wait for it. */
  readonly isDue = true;
  #rows: RecentRows | undefined;
  /** The last event that the rows have taken in, of those since the start. */
  #last: RecordedEvent | undefined;
  /** Events since the rows were kept that the next start reads again, also those that change no row. */
  #unkept = NEVER_KEPT;
  /** The last event in the rows that were kept when this process last looked: where several share them, one of them keeps them. */
  #keptAt: number | undefined;
  /** Changes since the read of a chunk began; undefined when none is read. */
  #changes: RecordedEvent[] | undefined;
  readonly #filling = new Mutex();

  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
    private readonly barrier: ReadBarrier,
    private readonly kept: KeptRows,
    @Optional() private readonly chunksMax?: number,
    @Optional() private readonly keptEvery = KEPT_EVERY_EVENTS,
  ) {}

  /** The rows with at least the newest messages. */
  newest(): RecentRows | Promise<RecentRows> {
    const rows = this.#rows;
    return rows === undefined || (rows.blocks.length === 0 && rows.hasRoom) ? this.#filled(1) : rows;
  }

  /** The rows with as many messages as they keep. */
  all(): RecentRows | Promise<RecentRows> {
    const rows = this.#rows;
    return rows === undefined || rows.hasRoom ? this.#filled(Infinity) : rows;
  }

  /** Reads the rows ahead, and keeps them when much has changed. */
  async look(signal: AbortSignal): Promise<void> {
    let rows = await this.newest();
    while (rows.hasRoom && !signal.aborted) rows = await this.#filled(1);
    const unkept = this.#unkept;
    const isWorthwhile = unkept >= this.keptEvery && rows.next - rows.from > this.keptEvery;
    if (signal.aborted || this.#last === undefined || !isWorthwhile) return;
    const keptAt = await this.kept.position();
    if (keptAt === this.#keptAt) {
      const last = this.#last;
      await this.kept.keep(rows, last);
      this.#keptAt = last.position;
    } else this.#keptAt = keptAt;
    this.#unkept -= unkept;
  }

  #filled(chunks: number): Promise<RecentRows> {
    return this.#filling.run(async () => {
      const rows = (this.#rows ??= await this.#open());
      for (let chunk = 0; chunk < chunks && rows.hasRoom; chunk++) await this.#fillChunk(rows);
      return rows;
    });
  }

  /** Finds what was kept, brings it up to the directory's position, and follows it from there. */
  async #open(): Promise<RecentRows> {
    const { position, lastMessageId } = this.directory;
    const next = lastMessageId + 1;
    let rows: RecentRows | undefined;
    const heard: RecordedEvent[] = [];
    const unlisten = this.directory.listen((event) => {
      if (rows === undefined) heard.push(event);
      else this.#take(rows, event);
    });
    try {
      this.#keptAt = await this.kept.position();
      rows = (await this.#found(position, next)) ?? new RecentRows(next, next, this.chunksMax);
      for (const event of heard) this.#take(rows, event);
      return rows;
    } catch (error) {
      unlisten();
      throw error;
    }
  }

  async #found(position: number, next: number): Promise<RecentRows | undefined> {
    try {
      const found = await this.kept.find(position, next, this.chunksMax);
      if (found === undefined) return undefined;
      this.#unkept = 0;
      for await (const page of found.since) for (const event of page) this.#take(found.rows, event);
      return found.rows;
    } catch (error) {
      // Some may have been taken in: the rows begin anew.
      this.#last = undefined;
      this.#unkept = NEVER_KEPT;
      // What the log has lost since, another log, or none for now: the read models have the messages. Whoever reads the log tells of it.
      if (error instanceof DamagedRecord || error instanceof EventStoreUnavailable) return undefined;
      throw error;
    }
  }

  #take(rows: RecentRows, event: RecordedEvent): void {
    this.#last = event;
    if (isReadAgain(event)) this.#unkept++;
    if (event.type === SENT) rows.add(messageIdOf(event.revision), fieldsOf(event as RecordedOf<MessageSent>));
    else if (CHANGING.has(event.type)) this.#change(rows, event);
  }

  async #fillChunk(rows: RecentRows): Promise<void> {
    const { from: end } = rows;
    const from = Math.max(1, chunkOf(end - 1) * CHUNK_SIZE);
    const changes: RecordedEvent[] = [];
    this.#changes = changes;
    try {
      // The directory may be ahead of the documents: what it applied before is in them from here on.
      await this.barrier.waitFor(this.directory.position);
      const found: [id: number, fields: RowFields][] = [];
      for (let after = from - 1; after < end - 1;) {
        const range = where.range('$key', { gt: after, lt: end });
        const { rows: page, isLast, reached } = await this.messages.page(range, 'ascending', PAGE_MAX);
        for (const { id, doc } of page) found.push([id, lean(doc)]);
        if (isLast || reached === undefined) break;
        after = reached;
        await nextSlice();
      }
      // Unless so many messages came meanwhile that there is no room for these any more.
      if (rows.from === end && rows.hasRoom) rows.prepend(from, found);
    } finally {
      this.#changes = undefined;
    }
    // Applying a change again that is in the document already changes nothing that rows keep.
    for (const event of changes) this.#change(rows, event);
  }

  #change(rows: RecentRows, event: RecordedEvent): void {
    this.#changes?.push(event);
    for (const { key } of messagesProjection.keys(event)) {
      const doc = rows.get(key as number);
      if (doc !== undefined) rows.put(key as number, messagesProjection.evolve(doc, event, key));
    }
  }
}

function fieldsOf({ data }: RecordedOf<MessageSent>): RowFields {
  const { topic, senderId, mentions = [], topicWildcard, topicParticipants = [] } = data;
  return {
    conversation: conversationOf(data),
    topicKey: topicKeyOf(topic ?? ''),
    ...(data.channelId === undefined ? {} : { topic: topic ?? '' }),
    senderId,
    ...(data.readBySender === true ? { readBySender: true } : {}),
    ...(mentions.length === 0 ? {} : { mentions }),
    ...(data.channelWildcard === undefined ? {} : { channelWildcard: data.channelWildcard }),
    ...(topicWildcard === undefined ? {} : { topicParticipants }),
    ...(data.unreadFor === undefined ? {} : { unreadFor: data.unreadFor }),
    ...(data.readBy === undefined ? {} : { readBy: data.readBy }),
  };
}
