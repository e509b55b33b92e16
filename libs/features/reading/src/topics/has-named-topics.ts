import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { topicKeyIn } from './conversation.document.js';
import { ConversationsReader } from './conversations.reader.js';

/** Whether the channel has messages outside of the empty topic, including those that the actor may not read. */
export class HasNamedTopicsQuery extends Query<boolean> {
  constructor(readonly channelId: number) {
    super();
  }
}

@QueryHandler(HasNamedTopicsQuery)
export class HasNamedTopicsHandler implements IQueryHandler<HasNamedTopicsQuery> {
  constructor(private readonly conversations: ConversationsReader) {}

  async execute({ channelId }: HasNamedTopicsQuery): Promise<boolean> {
    // Of two topics, at least one has a name.
    const topics = await this.conversations.topicsOf(channelId, 2);
    return topics.some(({ key }) => topicKeyIn(channelId, String(key)) !== '');
  }
}
