import { badRequest } from '#kernel';
import type { Directory } from '#people';
import type { User } from '#users/model';
import { accessChannelMetadata } from '../model/channels/channel.access.js';
import { SUBSCRIPTION_SETTINGS, type SubscriptionSetting } from '../model/subscriptions/subscription-settings.js';
import type { Subscription } from '../model/subscriptions/subscription.js';
import type { SubscriptionSettingsChanged } from '../model/subscriptions/subscription.events.js';
import { normalizeColor } from '../wire-channel.js';

/** A requested value of one setting of a subscription, not validated yet. */
export interface WantedSetting {
  readonly channelId: number;
  /** Name on the wire; `in_home_view` is the inverse of `is_muted`. */
  readonly property: string;
  readonly value: unknown;
}

export interface ChangeSubscriptions {
  readonly type: 'change-subscriptions';
  readonly actor: User;
  readonly wanted: readonly WantedSetting[];
  /** Seconds since the epoch. */
  readonly at: number;
}

type Change = SubscriptionSettingsChanged['data']['changes'][number];

/** A change has up to two client events, and one queue can receive 768 client events of one event. */
const CHANGES_PER_EVENT_MAX = 200;

/**
 * Changes the actor's settings of their subscriptions (endpoints.md §8, POST /users/me/subscriptions/properties), all of
 * them or none. Values that the settings have already are not recorded.
 * @throws Refusal BAD_REQUEST
 */
export function decideChangeSubscriptions(
  directory: Directory,
  { actor, wanted, at }: ChangeSubscriptions,
): readonly SubscriptionSettingsChanged[] {
  const { userId } = actor;
  const latest = new Map<string, Change['value']>();
  const changes: Change[] = [];
  for (const want of wanted) {
    const { setting, value } = acceptedValue(want);
    const { channelId } = want;
    const subscription = accessSubscription(directory, actor, channelId);
    const key = `${channelId} ${setting}`;
    const current = latest.get(key) ?? subscription[SUBSCRIPTION_SETTINGS[setting]];
    if (current === value) continue;
    latest.set(key, value);
    changes.push({ channelId, setting, value });
  }
  const events: SubscriptionSettingsChanged[] = [];
  for (let from = 0; from < changes.length; from += CHANGES_PER_EVENT_MAX) {
    const data = { userId, changes: changes.slice(from, from + CHANGES_PER_EVENT_MAX), at };
    events.push({ type: 'subscription.settings-changed.v1', data });
  }
  return events;
}

/** The setting that the property stands for, and its value in the form in which it is stored. */
function acceptedValue({
  property,
  value,
}: WantedSetting): Omit<Change, 'channelId'> & { setting: SubscriptionSetting } {
  if (property === 'color') {
    if (typeof value !== 'string') throw badRequest('color is not a string');
    return { setting: property, value: normalizeColor(value) };
  }
  if (property !== 'in_home_view' && !isSetting(property))
    throw badRequest(`Unknown subscription property: ${property}`);
  if (typeof value !== 'boolean') throw badRequest(`${property} is not a boolean`);
  return property === 'in_home_view' ? { setting: 'is_muted', value: !value } : { setting: property, value };
}

function isSetting(property: string): property is SubscriptionSetting {
  return Object.hasOwn(SUBSCRIPTION_SETTINGS, property);
}

/** Unknown and invisible channels are refused alike. */
function accessSubscription(directory: Directory, viewer: User, channelId: number): Subscription {
  accessChannelMetadata(directory, viewer, channelId);
  const subscription = directory.subscription(viewer.userId, channelId);
  if (subscription?.active !== true) throw badRequest(`Not subscribed to channel ID ${channelId}`);
  return subscription;
}
