import { sampleUser } from '#testing';
import { Directory } from '#people';
import { ROLE } from '#users/model';
import { newGroupPermissions } from './group-permissions.js';
import type { GroupSetting } from './group-setting.js';
import { smallestSystemGroup } from './smallest-group.js';
import { SYSTEM_GROUPS, systemGroupId } from './system-groups.js';

const [OWNER, MODERATOR, MEMBER, GUEST, GONE] = [1, 2, 3, 4, 5];
const group = (groupId: number, directMembers: number[], directSubgroups: number[] = []) => ({
  groupId,
  name: `group ${groupId}`,
  description: '',
  isSystemGroup: false,
  permissions: newGroupPermissions(1),
  directMembers,
  directSubgroups,
});
const directory = new Directory();
directory.restore({
  ...directory.snapshot(),
  users: [
    sampleUser(OWNER, { role: ROLE.owner }),
    sampleUser(MODERATOR, { role: ROLE.moderator }),
    sampleUser(MEMBER),
    sampleUser(GUEST, { role: ROLE.guest }),
    sampleUser(GONE, { role: ROLE.guest, isActive: false }),
  ],
  groups: [
    ...SYSTEM_GROUPS.map((one) => ({ ...one, isSystemGroup: true, directMembers: [] })),
    group(20, [OWNER], [21]),
    group(21, [MODERATOR]),
    group(22, [MEMBER], [systemGroupId('role:moderators')]),
    group(23, []),
  ],
});
const those = (directMembers: number[], ...directSubgroups: number[]): GroupSetting => ({
  directMembers,
  directSubgroups,
});

test.each<[string, GroupSetting, string]>([
  ['a system group is its own', systemGroupId('role:everyone'), 'role:everyone'],
  ['people alone', those([OWNER]), 'role:owners'],
  ['a group with a group below', 20, 'role:moderators'],
  ['a group with a system group below', 22, 'role:fullmembers'],
  ['people and groups together', those([GUEST], 20), 'role:everyone'],
  ['without those who are deactivated', those([OWNER, GONE]), 'role:owners'],
  ['an empty group', 23, 'role:nobody'],
  ['nobody', those([]), 'role:nobody'],
])('%s', (_, setting, expected) => {
  expect(smallestSystemGroup(directory, setting)).toBe(expected);
});

test('only the members of the groups are looked at, not all users', () => {
  const users = jest.spyOn(directory, 'users');
  smallestSystemGroup(directory, those([GUEST], 20));
  expect(users).not.toHaveBeenCalled();
});
