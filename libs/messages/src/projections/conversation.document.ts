import type { CollectionSchema } from '#read-store';
import { channelConversation } from '../place.js';

/**
 * A topic of a channel (key `c:{channelId}:{topicKey}`) or a direct conversation (key `d:{participant ids}`): how the
 * topics of a channel and the direct conversations of a user are found. It is gone when its last message is.
 */
export interface ConversationDocument {
  /** Of a topic. */
  channelId?: number;
  /** Of a direct conversation: everybody in it, ascending. */
  participants?: readonly number[];
  /** The largest message ID that ever stood here. That message may have been deleted or moved away since: look. */
  maxId: number;
  /** How many messages stand here. */
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
