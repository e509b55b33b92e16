import { rangesOf } from '#kernel';
import { arrivalsOf } from '../model/arrivals.js';
import { messageDecider } from '../model/message.decider.js';
import type { MessagesExpired } from '../model/messages.events.js';
import type { ExpireMessages } from './expiry.commands.js';
import { expiredUntil, retentionPolicy } from './retention-policy.js';

export const expiryDecider = messageDecider<ExpireMessages>((_, command) => decideExpire(command));

/**
 * An event for each place; none at all unless the time of every message is over. Nothing keeps a message longer than its policy:
 * a hold, once there is one, is a reason here to record nothing, and one in `DueMessages` to leave messages out.
 */
function decideExpire({ at, organizationDays, channelDays, places }: ExpireMessages): readonly MessagesExpired[] {
  const policy = retentionPolicy(organizationDays, channelDays);
  if (policy === undefined) return [];
  const until = expiredUntil(policy, at);
  if (places.some(({ messages }) => messages.some(({ sentAt }) => sentAt > until))) return [];
  return places.map(({ place, messages, mentioned, firstLeft }) => {
    const arrivals = arrivalsOf(messages);
    return {
      type: 'messages.expired.v1',
      data: {
        ids: rangesOf(messages.map(({ id }) => id)),
        place,
        arrivals: arrivals.length === 0 ? undefined : arrivals,
        mentioned: mentioned.length === 0 ? undefined : mentioned,
        firstLeft,
        policy,
        at,
      },
    };
  });
}
