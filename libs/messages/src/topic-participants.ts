import { Injectable } from '@nestjs/common';
import { where } from '#read-store';
import { topicKeyOf } from './place.js';
import { MessagesReader, PAGE_MAX } from './queries/messages.reader.js';
import { inTopic } from './queries/place-filters.js';

/** Whoever was last heard of further back than this many messages does not take part in the topic any more. */
const EXAMINED_MAX = 20_000;

/** Who takes part in topics (rules.md §7). Nothing is kept of that: only topic wildcards ask, and they are rare. */
@Injectable()
export class TopicParticipants {
  constructor(private readonly reader: MessagesReader) {}

  /** Senders and reactors, ascending. @param and these as well */
  async of(channelId: number, topic: string, ...and: readonly number[]): Promise<number[]> {
    const participants = new Set(and);
    const all = inTopic(channelId, topicKeyOf(topic));
    let filter = all;
    for (let examined = 0; examined < EXAMINED_MAX; examined += PAGE_MAX) {
      const page = await this.reader.find(filter, 'descending', PAGE_MAX);
      for (const { doc } of page) {
        participants.add(doc.senderId);
        for (const { userId } of doc.reactions ?? []) participants.add(userId);
      }
      const oldest = page.at(-1);
      if (oldest === undefined || page.length < PAGE_MAX) break;
      filter = where.and(all, where.range('$key', { lt: oldest.id }));
    }
    return [...participants].sort((a, b) => a - b);
  }
}
