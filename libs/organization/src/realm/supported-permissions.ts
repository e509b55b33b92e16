import { CHANNEL_PERMISSIONS } from '../channels/channel-permissions.js';
import { GROUP_PERMISSIONS } from '../groups/group-permissions.js';
import { REALM_PERMISSIONS, type RealmPermission } from './realm-permissions.js';

const CHANNEL_PERMISSIONS_FOR_EVERYONE: ReadonlySet<string> = new Set([
  'can_create_topic_group',
  'can_delete_own_message_group',
  'can_move_messages_within_channel_group',
  'can_resolve_topics_group',
  'can_send_message_group',
]);

/** `server_supported_permission_settings`: the allowed values of each permission setting. */
export function supportedPermissionSettings() {
  const open = { require_system_group: false, allow_internet_group: false, allowed_system_groups: [] };
  return {
    realm: Object.fromEntries(
      Object.entries<RealmPermission>(REALM_PERMISSIONS).map(([name, setting]) => [
        name,
        {
          require_system_group: setting.onlySystemGroups !== undefined,
          allow_internet_group: false,
          allow_nobody_group: setting.allowsNobody,
          allow_everyone_group: setting.allowsEveryone,
          default_group_name: setting.defaultGroup,
          default_for_system_groups: null,
          allowed_system_groups: setting.onlySystemGroups ?? [],
        },
      ]),
    ),
    stream: Object.fromEntries(
      Object.entries(CHANNEL_PERMISSIONS).map(([name, holder]) => [
        name,
        {
          ...open,
          allow_nobody_group: true,
          allow_everyone_group: CHANNEL_PERMISSIONS_FOR_EVERYONE.has(name),
          default_group_name: holder === 'creator' ? 'channel_creator' : holder,
          default_for_system_groups: null,
        },
      ]),
    ),
    group: Object.fromEntries(
      Object.entries(GROUP_PERMISSIONS).map(([name, holder]) => [
        name,
        {
          ...open,
          allow_nobody_group: true,
          allow_everyone_group: holder === 'role:everyone',
          default_group_name: holder === 'creator' ? 'group_creator' : holder,
          default_for_system_groups: 'role:nobody',
        },
      ]),
    ),
  };
}
