import { Injectable } from '@nestjs/common';
import { EventStore, messageIdOf, streams, type RecordedEvent } from '#event-store';
import { idsIn, nextSlice, rangesOf } from '#kernel';
import type {
  MessageDeleted,
  MessagesDeleted,
  MessageSent,
  MessagesExpired,
  MessagesMoved,
} from '../model/messages.events.js';

/** Live delivery and reactions concern the newest messages. 1,000 of 300 characters take half a megabyte. */
const REMEMBERED_MAX = 1024;
/** Characters of content and HTML of all remembered messages: a hundred of the largest. */
const REMEMBERED_LENGTH_MAX = 8_000_000;

/** A few milliseconds of work even when each has the maximum size, some 100 kB. */
const READ_AT_ONCE = 16;

export type SentData = MessageSent['data'];

interface Remembered {
  readonly messageId: number;
  readonly data: SentData;
  isAsSent: boolean;
}

type Several = (MessagesMoved | MessagesDeleted | MessagesExpired)['data'];

/** Send events by message ID: the newest from memory, the others from the log. */
@Injectable()
export class SentMessages {
  /** Ring buffer: a message is at its ID modulo the size. */
  readonly #newest: (Remembered | undefined)[] = [];
  #rememberedLength = 0;
  /** Position of the newest event that was taken in. */
  #recordedUpTo = -1;
  /** The oldest message that may be remembered. */
  #oldest = 1;

  constructor(private readonly store: EventStore) {}

  /**
   * Takes in an event of the log, in order: remembers what is sent, and which of it was moved or deleted since. An event that comes
   * again is not known to be the newest one.
   */
  recorded(event: RecordedEvent): void {
    const isNew = event.position > this.#recordedUpTo;
    this.#recordedUpTo = Math.max(this.#recordedUpTo, event.position);
    switch (event.type) {
      case 'message.sent.v1':
        this.#remember(event as RecordedEvent<SentData>, isNew);
        break;
      case 'messages.moved.v1':
      case 'messages.deleted.v1':
      case 'messages.expired.v1':
        for (const id of idsIn((event.data as Several).ids)) this.#changed(id);
        break;
      case 'message.deleted.v1':
        this.#changed((event.data as MessageDeleted['data']).messageId);
        break;
    }
  }

  /** Whether the message is remembered, and was neither moved nor deleted by an event that this process has read. */
  isAsSent(messageId: number): boolean {
    const entry = this.#newest[messageId % REMEMBERED_MAX];
    return entry?.messageId === messageId && entry.isAsSent;
  }

  async get(messageId: number): Promise<SentData | undefined> {
    return this.#remembered(messageId) ?? (await this.getMany([messageId])).get(messageId);
  }

  /** Send events of those IDs that exist. */
  getMany(messageIds: readonly number[]): Promise<Map<number, SentData>> {
    return this.#getMany(messageIds, (data) => data);
  }

  /** Send events without content, HTML and widget, for callers that need only places and recipients: thousands fit into memory. */
  getManyLean(messageIds: readonly number[]): Promise<Map<number, SentData>> {
    return this.#getMany(messageIds, ({ rendered: _, widget: _w, ...others }) => ({ ...others, content: '' }));
  }

  async #getMany(messageIds: readonly number[], kept: (data: SentData) => SentData): Promise<Map<number, SentData>> {
    const found = new Map<number, SentData>();
    const missing: number[] = [];
    for (const messageId of messageIds) {
      const data = this.#remembered(messageId);
      if (data === undefined) missing.push(messageId);
      else found.set(messageId, kept(data));
    }
    for (const [first, last] of rangesOf(missing)) {
      for (let from = first; from <= last; from += READ_AT_ONCE) {
        const limit = Math.min(READ_AT_ONCE, last - from + 1);
        const events = await this.store.readStream(streams.messages, { from: from - 1, limit });
        for (const { revision, data } of events) found.set(messageIdOf(revision), kept(data as SentData));
        if (from + limit <= last) await nextSlice();
      }
    }
    return found;
  }

  #remember({ revision, data }: RecordedEvent<SentData>, isAsSent: boolean): void {
    const messageId = messageIdOf(revision);
    this.#forget(messageId % REMEMBERED_MAX);
    this.#newest[messageId % REMEMBERED_MAX] = { messageId, data, isAsSent };
    this.#rememberedLength += lengthOf(data);
    this.#oldest = Math.max(this.#oldest, messageId - REMEMBERED_MAX + 1);
    while (this.#rememberedLength > REMEMBERED_LENGTH_MAX && this.#oldest < messageId)
      this.#forget(this.#oldest++ % REMEMBERED_MAX);
  }

  #changed(messageId: number): void {
    const entry = this.#newest[messageId % REMEMBERED_MAX];
    if (entry?.messageId === messageId) entry.isAsSent = false;
  }

  #remembered(messageId: number): SentData | undefined {
    const entry = this.#newest[messageId % REMEMBERED_MAX];
    return entry?.messageId === messageId ? entry.data : undefined;
  }

  #forget(index: number): void {
    const entry = this.#newest[index];
    if (entry === undefined) return;
    this.#rememberedLength -= lengthOf(entry.data);
    this.#newest[index] = undefined;
  }
}

function lengthOf({ content, rendered = '', widget }: SentData): number {
  return content.length + rendered.length + (widget?.content.length ?? 0);
}
