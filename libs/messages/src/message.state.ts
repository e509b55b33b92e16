import type { Emoji } from './reaction-emoji.js';

/** A message as its own stream tells it. Where it stands is not part of it: moves may be told in another message's stream. */
export type MessageState = { readonly phase: 'absent' } | StandingMessage | { readonly phase: 'deleted' };

export interface StandingMessage {
  readonly phase: 'standing';
  readonly senderId: number;
  /** When it was sent, in seconds since the epoch. */
  readonly at: number;
  content: string;
  /** Absent when the content is plain. */
  rendered: string | undefined;
  /** Oldest first. */
  reactions: (Emoji & { readonly userId: number })[];
}
