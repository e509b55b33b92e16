import { badRequest } from '#kernel';
import type { Directory } from './directory.js';
import type { GroupSetting } from './group-setting.js';

/** @throws Refusal BAD_REQUEST for a value that names a group or user who does not exist, or everyone on the Internet */
export function assertUsableSetting(directory: Directory, value: GroupSetting): void {
  const groups = typeof value === 'number' ? [value] : value.directSubgroups;
  const members = typeof value === 'number' ? [] : value.directMembers;
  for (const groupId of groups) {
    const group = directory.group(groupId);
    if (group === undefined || group.name === 'role:internet') throw badRequest('Invalid user group');
  }
  for (const userId of members) {
    if (directory.user(userId)?.isActive !== true) throw badRequest(`Invalid user ID: ${userId}`);
  }
}
