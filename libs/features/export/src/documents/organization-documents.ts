import {
  defaultGroupsPart,
  foldersPart,
  type Channel,
  SUBSCRIPTION_SETTINGS,
  type SubscriptionSetting,
} from '#channels/model';
import type { JsonObject } from '#kernel';
import { preferencesPart } from '#preferences/model';
import { statusesPart } from '#presence/model';
import type { ArchiveReaders } from '#reading';
import type { Directory } from '#people';
import { EMAIL_VISIBILITY, emailVisibilityOf, type User } from '#users/model';
import { REALM_PERMISSION_NAMES, domainsPart, linkifiersPart, playgroundsPart } from '#realm/model';

/** Settings of the organization, and its lists (docs/export.md, "Organization"). */
export function organizationDocument(directory: Directory): JsonObject {
  const { organization, settings, userDefaults, profileFields } = directory;
  const permissions = REALM_PERMISSION_NAMES.map((name) => [name, directory.permission(name)] as const);
  return asJson({
    name: organization.name,
    created_at: organization.createdAt,
    settings,
    permissions: Object.fromEntries(permissions),
    user_defaults: userDefaults,
    linkifiers: directory.of(linkifiersPart).inOrder,
    domains: directory.of(domainsPart).inOrder,
    playgrounds: directory.of(playgroundsPart).inOrder,
    profile_fields: profileFields.fields,
    channel_folders: directory.of(foldersPart).inOrder,
    default_channel_groups: directory.of(defaultGroupsPart).all,
  });
}

/** @param knowsAll whether addresses that nobody may see are shown */
export function userDocument(user: User, knowsAll: boolean): JsonObject {
  return asJson({
    id: user.userId,
    full_name: user.fullName,
    email: knowsAll || emailVisibilityOf(user) !== EMAIL_VISIBILITY.nobody ? user.email : null,
    role: user.role,
    is_active: user.isActive,
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    system_bot: user.systemBot ?? null,
    joined_at: user.joinedAt,
    timezone: user.timezone,
    profile: user.profile ?? {},
  });
}

export function* groupDocuments(directory: Directory): Generator<JsonObject> {
  for (const group of directory.groups())
    yield asJson({
      id: group.groupId,
      name: group.name,
      description: group.description,
      is_system_group: group.isSystemGroup,
      is_deactivated: group.isDeactivated,
      creator_id: group.creatorId,
      created_at: group.createdAt,
      member_ids: directory.directMemberIds(group),
      subgroup_ids: group.directSubgroups,
      permissions: group.permissions,
    });
}

/** Channels that somebody among the readers may read; all without readers. */
export function* channelDocuments(directory: Directory, readers: ArchiveReaders | undefined): Generator<JsonObject> {
  for (const channel of directory.channels()) {
    if (readers?.ofChannel(channel.channelId).length === 0) continue;
    yield channelDocument(channel, directory.subscriberIds(channel.channelId));
  }
}

function channelDocument(channel: Channel, subscriberIds: readonly number[]): JsonObject {
  return asJson({
    id: channel.channelId,
    name: channel.name,
    description: channel.description,
    html: channel.renderedDescription,
    invite_only: channel.inviteOnly,
    is_web_public: channel.isWebPublic,
    history_public_to_subscribers: channel.historyPublicToSubscribers,
    message_retention_days: channel.messageRetentionDays,
    topics_policy: channel.topicsPolicy,
    folder_id: channel.folderId,
    permissions: channel.permissions,
    is_default: channel.isDefault,
    is_archived: channel.isArchived,
    creator_id: channel.creatorId,
    created_at: channel.createdAt,
    subscriber_ids: subscriberIds,
  });
}

/** What only the user knows: settings, mutes, alert words, topics, subscriptions. */
export function personalDocument(directory: Directory, { userId }: User): JsonObject {
  const { settings, mutes, alertWords, topics, onboardingSteps } = directory.of(preferencesPart).of(userId);
  return asJson({
    user_id: userId,
    settings: Object.fromEntries(settings),
    status: directory.of(statusesPart).of(userId),
    alert_words: [...alertWords.values()],
    muted_users: Array.from(mutes, ([mutedUserId, since]) => ({ user_id: mutedUserId, since })),
    topics: [...topics.values()].map(({ channelId, topic, policy, updatedAt }) => {
      return { channel_id: channelId, topic, policy, updated_at: updatedAt };
    }),
    onboarding_steps: onboardingSteps,
    subscriptions: [...directory.subscriptionsOf(userId)].map((subscription) => ({
      channel_id: subscription.channelId,
      is_active: subscription.active,
      ...Object.fromEntries(
        (Object.keys(SUBSCRIPTION_SETTINGS) as SubscriptionSetting[]).map((name) => [
          name,
          subscription[SUBSCRIPTION_SETTINGS[name]],
        ]),
      ),
    })),
  });
}

/** Records of the directory are plain data. */
function asJson(record: object): JsonObject {
  return record as JsonObject;
}
