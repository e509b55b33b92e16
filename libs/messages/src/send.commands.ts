import type { User } from '#organization';
import type { MessageContent } from './message-content.js';

/** Whom a wildcard mention reaches, and whether the author may reach so many. */
export interface WildcardAnswers {
  readonly mayMentionMany: boolean;
  readonly subscriberCount: number;
}

/** What must be known of a channel to send to it. */
export interface ChannelAnswers extends WildcardAnswers {
  readonly channelId: number;
  readonly name: string;
  /** Whether the sender may know that it exists. */
  readonly isKnown: boolean;
  readonly isArchived: boolean;
  readonly maySend: boolean;
  readonly topicsPolicy: string;
  /** Whether the sender may begin a topic, or the topic is there already. */
  readonly mayUseTopic: boolean;
}

export type Destination =
  | {
      readonly to: 'channel';
      readonly asked: string | number;
      /** undefined = there is no such channel. */
      readonly channel: ChannelAnswers | undefined;
      /** Normalized. */
      readonly topic: string;
    }
  | {
      readonly to: 'users';
      readonly asked: readonly (string | number)[];
      /** In the order asked; undefined = there is no such user. */
      readonly users: readonly (User | undefined)[];
      /** Whether they may write to each other at all. */
      readonly isPermitted: boolean;
      /** Whether the sender may begin a conversation, or it has begun. */
      readonly mayBegin: boolean;
    };

/** A message to be sent, with every answer that deciding on it needs. */
export interface SendMessage {
  readonly senderId: number;
  readonly destination: Destination;
  readonly content: MessageContent;
  /** Name of the client. */
  readonly client: string;
  /** undefined leaves it to the client's name (rules.md §7). */
  readonly readBySender: boolean | undefined;
  /** For everybody else it starts read; undefined = nobody. */
  readonly unreadFor?: readonly number[] | undefined;
  /** Seconds since the epoch. */
  readonly at: number;
}
