import type { Directory } from '../directory/directory.js';
import { ROLE } from '../groups/system-groups.js';
import { isOperator } from '../users/operator.js';
import type { User } from '../users/user.js';
import { REALM_PERMISSIONS, type RealmPermissionName } from './realm-permissions.js';

/** Whether the user holds one of the organization's permissions. A guest holds only permissions that `role:everyone` may have, even when a setting names them (rules.md §3). */
export function holdsRealmPermission(directory: Directory, user: User, name: RealmPermissionName): boolean {
  if (isOperator(user)) return true;
  if (user.role >= ROLE.guest && !REALM_PERMISSIONS[name].allowsEveryone) return false;
  return directory.holds(user, directory.permission(name));
}
