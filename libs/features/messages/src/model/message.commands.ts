import type { MessageSent, Place } from './messages.events.js';

/** Fields of every command to a message. The actor may read it: handlers check access. */
export interface ToMessage {
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
