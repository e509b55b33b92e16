import { Injectable } from '@nestjs/common';
import { EventStore, messageIdOf, streams, type RecordedEvent } from '#event-store';
import { nextSlice, rangesOf } from '#kernel';
import type { MessageSent } from './messages.events.js';

/** Live delivery and reactions concern the newest messages. 1,000 of 300 characters take half a megabyte. */
const REMEMBERED_MAX = 1024;
/** Characters of content and HTML of all remembered messages: a hundred of the largest. */
const REMEMBERED_LENGTH_MAX = 8_000_000;

/** A few milliseconds of work even when each has the maximum size, some 100 kB. */
const READ_AT_ONCE = 16;

export type SentData = MessageSent['data'];

/** Send events by message ID: the newest from memory, the others from the log. */
@Injectable()
export class SentMessages {
  /** Ring buffer: a message is at its ID modulo the size. */
  readonly #newest: ({ readonly messageId: number; readonly data: SentData } | undefined)[] = [];
  #rememberedLength = 0;
  /** The oldest message that may be remembered. */
  #oldest = 1;

  constructor(private readonly store: EventStore) {}

  /** Caches an event that was just read from the log. */
  remember({ revision, data }: RecordedEvent<SentData>): void {
    const messageId = messageIdOf(revision);
    this.#forget(messageId % REMEMBERED_MAX);
    this.#newest[messageId % REMEMBERED_MAX] = { messageId, data };
    this.#rememberedLength += lengthOf(data);
    this.#oldest = Math.max(this.#oldest, messageId - REMEMBERED_MAX + 1);
    while (this.#rememberedLength > REMEMBERED_LENGTH_MAX && this.#oldest < messageId)
      this.#forget(this.#oldest++ % REMEMBERED_MAX);
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
