import type { MessageContent } from './message-content.js';
import type { MessageSettings } from './message-settings.js';
import type { ChannelPlace, MessageSent, MessagesMoved, Place } from './messages.events.js';
import type { NoticeWishes } from '../move/move-notices.js';
import type { ResolvedEmoji } from './reaction-emoji.js';
import type { WildcardAnswers } from '../send/send.commands.js';

export type PropagateMode = MessagesMoved['data']['propagateMode'];

/** Fields of every command to a message. The actor may read it: handlers check access. */
interface ToMessage {
  readonly messageId: number;
  /** The actor's user ID. */
  readonly by: number;
  /** Seconds since the epoch. */
  readonly at: number;
  /** Data of its send event, which is in another stream. */
  readonly sent: MessageSent['data'];
  /**
   * Current place of the message: moves may be recorded in another message's stream, so its own stream does not know.
   */
  readonly place: Place;
  /** The message's channel is archived, so the message cannot change. */
  readonly isArchived: boolean;
}

/** PATCH /messages/{id}: an edit, a move or both. */
export interface ChangeMessage extends ToMessage {
  readonly type: 'change';
  readonly settings: MessageSettings;
  readonly content?: MessageContent;
  /** SHA-256 of the content that the client edited, hexadecimal. */
  readonly prevContentSha256?: string;
  /** Reach of the wildcard mentions of the new content; for a channel message with content. */
  readonly wildcards?: WildcardAnswers;
  /** As requested, normalized. */
  readonly topic?: string;
  /** As requested. */
  readonly channelId?: number;
  readonly propagateMode: PropagateMode;
  /** Set when a channel message is to be moved to another topic or channel. */
  readonly move?: MoveContext;
  /** Threads that get a notice of the move. */
  readonly notices: NoticeWishes;
}

export interface MoveContext {
  readonly to: ChannelPlace;
  readonly mayChangeTopic: boolean;
  readonly mayResolveTopic: boolean;
  readonly mayLeaveChannel: boolean;
  /** Moderators and above may move old messages, too. */
  readonly skipsTimeLimits: boolean;
  /** undefined = the channel does not exist, or the actor may not read it. */
  readonly destination: DestinationAnswers | undefined;
  /** Messages selected by the propagate mode that the actor sees, or the first portion of them: IDs, ascending. */
  readonly ids: readonly number[];
  /** Remaining messages, for separate events; undefined when there are none. */
  readonly rest?: MoveRest;
  /** The oldest message left in the old channel (`messages.moved.v1`); undefined while its oldest one stays. */
  readonly firstLeft: number | null | undefined;
  /** Whether the new topic has messages already. */
  readonly merges: boolean;
  /**
   * Recent notice of the opposite, when the move resolves or unresolves the topic and the notice is its last message.
   */
  readonly takesBack: number | undefined;
  /** The part of the topic that is young enough, when a time limit may exclude some (`change_all`, `oldestMovable`). */
  readonly window?: MoveWindow;
}

/** Messages of a topic with IDs beyond `after`, up to `until`. */
export type MoveRest = NonNullable<MessagesMoved['data']['rest']>;

/**
 * The next messages of a move that takes several events. It has been decided: later changes of the target or of the
 * actor's permissions do not matter.
 */
export interface ContinueMove {
  readonly type: 'continue-move';
  /** The target. */
  readonly messageId: number;
  readonly move: MessagesMoved['data'];
  /** Revision of the event that began the move. */
  readonly continues: number;
  /** Ascending. */
  readonly ids: readonly number[];
  readonly rest: MoveRest | undefined;
  readonly firstLeft: number | null | undefined;
}

export interface DestinationAnswers {
  readonly name: string;
  readonly maySend: boolean;
  /** Whether the actor may create the topic, or it exists. */
  readonly mayUseTopic: boolean;
  readonly topicsPolicy: string;
}

export interface MoveWindow {
  /** null when there is none. */
  readonly firstAllowedId: number | null;
  readonly allowedCount: number;
  readonly totalCount: number;
}

/** DELETE /messages/{id}. */
export interface DeleteMessage extends ToMessage {
  readonly type: 'delete';
  /** By the setting of the organization or the channel. */
  readonly mayDeleteAny: boolean;
  /** By the setting of the organization or the channel, for their own messages. */
  readonly mayDeleteOwn: boolean;
  /** The actor sent it, or owns the bot that did. */
  readonly isOwn: boolean;
  /** Position of its last arrival in another channel; undefined when it was never moved there. */
  readonly arrival: number | undefined;
  /** The oldest message left in the channel, null for none; undefined while its oldest one stays. */
  readonly firstLeft: number | null | undefined;
  readonly settings: MessageSettings;
}

/** Some of the messages of POST /streams/{id}/delete_topic that the actor sees. `messageId` is the first of them. */
export interface DeleteTopic extends Omit<ToMessage, 'sent' | 'place'> {
  readonly type: 'delete-topic';
  readonly place: ChannelPlace;
  readonly mayDeleteAny: boolean;
  /** Ascending, with the position of the last arrival of each in another channel, if any. */
  readonly messages: readonly { readonly id: number; readonly arrival: number | undefined }[];
  readonly firstLeft: number | null | undefined;
}

/** POST /messages/{id}/reactions. */
export interface AddReaction extends ToMessage {
  readonly type: 'react';
  readonly asked: ResolvedEmoji;
  /** The message is not in the actor's own history yet. */
  readonly isForeign?: boolean;
}

/** DELETE /messages/{id}/reactions. */
export interface RemoveReaction extends ToMessage {
  readonly type: 'unreact';
  readonly asked: ResolvedEmoji;
}

export type MessageCommand = ChangeMessage | ContinueMove | DeleteMessage | DeleteTopic | AddReaction | RemoveReaction;
