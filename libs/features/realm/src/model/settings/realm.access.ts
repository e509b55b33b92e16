import type { DirectoryParts } from '#directory';
import { ROLE, isOperator, type User } from '#users/model';
import { groupsPart } from '#groups/model';
import { REALM_PERMISSIONS, type RealmPermissionName } from './realm-permissions.js';
import { realmPart } from '../realm.part.js';

/** Whether the user holds one of the organization's permissions. A guest holds only permissions that `role:everyone` may have, even when a setting names them (rules.md §3). */
export function holdsRealmPermission(directory: DirectoryParts, user: User, name: RealmPermissionName): boolean {
  if (isOperator(user)) return true;
  if (user.role >= ROLE.guest && !REALM_PERMISSIONS[name].allowsEveryone) return false;
  return directory.of(groupsPart).holds(user, directory.of(realmPart).permissions[name]);
}
