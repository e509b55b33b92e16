import type { MessageSettings } from '../model/message-settings.js';
import type { ToMessage } from '../model/message.commands.js';
import type { ChannelPlace, MessagesMoved } from '../model/messages.events.js';
import type { NoticeWishes } from './move-notices.js';

export type PropagateMode = MessagesMoved['data']['propagateMode'];

/** Fields of a change that may move the message. */
export interface AskedChange extends ToMessage {
  readonly settings: MessageSettings;
  readonly propagateMode: PropagateMode;
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
