import type { Directory } from '#people';
import type { SubscriptionSettingsChanged } from '../model/subscriptions/subscription.events.js';
import { marked, type SubscriptionBody, type SubscriptionEntry } from '../channel-entries.js';

/**
 * `subscription` `update` for each changed setting, for the subscriber alone (events.md §5). Muting is told in its older
 * form, `in_home_view`, as well.
 */
export function subscriptionUpdates(
  directory: Directory,
  { userId, changes }: SubscriptionSettingsChanged['data'],
): readonly SubscriptionEntry[] {
  const audience = { to: 'users', ids: [userId] } as const;
  return changes.flatMap(({ channelId, setting, value }) => {
    const update = (property: string, value: boolean | string): SubscriptionEntry => {
      const body: SubscriptionBody = { op: 'update', stream_id: channelId, property, value };
      const isArchived = directory.channel(channelId)?.isArchived === true;
      return { type: 'subscription', audience, body: marked(body, isArchived) };
    };
    const told = update(setting, value);
    return setting === 'is_muted' ? [update('in_home_view', value !== true), told] : [told];
  });
}
