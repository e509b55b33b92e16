import type { Mentioned } from '../model/mentioned-outside.js';
import type { Place } from '../model/messages.events.js';

export interface ExpiringMessage {
  readonly id: number;
  /** Seconds since the epoch. */
  readonly sentAt: number;
  /** Position of its last arrival in another channel; undefined when it was never moved there. */
  readonly arrival: number | undefined;
}

/** Messages of one place, ascending. */
export interface ExpiringPlace {
  readonly place: Place;
  readonly messages: readonly ExpiringMessage[];
  readonly mentioned: Mentioned;
  /** The oldest message left in the channel when all messages of the command are gone; undefined while its oldest one stays. */
  readonly firstLeft: number | null | undefined;
}

/** Removes messages whose time is over: those of one channel, or direct ones. */
export interface ExpireMessages {
  /** The first of them. */
  readonly messageId: number;
  /** Seconds since the epoch. */
  readonly at: number;
  /** `message_retention_days` of the organization, and of the channel; null for direct messages. */
  readonly organizationDays: number;
  readonly channelDays: number | null;
  readonly places: readonly ExpiringPlace[];
}
