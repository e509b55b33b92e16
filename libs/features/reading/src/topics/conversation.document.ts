import { channelConversation } from '#messages';
import type { CollectionSchema } from '#read-store';

/**
 * A topic of a channel (key `c:{channelId}:{topicKey}`) or a direct conversation (key `d:{participant ids}`), for
 * listing the topics of a channel and the direct conversations of a user. Removed with its last message.
 */
export interface ConversationDocument {
  /** Set for a topic. */
  channelId?: number;
  /** Set for a direct conversation: all participants, ascending. */
  participants?: readonly number[];
  /** The largest message ID that was ever here. That message may have been deleted or moved since: check it. */
  maxId: number;
  /** Number of messages. */
  count: number;
}

export function topicConversationKey(channelId: number, topicKey: string): string {
  return `${channelConversation(channelId)}:${topicKey}`;
}

/** The topic key in the key of a topic's document. */
export function topicKeyIn(channelId: number, key: string): string {
  return key.slice(channelConversation(channelId).length + 1);
}

export const conversationsCollection = {
  name: 'conversations',
  key: 'text',
  fields: { channelId: 'integer', maxId: 'integer' },
  indexes: [['channelId']],
  many: { participants: 'integer' },
} as const satisfies CollectionSchema;
