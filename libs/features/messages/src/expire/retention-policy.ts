import type { RetentionPolicy } from '../model/messages.events.js';

const DAY_SECONDS = 86_400;

/**
 * What decides how long the messages of a place are kept; undefined when they are kept forever.
 * @param organizationDays setting of the organization: -1 keeps forever
 * @param channelDays setting of the channel: null is as the organization's, -1 keeps forever; direct messages have none
 */
export function retentionPolicy(organizationDays: number, channelDays: number | null): RetentionPolicy | undefined {
  if (channelDays !== null) return channelDays < 1 ? undefined : { days: channelDays, of: 'channel' };
  return organizationDays < 1 ? undefined : { days: organizationDays, of: 'organization' };
}

/** The newest time of sending at which a message's time is over. Seconds since the epoch, like `at`. */
export function expiredUntil({ days }: RetentionPolicy, at: number): number {
  return at - days * DAY_SECONDS;
}

/** When a message that was sent then has been kept long enough. Seconds since the epoch, like `sentAt`. */
export function goneAt({ days }: RetentionPolicy, sentAt: number): number {
  return sentAt + days * DAY_SECONDS;
}
