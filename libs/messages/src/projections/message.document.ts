import type { CollectionSchema } from '#read-store';
import { indexedWords, type Trait } from './content-traits.js';

export interface ReactionEntry {
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji';
  readonly userId: number;
}

/** What was added to a widget. */
export interface SubmessageEntry {
  readonly id: number;
  readonly senderId: number;
  /** JSON. */
  readonly content: string;
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

/** A channel that a message was moved into, and where in the log: only who was subscribed then kept the message. */
export interface Arrival {
  readonly channelId: number;
  readonly position: number;
}

/** In `singledOut`: everybody in the conversation. */
export const EVERYONE = 0;

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
  /** The same with whom wildcards reach, or `EVERYONE`: what `is:mentioned` is found by. Absent when nobody is mentioned. */
  singledOut?: readonly number[];
  channelWildcard?: true;
  topicWildcard?: true;
  /** Whom the topic wildcard reaches. */
  topicParticipants?: readonly number[];
  /** Who has an alert word in it. */
  alerted?: readonly number[];
  /** Absent when it has nothing of the kind. */
  has?: readonly Trait[];
  client: string;
  readBySender?: true;
  /** Of a notice that a topic was resolved or unresolved: for everybody else it starts read. */
  unreadFor?: readonly number[];
  /** Seconds since the epoch. */
  at: number;
  reactions?: ReactionEntry[];
  /** Oldest first; the widget itself, which follows from the content, is not among them. */
  submessages?: SubmessageEntry[];
  /** Newest first. */
  edits?: EditEntry[];
  lastEditAt?: number;
  /** The last move that was more than resolving or unresolving the topic. */
  lastMovedAt?: number;
  /** The channel it was sent to; absent while it never stood in another. */
  sentTo?: number;
  /** The channel that it stands in, when it came there by a move. A list, so that only such messages are indexed. */
  movedInto?: readonly [number];
  /** Each time it came to stand in another channel, oldest first. */
  arrivals?: Arrival[];
}

export const messagesCollection = {
  name: 'messages',
  key: 'integer',
  fields: { conversation: 'text', topicKey: 'text', senderId: 'integer' },
  indexes: [['conversation'], ['conversation', 'topicKey'], ['senderId'], ['senderId', 'conversation']],
  many: { singledOut: 'integer', alerted: 'integer', movedInto: 'integer', has: 'text' },
  words: { field: 'words', version: 2, of: (doc) => indexedWords(doc as unknown as MessageDocument) },
} as const satisfies CollectionSchema;
