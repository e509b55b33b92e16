import { Injectable } from '@nestjs/common';
import { nextSlice } from '#kernel';
import { where } from '#read-store';
import { topicKeyOf } from '../model/place.js';
import { MessagesReader } from '../existing/messages.reader.js';
import { inTopic } from '../existing/place-filters.js';

/** Users whose last message is further back than this do not count as participants any more. */
const EXAMINED_MAX = 20_000;
const READ_PER_SLICE = 64;

/** Finds the participants of topics (rules.md §7). Not stored: only topic wildcards need it, and they are rare. */
@Injectable()
export class TopicParticipants {
  constructor(private readonly reader: MessagesReader) {}

  /**
   * Senders and reactors, ascending.
   * @param and further users to include
   */
  async of(channelId: number, topic: string, ...and: readonly number[]): Promise<number[]> {
    const participants = new Set(and);
    const all = inTopic(channelId, topicKeyOf(topic));
    for await (const page of this.reader.scanSenders(all, EXAMINED_MAX)) {
      for (const { senderId } of page) participants.add(senderId);
      const ids = page.map(({ id }) => id);
      for await (const userId of this.#reactors(ids)) participants.add(userId);
    }
    return [...participants].sort((a, b) => a - b);
  }

  /** Reads only messages with reactions. */
  async *#reactors(messageIds: readonly number[]): AsyncGenerator<number, void, void> {
    let examined = 0;
    const reacted = where.and(where.in('$key', messageIds), where.contains('has', 'reaction'));
    for await (const { doc } of this.reader.walk(reacted, 'descending')) {
      for (const { userId } of doc.reactions ?? []) yield userId;
      if (++examined % READ_PER_SLICE === 0) await nextSlice();
    }
  }
}
