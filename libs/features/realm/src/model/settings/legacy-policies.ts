import type { SystemGroupName } from '#groups/model';
import type { RealmPermissionName } from './realm-permissions.js';

/** Integers used before permissions were groups; some clients still read them. */
const COMMON_POLICY: Readonly<Record<SystemGroupName, number>> = {
  'role:owners': 7,
  'role:administrators': 2,
  'role:moderators': 4,
  'role:fullmembers': 3,
  'role:members': 1,
  'role:everyone': 5,
  'role:internet': 5,
  'role:nobody': 6,
};
const WILDCARD_MENTION_POLICY: Readonly<Record<SystemGroupName, number>> = {
  'role:owners': 5,
  'role:administrators': 5,
  'role:moderators': 7,
  'role:fullmembers': 3,
  'role:members': 2,
  'role:everyone': 1,
  'role:internet': 1,
  'role:nobody': 6,
};

/** All members, incoming webhooks alone, or administrators alone. */
const BOT_CREATION_POLICY = { everyone: 1, incomingWebhooks: 2, administrators: 3 } as const;
const ADMINISTRATORS: ReadonlySet<SystemGroupName> = new Set(['role:owners', 'role:administrators', 'role:nobody']);

/**
 * The older integer settings derived from the groups, without the prefix `realm_`.
 * @param groupOf the smallest system group that contains all holders of the permission
 */
export function legacyPolicies(
  groupOf: (name: RealmPermissionName) => SystemGroupName,
): Readonly<Record<string, number>> {
  const common = (name: RealmPermissionName): number => COMMON_POLICY[groupOf(name)];
  return {
    add_custom_emoji_policy: common('can_add_custom_emoji_group'),
    bot_creation_policy: botCreationPolicy(groupOf),
    user_group_edit_policy: common('can_create_groups'),
    create_public_stream_policy: common('can_create_public_channel_group'),
    create_private_stream_policy: common('can_create_private_channel_group'),
    create_web_public_stream_policy: common('can_create_web_public_channel_group'),
    delete_own_message_policy: common('can_delete_own_message_group'),
    invite_to_realm_policy: common('can_invite_users_group'),
    invite_to_stream_policy: common('can_add_subscribers_group'),
    move_messages_between_streams_policy: common('can_move_messages_between_channels_group'),
    edit_topic_policy: common('can_move_messages_between_topics_group'),
    wildcard_mention_policy: WILDCARD_MENTION_POLICY[groupOf('can_mention_many_users_group')],
  };
}

function botCreationPolicy(groupOf: (name: RealmPermissionName) => SystemGroupName): number {
  if (!ADMINISTRATORS.has(groupOf('can_create_bots_group'))) return BOT_CREATION_POLICY.everyone;
  if (!ADMINISTRATORS.has(groupOf('can_create_write_only_bots_group'))) return BOT_CREATION_POLICY.incomingWebhooks;
  return BOT_CREATION_POLICY.administrators;
}
