import { type GroupSetting, systemGroupId, type SystemGroupName } from '#groups/model';

/**
 * Permission settings of a channel by their names on the wire, with their defaults in a new channel (register.md §3).
 */
export const CHANNEL_PERMISSIONS = {
  can_add_subscribers_group: 'role:nobody',
  can_administer_channel_group: 'creator',
  can_create_topic_group: 'role:everyone',
  can_delete_any_message_group: 'role:nobody',
  can_delete_own_message_group: 'role:nobody',
  can_move_messages_out_of_channel_group: 'role:nobody',
  can_move_messages_within_channel_group: 'role:nobody',
  can_remove_subscribers_group: 'role:administrators',
  can_resolve_topics_group: 'role:nobody',
  can_send_message_group: 'role:everyone',
  can_subscribe_group: 'role:nobody',
} as const satisfies Record<string, SystemGroupName | 'creator'>;

export type ChannelPermission = keyof typeof CHANNEL_PERMISSIONS;

export const CHANNEL_PERMISSION_NAMES = Object.keys(CHANNEL_PERMISSIONS) as readonly ChannelPermission[];

/** These give access to content or to the channel's settings, which guests never have from outside (rules.md §14). */
const NOT_FOR_EVERYONE: ReadonlySet<string> = new Set([
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_subscribe_group',
] satisfies ChannelPermission[]);

/** Whether the setting may be given to `role:everyone`, guests included. */
export function mayNameEveryoneInChannel(name: string): boolean {
  return !NOT_FOR_EVERYONE.has(name);
}

export function defaultChannelPermission(name: ChannelPermission, creatorId: number | null): GroupSetting {
  const holder = CHANNEL_PERMISSIONS[name];
  if (holder !== 'creator') return systemGroupId(holder);
  return creatorId === null ? systemGroupId('role:nobody') : { directMembers: [creatorId], directSubgroups: [] };
}
