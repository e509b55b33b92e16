import type { CollectionSchema } from '#read-store';

export interface ReactionEntry {
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji';
  readonly userId: number;
}

/** One edit or move, as the edit history tells it. */
export interface EditEntry {
  readonly by: number;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly prevContent?: string;
  /** Absent when the content before was plain. */
  readonly prevRendered?: string;
  readonly prevTopic?: string;
  readonly topic?: string;
  readonly prevChannelId?: number;
  readonly channelId?: number;
}

/** A message as it stands now; its key is the message ID. */
export interface MessageDocument {
  /** `c:{channelId}` or `d:{participant ids, ascending, comma-joined}`. */
  conversation: string;
  /** The topic in lower case; the empty string for a direct message. Topics are equal when their keys are. */
  topicKey: string;
  senderId: number;
  /** The topic as this message spells it; absent for a direct message. */
  topic?: string;
  content: string;
  /** HTML; absent when the content is plain. */
  rendered?: string;
  mentions?: readonly number[];
  channelWildcard?: true;
  topicWildcard?: true;
  client: string;
  readBySender?: true;
  /** Seconds since the epoch. */
  at: number;
  reactions?: ReactionEntry[];
  /** Newest first. */
  edits?: EditEntry[];
  lastEditAt?: number;
  lastMovedAt?: number;
}

export const messagesCollection = {
  name: 'messages',
  key: 'integer',
  fields: { conversation: 'text', topicKey: 'text', senderId: 'integer' },
  indexes: [['conversation'], ['conversation', 'topicKey'], ['senderId']],
} as const satisfies CollectionSchema;
