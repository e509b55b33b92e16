import { badRequest } from '#kernel';
import type { Directory } from '#people';
import { GroupSettingSchema, type WireGroupSetting, systemGroupId, wireGroupSetting } from '#groups/model';
import { described, integer, list, named, nullable, object, partial, text, truth, type Wire, words } from '#wire';
import type { Channel } from './model/channels/channel.js';
import { CHANNEL_PERMISSION_NAMES, type ChannelPermission } from './model/channels/channel-permissions.js';
import type { Subscription } from './model/subscriptions/subscription.js';
import { subscriberFields } from './subscribers/subscriber-lists.js';
import type { InheritedNotifications } from './subscription-settings/inherited-notifications.js';

const CHANNEL_FIELDS = {
  stream_id: integer,
  name: text,
  is_archived: truth,
  description: described(text, 'Markdown.'),
  rendered_description: described(text, 'HTML.'),
  date_created: described(integer, 'Seconds since the epoch.'),
  creator_id: nullable(integer),
  invite_only: truth,
  is_web_public: truth,
  stream_post_policy: described(integer, 'The older form of can_send_message_group.'),
  is_announcement_only: described(truth, 'The oldest form of can_send_message_group.'),
  message_retention_days: nullable(integer),
  history_public_to_subscribers: truth,
  topics_policy: words<string>('inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'),
  first_message_id: nullable(integer),
  folder_id: nullable(integer),
  is_recently_active: truth,
  stream_weekly_traffic: nullable(integer),
  subscriber_count: integer,
  ...channelPermissionSchemas(),
};

/** A channel in wire format (objects.md, "Channel"; register.md §2). */
export const ChannelSchema = named('Channel', object(CHANNEL_FIELDS));
export type WireChannel = Wire<typeof ChannelSchema>;

/** All subscribers; of large channels, with `include_subscribers=partial`, only those who are active. */
const SUBSCRIBERS = partial({ subscribers: list(integer), partial_subscribers: list(integer) });

/** A channel as its subscriber sees it. */
export const SubscriptionSchema = named(
  'Subscription',
  object({
    ...CHANNEL_FIELDS,
    color: text,
    is_muted: truth,
    in_home_view: described(truth, 'The opposite of is_muted.'),
    pin_to_top: truth,
    desktop_notifications: nullable(truth),
    audible_notifications: nullable(truth),
    push_notifications: nullable(truth),
    email_notifications: nullable(truth),
    wildcard_mentions_notify: nullable(truth),
    ...SUBSCRIBERS,
  }),
);
export type WireSubscription = Wire<typeof SubscriptionSchema>;

/** A channel that the user has never subscribed to. */
export const NeverSubscribedSchema = named('NeverSubscribedChannel', object({ ...CHANNEL_FIELDS, ...SUBSCRIBERS }));

function channelPermissionSchemas(): Record<ChannelPermission, typeof GroupSettingSchema> {
  return Object.fromEntries(CHANNEL_PERMISSION_NAMES.map((name) => [name, GroupSettingSchema])) as Record<
    ChannelPermission,
    typeof GroupSettingSchema
  >;
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

const COLOR_SHAPE = /^#[0-9a-f]{3,6}$/;

/**
 * Normalises a colour: `#` and six lowercase digits. Fewer than six are read as three, whose further ones, such as the opacity of CSS,
 * are dropped.
 * @throws Refusal BAD_REQUEST
 */
export function normalizeColor(raw: string): string {
  const color = raw.trim().toLowerCase();
  if (!COLOR_SHAPE.test(color)) throw badRequest('color is not a valid hex color code');
  return color.length === 7 ? color : `#${[...color.slice(1, 4)].map((digit) => digit + digit).join('')}`;
}
