import { where, type Collection, type Stored } from '#read-store';
import type { ConversationDocument } from '../projections/conversation.document.js';

/** How many topics of a channel, or direct conversations of a user, are looked at: the newest ones. */
export const CONVERSATIONS_MAX = 10_000;

export interface DirectConversation {
  /** `d:{participant ids}`, as in message documents. */
  readonly conversation: string;
  /** Everybody in it, ascending. */
  readonly participants: readonly number[];
  /** See `ConversationDocument`. */
  readonly maxId: number;
}

/** Which topics and direct conversations there are. */
export class ConversationsReader {
  constructor(private readonly conversations: Collection<ConversationDocument>) {}

  /** The topics of a channel, by the largest ID that ever stood there, descending. */
  topicsOf(channelId: number, limit = CONVERSATIONS_MAX): Promise<readonly Stored<ConversationDocument>[]> {
    return this.conversations.find({
      where: where.eq('channelId', channelId),
      sort: [{ field: 'maxId', direction: 'descending' }],
      limit,
    });
  }

  /** The user's direct conversations, in the same order. */
  async directOf(userId: number, limit = CONVERSATIONS_MAX): Promise<readonly DirectConversation[]> {
    const found = await this.conversations.find({
      where: where.contains('participants', userId),
      sort: [{ field: 'maxId', direction: 'descending' }],
      limit,
    });
    return found.map(({ key, doc }) => ({
      conversation: String(key),
      participants: doc.participants ?? [],
      maxId: doc.maxId,
    }));
  }
}
