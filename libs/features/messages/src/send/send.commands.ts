import type { User } from '#users/model';
import type { Widget } from '../model/widget.js';
import type { MessageContent } from '../model/message-content.js';

/** Reach of a wildcard mention, and whether the author may reach so many users. */
export interface WildcardAnswers {
  readonly mayMentionMany: boolean;
  readonly subscriberCount: number;
}

/** State of a channel that a send depends on. */
export interface ChannelAnswers extends WildcardAnswers {
  readonly channelId: number;
  readonly name: string;
  /** Whether the sender may know that it exists. */
  readonly isKnown: boolean;
  readonly isArchived: boolean;
  readonly maySend: boolean;
  readonly topicsPolicy: string;
  /** Whether the sender may create a topic, or the topic exists. */
  readonly mayUseTopic: boolean;
}

export type Destination =
  | {
      readonly to: 'channel';
      readonly asked: string | number;
      /** undefined = the channel does not exist. */
      readonly channel: ChannelAnswers | undefined;
      /** Normalized. */
      readonly topic: string;
    }
  | {
      readonly to: 'users';
      readonly asked: readonly (string | number)[];
      /** In the requested order; undefined = the user does not exist. */
      readonly users: readonly (User | undefined)[];
      /** Whether they may write to each other at all. */
      readonly isPermitted: boolean;
      /** Whether the organization has switched direct messages off. */
      readonly isOff: boolean;
      /** Whether the sender may start a conversation, or it exists. */
      readonly mayBegin: boolean;
    };

/** A message to be sent, with all data that the decision needs. */
export interface SendMessage {
  readonly senderId: number;
  readonly destination: Destination;
  readonly content: MessageContent;
  /** Name of the client. */
  readonly client: string;
  /** undefined leaves it to the client's name (rules.md §7). */
  readonly readBySender: boolean | undefined;
  /** For all other users the message starts read; undefined when it starts unread for all. */
  readonly unreadFor?: readonly number[] | undefined;
  /** For these users the message starts read. */
  readonly readBy?: readonly number[] | undefined;
  /** Outgoing webhook bots whose services it calls, ascending. */
  readonly calls?: readonly number[] | undefined;
  /** The widget that the sender asks for beside the content. */
  readonly widget?: Widget | undefined;
  /** Seconds since the epoch. */
  readonly at: number;
}
