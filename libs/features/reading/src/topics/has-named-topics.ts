import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { topicKeyIn } from './conversation.document.js';
import { ConversationsReader } from './conversations.reader.js';

/** Whether the channel has messages outside of the empty topic, including those that the actor may not read. */
export class HasNamedTopicsQuery extends Query<boolean> {
  constructor(readonly channelId: number) {
    super();
  }
}

export const hasNamedTopics = query(
  HasNamedTopicsQuery,
  { conversations: ConversationsReader },
  async ({ channelId }, { conversations }) => {
    // Of two topics, at least one has a name.
    const topics = await conversations.topicsOf(channelId, 2);
    return topics.some(({ key }) => topicKeyIn(channelId, String(key)) !== '');
  },
);
