import { Injectable, Optional } from '@nestjs/common';
import { messageIdOf, ReadBarrier, type RecordedEvent, type RecordedOf } from '#event-store';
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
import { where } from '#read-store';
import { CHUNK_SIZE, chunkOf } from '../flags/id-chunk.js';
import { RecentRows, type RowFields } from './recent-rows.js';

const SENT = 'message.sent.v1';
/** Events of messages that change nothing of what rows keep. */
const PASSED_OVER: ReadonlySet<string> = new Set(['reaction.added.v1', 'reaction.removed.v1', 'submessage.added.v1']);
/** Events that may. */
const CHANGING: ReadonlySet<string> = new Set(
  [...messagesProjection.handles].filter((type) => type !== SENT && !PASSED_OVER.has(type)),
);

/**
 * The newest messages in memory, as of the directory's position. They are read from the read store when somebody first asks,
 * chunk by chunk, and follow the log from then on (docs/adr/0055-what-is-unread.md).
 */
@Injectable()
export class RecentMessages {
  #rows: RecentRows | undefined;
  /** Changes since the read of a chunk began; undefined when none is read. */
  #changes: RecordedEvent[] | undefined;
  readonly #filling = new Mutex();

  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
    private readonly barrier: ReadBarrier,
    @Optional() private readonly chunksMax?: number,
  ) {}

  /** The rows with at least the newest messages. */
  newest(): RecentRows | Promise<RecentRows> {
    const rows = this.#open();
    return rows.blocks.length === 0 && rows.hasRoom ? this.#filling.run(() => this.#fill(rows, 1)) : rows;
  }

  /** The rows with as many messages as they keep. */
  all(): RecentRows | Promise<RecentRows> {
    const rows = this.#open();
    return rows.hasRoom ? this.#filling.run(() => this.#fill(rows, Infinity)) : rows;
  }

  /** Nothing is kept before somebody asks. */
  #open(): RecentRows {
    if (this.#rows !== undefined) return this.#rows;
    const next = this.directory.lastMessageId + 1;
    const rows = new RecentRows(next, next, this.chunksMax);
    this.directory.listen((event) => {
      if (event.type === SENT) rows.add(messageIdOf(event.revision), fieldsOf(event as RecordedOf<MessageSent>));
      else if (CHANGING.has(event.type)) this.#change(rows, event);
    });
    return (this.#rows = rows);
  }

  async #fill(rows: RecentRows, chunks: number): Promise<RecentRows> {
    for (let chunk = 0; chunk < chunks && rows.hasRoom; chunk++) await this.#fillChunk(rows);
    return rows;
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
  };
}
