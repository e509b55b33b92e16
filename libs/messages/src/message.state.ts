import type { Emoji } from './reaction-emoji.js';

/**
 * A message as its own stream tells it. That it was sent stands in another stream and comes with each command, and so does
 * where it stands now: moves may be told in another message's stream.
 */
export type MessageState = StandingMessage | { readonly phase: 'deleted' };

export interface StandingMessage {
  readonly phase: 'standing';
  /** What the newest edit made of it; undefined while it is as it was sent. */
  edited: EditedText | undefined;
  /** Oldest first. */
  reactions: (Emoji & { readonly userId: number })[];
}

export interface Text {
  readonly content: string;
  /** Absent when the content is plain. */
  readonly rendered?: string;
}

/** A text with whom it mentions: ascending, absent when nobody is. */
export interface EditedText extends Text {
  readonly mentions?: readonly number[];
}
