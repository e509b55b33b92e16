import { Injectable } from '@nestjs/common';
import { EventStore, messageIdOf, streams, type Recorded } from '#event-store';
import { rangesOf } from '#kernel';
import type { MessageSent } from './messages.events.js';

/** Live delivery and reactions concern the newest messages. 1,000 of 300 characters take half a megabyte. */
const REMEMBERED_MAX = 1024;

export type SentData = MessageSent['data'];

/** The facts that messages were sent, by message ID: the newest from memory, the others from the log. */
@Injectable()
export class SentMessages {
  /** A ring: a message lies at its ID modulo the size. */
  readonly #newest: ({ readonly messageId: number; readonly data: SentData } | undefined)[] = [];

  constructor(private readonly store: EventStore) {}

  /** Keeps what has just been read from the log. */
  remember({ revision, data }: Recorded<SentData>): void {
    const messageId = messageIdOf(revision);
    this.#newest[messageId % REMEMBERED_MAX] = { messageId, data };
  }

  async get(messageId: number): Promise<SentData | undefined> {
    return this.#remembered(messageId) ?? (await this.getMany([messageId])).get(messageId);
  }

  /** Those that were ever sent among these IDs. */
  async getMany(messageIds: readonly number[]): Promise<Map<number, SentData>> {
    const found = new Map<number, SentData>();
    const missing: number[] = [];
    for (const messageId of messageIds) {
      const data = this.#remembered(messageId);
      if (data === undefined) missing.push(messageId);
      else found.set(messageId, data);
    }
    for (const [first, last] of rangesOf(missing)) {
      const facts = await this.store.readStream(streams.messages, { from: first - 1, limit: last - first + 1 });
      for (const { revision, data } of facts) found.set(messageIdOf(revision), data as SentData);
    }
    return found;
  }

  #remembered(messageId: number): SentData | undefined {
    const entry = this.#newest[messageId % REMEMBERED_MAX];
    return entry?.messageId === messageId ? entry.data : undefined;
  }
}
