import { IdSet } from '#kernel';
import { sampleUser } from '#testing';
import { Directory } from '#people';
import type { User } from '#users/model';
import { SYSTEM_GROUPS } from './system-groups.js';
import { mayMentionGroup } from './group.access.js';
import { newGroupPermissions } from './group-permissions.js';
import type { Group } from './group.js';

const ann = sampleUser(1);
const ben = sampleUser(2);
const bot = sampleUser(3, { botType: 1, botOwnerId: 1 });
const group: Group = {
  groupId: 20,
  name: 'cooks',
  description: '',
  isSystemGroup: false,
  isDeactivated: false,
  creatorId: 1,
  createdAt: 1,
  permissions: newGroupPermissions(1),
  directSubgroups: [],
  directMembers: IdSet.of([2]),
};
const systemGroups = SYSTEM_GROUPS.map((one) => ({ ...one, isSystemGroup: true, directMembers: [] }));
const directory = new Directory();
directory.restore({
  ...directory.snapshot(),
  users: [ann, ben, bot],
  groups: [...systemGroups, { ...group, directMembers: group.directMembers.pack() }],
});
const can_mention_group = { directMembers: [1], directSubgroups: [] };
const onlyAnn: Group = { ...group, permissions: { ...group.permissions, can_mention_group } };

test.each<[string, User, Group, boolean]>([
  ['all users, of a new group', ben, group, true],
  ['a holder of the permission', ann, onlyAnn, true],
  ['nobody else, members included', ben, onlyAnn, false],
  ["a holder's bot", bot, onlyAnn, true],
  ['nobody, of a deactivated group', ann, { ...group, isDeactivated: true }, false],
  ['nobody, of a system group', ann, { ...onlyAnn, isSystemGroup: true }, false],
])('%s', (_, author, mentioned, expected) => {
  expect(mayMentionGroup(directory, author, mentioned)).toBe(expected);
});
