import { badRequest } from '#kernel';
import {
  CHANNEL_PERMISSION_NAMES,
  systemGroupId,
  wireGroupSetting,
  type Channel,
  type ChannelPermission,
  type Directory,
  type Subscription,
  type WireGroupSetting,
} from '#organization';
import { subscriberFields } from './subscribers/subscriber-lists.js';
import type { InheritedNotifications } from './subscription-settings/inherited-notifications.js';

/** A channel in wire format (objects.md, "Channel"; register.md §2). */
export interface WireChannel extends Readonly<Record<ChannelPermission, WireGroupSetting>> {
  readonly stream_id: number;
  readonly name: string;
  readonly is_archived: boolean;
  readonly description: string;
  readonly rendered_description: string;
  readonly date_created: number;
  readonly creator_id: number | null;
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly stream_post_policy: number;
  readonly is_announcement_only: boolean;
  readonly message_retention_days: number | null;
  readonly history_public_to_subscribers: boolean;
  readonly topics_policy: string;
  readonly first_message_id: number | null;
  readonly folder_id: number | null;
  readonly is_recently_active: boolean;
  readonly stream_weekly_traffic: number | null;
  readonly subscriber_count: number;
}

/** A channel as its subscriber sees it. */
export interface WireSubscription extends WireChannel {
  readonly color: string;
  readonly is_muted: boolean;
  readonly in_home_view: boolean;
  readonly pin_to_top: boolean;
  readonly desktop_notifications: boolean | null;
  readonly audible_notifications: boolean | null;
  readonly push_notifications: boolean | null;
  readonly email_notifications: boolean | null;
  readonly wildcard_mentions_notify: boolean | null;
  readonly subscribers?: readonly number[];
  readonly partial_subscribers?: readonly number[];
}

/** Order of channels in lists, the same in each locale. */
export function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  if (one.name === other.name) return 0;
  return one.name < other.name ? -1 : 1;
}

/** @param position log position of the counted subscribers; now when absent */
export function wireChannel(directory: Directory, channel: Channel, position?: number): WireChannel {
  const subscriberCount =
    position === undefined
      ? directory.subscriberCount(channel.channelId)
      : directory.subscriberIdsAt(channel.channelId, position).length;
  return { ...wireChannelFields(directory, channel), subscriber_count: subscriberCount };
}

export interface WireSubscriptionOptions {
  readonly includeSubscribers: boolean;
  /** Subscribers to list of large channels; all when absent. */
  readonly isListed?: (userId: number) => boolean;
  /** Log position of the listed and counted subscribers; now when absent. */
  readonly position?: number;
  /** For clients that do not know null in settings of notifications. */
  readonly inherited?: InheritedNotifications;
}

export function wireSubscription(
  directory: Directory,
  channel: Channel,
  subscription: Subscription,
  { includeSubscribers, isListed, position, inherited }: WireSubscriptionOptions,
): WireSubscription {
  const { channelId } = channel;
  return {
    ...wireChannel(directory, channel, position),
    color: subscription.color,
    is_muted: subscription.isMuted,
    in_home_view: !subscription.isMuted,
    pin_to_top: subscription.pinToTop,
    desktop_notifications: subscription.desktopNotifications ?? inherited?.desktop_notifications ?? null,
    audible_notifications: subscription.audibleNotifications ?? inherited?.audible_notifications ?? null,
    push_notifications: subscription.pushNotifications ?? inherited?.push_notifications ?? null,
    email_notifications: subscription.emailNotifications ?? inherited?.email_notifications ?? null,
    wildcard_mentions_notify: subscription.wildcardMentionsNotify ?? inherited?.wildcard_mentions_notify ?? null,
    ...(includeSubscribers ? subscriberFields(subscriberIds(directory, channelId, position), isListed) : {}),
  };
}

function subscriberIds(directory: Directory, channelId: number, position: number | undefined): readonly number[] {
  return position === undefined ? directory.subscriberIds(channelId) : directory.subscriberIdsAt(channelId, position);
}

type FixedPart = Omit<WireChannel, 'subscriber_count'>;

interface CachedPart {
  readonly standings: number;
  readonly part: FixedPart;
}

/** Cached by record: channels are replaced, never mutated. Deactivated users are not among the holders of permissions. */
const fixedParts = new WeakMap<Channel, CachedPart>();

/** The channel in wire format without its count of subscribers; the same object until something in it may have changed. */
export function wireChannelFields(directory: Directory, channel: Channel): FixedPart {
  const standings = directory.userStandings;
  let known = fixedParts.get(channel);
  if (known?.standings !== standings)
    fixedParts.set(channel, (known = { standings, part: makeFixedPart(directory, channel) }));
  return known.part;
}

function makeFixedPart(directory: Directory, channel: Channel): FixedPart {
  const permissions = Object.fromEntries(
    CHANNEL_PERMISSION_NAMES.map((name) => [name, wireGroupSetting(directory, channel.permissions[name])]),
  ) as Record<ChannelPermission, WireGroupSetting>;
  const postPolicy = legacyPostPolicy(permissions);
  return {
    stream_id: channel.channelId,
    name: channel.name,
    is_archived: channel.isArchived,
    description: channel.description,
    rendered_description: channel.renderedDescription,
    date_created: channel.createdAt,
    creator_id: channel.creatorId,
    invite_only: channel.inviteOnly,
    is_web_public: channel.isWebPublic,
    stream_post_policy: postPolicy,
    is_announcement_only: postPolicy === POST_POLICY.administrators,
    message_retention_days: channel.messageRetentionDays,
    history_public_to_subscribers: channel.historyPublicToSubscribers,
    topics_policy: channel.topicsPolicy,
    first_message_id: channel.firstMessageId,
    folder_id: channel.folderId,
    is_recently_active: true,
    stream_weekly_traffic: null,
    ...permissions,
  };
}

const POST_POLICY = { everyone: 1, administrators: 2, fullMembers: 3, moderators: 4 } as const;

/** The nearest of the four values that older clients know. */
function legacyPostPolicy({ can_send_message_group: holders }: Pick<WireChannel, 'can_send_message_group'>): number {
  switch (holders) {
    case systemGroupId('role:owners'):
    case systemGroupId('role:administrators'):
    case systemGroupId('role:nobody'):
      return POST_POLICY.administrators;
    case systemGroupId('role:moderators'):
      return POST_POLICY.moderators;
    case systemGroupId('role:fullmembers'):
      return POST_POLICY.fullMembers;
    default:
      return POST_POLICY.everyone;
  }
}

const COLOR_SHAPE = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/;

/**
 * Normalises a colour: `#` and six lowercase digits.
 * @throws Refusal BAD_REQUEST
 */
export function normalizeColor(raw: string): string {
  const color = raw.trim().toLowerCase();
  if (!COLOR_SHAPE.test(color)) throw badRequest('color is not a valid hex color code');
  return color.length === 7 ? color : `#${[...color.slice(1)].map((digit) => digit + digit).join('')}`;
}
