import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { EventStore, messageIdOf, streams, type RecordedEvent } from '#event-store';
import { rangesOf } from '#kernel';
import type { MessageSent } from './messages.events.js';

/** Live delivery and reactions concern the newest messages. 1,000 of 300 characters take half a megabyte. */
const REMEMBERED_MAX = 1024;

/** A few milliseconds of work even when each has the maximum size. */
const READ_AT_ONCE = 64;

export type SentData = MessageSent['data'];

/** Send events by message ID: the newest from memory, the others from the log. */
@Injectable()
export class SentMessages {
  /** Ring buffer: a message is at its ID modulo the size. */
  readonly #newest: ({ readonly messageId: number; readonly data: SentData } | undefined)[] = [];

  constructor(private readonly store: EventStore) {}

  /** Caches an event that was just read from the log. */
  remember({ revision, data }: RecordedEvent<SentData>): void {
    const messageId = messageIdOf(revision);
    this.#newest[messageId % REMEMBERED_MAX] = { messageId, data };
  }

  async get(messageId: number): Promise<SentData | undefined> {
    return this.#remembered(messageId) ?? (await this.getMany([messageId])).get(messageId);
  }

  /** Send events of those IDs that exist. */
  async getMany(messageIds: readonly number[]): Promise<Map<number, SentData>> {
    const found = new Map<number, SentData>();
    const missing: number[] = [];
    for (const messageId of messageIds) {
      const data = this.#remembered(messageId);
      if (data === undefined) missing.push(messageId);
      else found.set(messageId, data);
    }
    for (const [first, last] of rangesOf(missing)) {
      for (let from = first; from <= last; from += READ_AT_ONCE) {
        const limit = Math.min(READ_AT_ONCE, last - from + 1);
        const facts = await this.store.readStream(streams.messages, { from: from - 1, limit });
        for (const { revision, data } of facts) found.set(messageIdOf(revision), data as SentData);
        if (from + limit <= last) await nextTurn();
      }
    }
    return found;
  }

  #remembered(messageId: number): SentData | undefined {
    const entry = this.#newest[messageId % REMEMBERED_MAX];
    return entry?.messageId === messageId ? entry.data : undefined;
  }
}
