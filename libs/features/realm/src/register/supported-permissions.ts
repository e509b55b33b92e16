import { CHANNEL_PERMISSIONS, mayNameEveryoneInChannel } from '#channels/model';
import { GROUP_PERMISSIONS } from '#groups/model';
import { isAtLevel, nameAtLevel } from '../model/server/interface-levels.js';
import { REALM_PERMISSIONS, type RealmPermission } from '../model/settings/realm-permissions.js';

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
      Object.entries(CHANNEL_PERMISSIONS)
        // Clients go through this list, and stop at a setting that they do not know.
        .filter(([name]) => isAtLevel('channel', name))
        .map(([name, holder]) => [
          name,
          {
            ...open,
            allow_nobody_group: true,
            allow_everyone_group: mayNameEveryoneInChannel(name),
            default_group_name: holder === 'creator' ? nameAtLevel('defaultGroup', 'channel_creator') : holder,
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
