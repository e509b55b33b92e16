import { where, type Collection, type Stored } from '#read-store';
import type { ConversationDocument } from './conversation.document.js';

/** Maximum topics of a channel, or direct conversations of a user, that are read: the newest ones. */
export const CONVERSATIONS_MAX = 10_000;

export interface DirectConversation {
  /** `d:{participant ids}`, as in message documents. */
  readonly conversation: string;
  /** All participants, ascending. */
  readonly participants: readonly number[];
  /** See `ConversationDocument`. */
  readonly maxId: number;
}

/** Reads topics and direct conversations. */
export class ConversationsReader {
  constructor(private readonly conversations: Collection<ConversationDocument>) {}

  /** Topics of a channel, descending by the largest ID that they ever had. */
  topicsOf(channelId: number, limit = CONVERSATIONS_MAX): Promise<readonly Stored<ConversationDocument>[]> {
    return this.conversations.find({
      where: where.eq('channelId', channelId),
      sort: [{ field: 'maxId', direction: 'descending' }],
      limit,
    });
  }

  /**
   * Topics of channels, and the user's direct conversations, that messages with higher IDs have come to, descending by their largest
   * ID.
   */
  async grownSince(
    userId: number,
    channelIds: readonly number[],
    afterId: number,
    limit: number,
  ): Promise<readonly Stored<ConversationDocument>[]> {
    const theirs = where.or(where.in('channelId', channelIds), where.contains('participants', userId));
    const sort = [{ field: 'maxId', direction: 'descending' }] as const;
    return this.conversations.find({ where: where.and(theirs, where.range('maxId', { gt: afterId })), sort, limit });
  }

  /** The user's direct conversations, descending by their largest ID. */
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
