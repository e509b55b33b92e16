import { type GroupSetting, systemGroupId, type SystemGroupName } from '#groups/model';

/** A permission of the organization, and the groups that it may be given to. */
export interface RealmPermission {
  readonly defaultGroup: SystemGroupName;
  /** It may be given to `role:nobody` … */
  readonly allowsNobody: boolean;
  /** … and to `role:everyone`, guests included. */
  readonly allowsEveryone: boolean;
  /** Only these system groups; any group or list of users when absent. */
  readonly onlySystemGroups?: readonly SystemGroupName[];
  /** What its holders may. */
  readonly does: string;
  /** Administrators may change who holds it, unless that is for owners alone. */
  readonly by?: 'owners';
}

const permission = (
  defaultGroup: SystemGroupName,
  allowsNobody: boolean,
  allowsEveryone: boolean,
  does: string,
  more: Pick<RealmPermission, 'onlySystemGroups' | 'by'> = {},
): RealmPermission => ({ defaultGroup, allowsNobody, allowsEveryone, does, ...more });

const OWNERS = { by: 'owners' } as const;

/** Every permission of the organization, by its name in `PATCH /realm`: `realm_` and this is its name in the register response. */
export const REALM_PERMISSIONS = {
  create_multiuse_invite_group: permission('role:administrators', true, false, 'Make links that invite.', OWNERS),
  can_access_all_users_group: permission(
    'role:everyone',
    false,
    true,
    'Know all users; other guests know those whom they share a channel or a direct conversation with.',
    {
      onlySystemGroups: ['role:everyone', 'role:members'],
    },
  ),
  can_audit_group: permission(
    'role:nobody',
    true,
    false,
    'Read everything that was ever recorded; each of their calls is recorded with a reason.',
    OWNERS,
  ),
  can_add_custom_emoji_group: permission('role:members', true, false, 'Add emoji.'),
  can_add_subscribers_group: permission('role:members', true, false, 'Subscribe others to channels.'),
  can_create_bots_group: permission('role:members', true, false, 'Make bots of any kind.'),
  can_create_write_only_bots_group: permission('role:members', true, false, 'Make bots that can only send.'),
  can_create_groups: permission('role:members', true, false, 'Create user groups.', OWNERS),
  can_create_public_channel_group: permission('role:members', true, false, 'Create public channels.'),
  can_create_private_channel_group: permission('role:members', true, false, 'Create private channels.'),
  can_create_web_public_channel_group: permission('role:owners', true, false, 'Create web-public channels.', {
    onlySystemGroups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  can_delete_any_message_group: permission('role:administrators', true, false, "Delete other users' messages."),
  can_delete_own_message_group: permission(
    'role:everyone',
    true,
    true,
    'Delete what they sent, within the time limit.',
  ),
  can_invite_users_group: permission('role:members', true, false, 'Invite people.', OWNERS),
  can_manage_all_groups: permission('role:owners', false, false, 'Manage all user groups.', OWNERS),
  can_manage_billing_group: permission('role:administrators', false, false, 'See and change billing.'),
  can_mention_many_users_group: permission(
    'role:administrators',
    true,
    true,
    'Use wildcard and group mentions that reach many.',
  ),
  can_move_messages_between_channels_group: permission('role:members', true, false, 'Move messages to other channels.'),
  can_move_messages_between_topics_group: permission('role:everyone', true, true, 'Move messages to other topics.'),
  can_resolve_topics_group: permission('role:everyone', true, true, 'Mark topics as resolved.'),
  can_set_delete_message_policy_group: permission(
    'role:moderators',
    true,
    false,
    'Set who may delete messages of a channel.',
  ),
  can_set_topics_policy_group: permission('role:members', true, true, 'Set the topics policy of a channel.'),
  can_summarize_topics_group: permission('role:everyone', true, true, 'Have topics summarized.'),
  direct_message_initiator_group: permission('role:everyone', true, true, 'Begin direct conversations.'),
  direct_message_permission_group: permission(
    'role:everyone',
    true,
    true,
    'One of them has to be in every direct conversation.',
  ),
} as const satisfies Record<string, RealmPermission>;

export type RealmPermissionName = keyof typeof REALM_PERMISSIONS;

export const REALM_PERMISSION_NAMES = Object.keys(REALM_PERMISSIONS) as readonly RealmPermissionName[];

/** Who holds the permission in a new organization. */
export function realmPermission(name: RealmPermissionName): GroupSetting {
  return systemGroupId(REALM_PERMISSIONS[name].defaultGroup);
}
