import type { FileReference } from './messages.events.js';
import type { Emoji } from './reaction-emoji.js';

/**
 * State of a message from its own stream. The send event is in another stream and comes with each command, as does the
 * current place: moves may be recorded in another message's stream.
 */
export type MessageState = StandingMessage | { readonly phase: 'deleted' };

export interface StandingMessage {
  readonly phase: 'standing';
  /** Result of the newest edit; undefined for the original. */
  edited: EditedText | undefined;
  /** Oldest first. */
  reactions: (Emoji & { readonly userId: number })[];
}

export interface Text {
  readonly content: string;
  /** Absent when the content is plain. */
  readonly rendered?: string;
}

/** A text with the mentioned users (ascending, absent when there are none) and the files that it refers to. */
export interface EditedText extends Text {
  readonly mentions?: readonly number[];
  /** Absent when it refers to none. */
  readonly files?: readonly FileReference[];
}
