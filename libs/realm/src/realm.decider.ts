import { isDeepStrictEqual } from 'node:util';
import { badRequest, Refusal } from '#kernel';
import {
  assertUsableSetting,
  CHANGEABLE_PERMISSIONS,
  normalizeGroupSetting,
  REALM_PERMISSIONS,
  ROLE,
  SYSTEM_GROUPS,
  type ChangeablePermission,
  type Directory,
  type GroupSetting,
  type OrganizationEvent,
  type RealmPermission,
} from '#organization';
import type { ChangeRealm, PermissionUpdate } from './realm.commands.js';

/**
 * Changes what the organization decides (endpoints.md §12, PATCH /realm). What is asked to be as it is, is no change.
 * @throws Refusal UNAUTHORIZED_PRINCIPAL, EXPECTATION_MISMATCH, SYSTEM_GROUP_REQUIRED, BAD_REQUEST
 */
export function decideRealmChange(directory: Directory, command: ChangeRealm): readonly OrganizationEvent[] {
  const { actor, at } = command;
  if (actor.role > ROLE.administrator) {
    throw new Refusal('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator');
  }
  const settings = changesAmong(command.settings, directory.settings);
  const moderation = settings.moderation_request_channel_id ?? -1;
  if (moderation !== -1 && directory.channel(moderation)?.isArchived !== false) throw badRequest('Invalid channel ID');
  const permissions: Partial<Record<ChangeablePermission, GroupSetting>> = {};
  for (const name of CHANGEABLE_PERMISSIONS) {
    const update = command.permissions[name];
    if (update === undefined) continue;
    const value = acceptedHolders(directory, name, update);
    if (!isDeepStrictEqual(value, directory.permission(name))) permissions[name] = value;
  }
  const changes = {
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(Object.keys(permissions).length === 0 ? {} : { permissions }),
  };
  if (Object.keys(changes).length === 0) return [];
  return [{ type: 'organization.settings-changed.v1', data: { ...changes, by: actor.userId, at } }] as const;
}

function changesAmong<Settings extends object>(asked: Settings, current: object): Settings {
  const known = current as Readonly<Record<string, unknown>>;
  const changed = Object.entries(asked).filter(([name, value]) => value !== undefined && value !== known[name]);
  return Object.fromEntries(changed) as Settings;
}

function acceptedHolders(directory: Directory, name: ChangeablePermission, update: PermissionUpdate): GroupSetting {
  const current = directory.permission(name);
  if (update.old !== undefined && !isDeepStrictEqual(normalizeGroupSetting(update.old), current)) {
    throw new Refusal('EXPECTATION_MISMATCH', "'old' value does not match the expected value.", { field_name: 'old' });
  }
  const value = normalizeGroupSetting(update.new);
  assertUsableSetting(directory, value);
  assertAllowed(name, value);
  return value;
}

function assertAllowed(name: ChangeablePermission, value: GroupSetting): void {
  const rule: RealmPermission = REALM_PERMISSIONS[name];
  const group = typeof value === 'number' ? SYSTEM_GROUPS.find(({ groupId }) => groupId === value)?.name : undefined;
  if (rule.onlySystemGroups !== undefined && (group === undefined || !rule.onlySystemGroups.includes(group))) {
    throw new Refusal('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`, { setting_name: name });
  }
  if (group === 'role:nobody' && !rule.allowsNobody) throw badRequest(`'${name}' cannot be set to 'role:nobody'.`);
  if (!rule.allowsEveryone && includesEveryone(value)) throw badRequest(`'${name}' cannot be set to 'role:everyone'.`);
}

function includesEveryone(value: GroupSetting): boolean {
  const everyone = SYSTEM_GROUPS.find(({ name }) => name === 'role:everyone')?.groupId;
  const groups = typeof value === 'number' ? [value] : value.directSubgroups;
  return groups.some((groupId) => groupId === everyone);
}
