import type { MessageContent } from './message-content.js';
import type { MessageSettings } from './message-settings.js';
import type { ChannelPlace, MessageSent, MessagesMoved, Place } from './messages.events.js';
import type { NoticeWishes } from './move-notices.js';
import type { ResolvedEmoji } from './reaction-emoji.js';
import type { WildcardAnswers } from './send.commands.js';

export type PropagateMode = MessagesMoved['data']['propagateMode'];

/** What every command to a message carries. The actor may read it: handlers went through its door. */
interface ToMessage {
  readonly messageId: number;
  /** The actor's user ID. */
  readonly by: number;
  /** Seconds since the epoch. */
  readonly at: number;
  /** The fact that it was sent, which stands in another stream. */
  readonly sent: MessageSent['data'];
  /** Where the message stands now: moves may be told of another message, so its own stream does not say. */
  readonly place: Place;
  /** Its channel is archived, and nothing in it changes any more. */
  readonly isArchived: boolean;
}

/** PATCH /messages/{id}: an edit, a move or both. */
export interface ChangeMessage extends ToMessage {
  readonly type: 'change';
  readonly settings: MessageSettings;
  readonly content?: MessageContent;
  /** Of the content that the client edited: SHA-256, hexadecimal. */
  readonly prevContentSha256?: string;
  /** Whom wildcard mentions of the new content reach; for a channel message with content. */
  readonly wildcards?: WildcardAnswers;
  /** As asked, normalized. */
  readonly topic?: string;
  /** As asked. */
  readonly channelId?: number;
  readonly propagateMode: PropagateMode;
  /** For a request that names a topic or channel other than where the channel message stands. */
  readonly move?: MoveAnswers;
  /** Which threads are to be told of the move. */
  readonly notices: NoticeWishes;
}

export interface MoveAnswers {
  readonly to: ChannelPlace;
  readonly mayChangeTopic: boolean;
  readonly mayResolveTopic: boolean;
  readonly mayLeaveChannel: boolean;
  /** Moderators and above move what is old, too. */
  readonly skipsTimeLimits: boolean;
  /** undefined = there is no such channel, or the actor may not read it. */
  readonly destination: DestinationAnswers | undefined;
  /** What the propagate mode asks for, in the actor's sight: IDs, ascending. */
  readonly ids: readonly number[];
  /** The oldest message left in the channel that they leave (`messages.moved.v1`); undefined while its oldest one stays. */
  readonly firstLeft: number | null | undefined;
  /** There are messages where they go. */
  readonly merges: boolean;
  /** The fresh notice of the opposite, when the move resolves or unresolves the topic and that is its last word. */
  readonly takesBack: number | undefined;
  /** How much of the topic is young enough; asked only for `change_all` under a time limit (`oldestMovable`). */
  readonly window?: MoveWindow;
}

export interface DestinationAnswers {
  readonly name: string;
  readonly maySend: boolean;
  /** Whether the actor may begin the topic, or it is there already. */
  readonly mayUseTopic: boolean;
  readonly topicsPolicy: string;
}

export interface MoveWindow {
  /** null when none is. */
  readonly firstAllowedId: number | null;
  readonly allowedCount: number;
}

/** DELETE /messages/{id}. */
export interface DeleteMessage extends ToMessage {
  readonly type: 'delete';
  /** By the organization's setting, or the channel's. */
  readonly mayDeleteAny: boolean;
  /** The same, for their own messages. */
  readonly mayDeleteOwn: boolean;
  /** The actor sent it, or owns the bot that did. */
  readonly isOwn: boolean;
  /** Where in the log it last came to stand in another channel; undefined when it never did. */
  readonly arrival: number | undefined;
  /** The oldest message left in the channel, null for none; undefined while its oldest one stays. */
  readonly firstLeft: number | null | undefined;
  readonly settings: MessageSettings;
}

/** Some of the messages of POST /streams/{id}/delete_topic, in the actor's sight. `messageId` is the first of them. */
export interface DeleteTopic extends Omit<ToMessage, 'sent' | 'place'> {
  readonly type: 'delete-topic';
  readonly place: ChannelPlace;
  readonly mayDeleteAny: boolean;
  /** Ascending, with where in the log each last came to stand in another channel, if it did. */
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

export type MessageCommand = ChangeMessage | DeleteMessage | DeleteTopic | AddReaction | RemoveReaction;
