import { badRequest, Refusal } from '#kernel';
import type { DirectoryParts } from '#directory';
import { usersPart } from '#users/model';
import {
  type GroupSetting,
  type GroupSettingUpdate,
  groupsNamedBy,
  isSameSetting,
  normalizeGroupSetting,
} from './group-setting.js';
import { shownSetting } from './shown-setting.js';
import { groupsPart } from './groups.part.js';

/**
 * Checks that the groups and users of the value can hold a permission.
 * @throws Refusal BAD_REQUEST for a group that does not exist, is deactivated or is everyone on the Internet, and for a
 * user who does not exist, is deactivated or is one of the server's own bots
 */
export function assertUsableSetting(directory: DirectoryParts, value: GroupSetting): void {
  for (const groupId of groupsNamedBy(value)) {
    const group = directory.of(groupsPart).get(groupId);
    if (group === undefined || group.name === 'role:internet') throw badRequest('Invalid user group');
    if (group.isDeactivated) throw badRequest('User group is deactivated.');
  }
  const members = typeof value === 'number' ? [] : value.directMembers;
  for (const userId of members) {
    const user = directory.of(usersPart).get(userId);
    if (user?.isActive !== true || user.systemBot !== undefined) throw badRequest(`Invalid user ID: ${userId}`);
  }
}

/**
 * The new value of a setting.
 * @throws Refusal EXPECTATION_MISMATCH when the client expects another old value, BAD_REQUEST as `assertUsableSetting`
 */
export function acceptUpdate(
  directory: DirectoryParts,
  update: GroupSettingUpdate,
  current: GroupSetting,
): GroupSetting {
  const expected = update.old ?? undefined;
  if (expected !== undefined && !isSameSetting(normalizeGroupSetting(expected), shownSetting(directory, current)))
    throw new Refusal('EXPECTATION_MISMATCH', "'old' value does not match the expected value.", { field_name: 'old' });
  const value = normalizeGroupSetting(update.new);
  assertUsableSetting(directory, value);
  return value;
}
