import { sampleUser } from '#testing';
import { Directory } from '#people';
import { ROLE } from '#users/model';
import { holdsRealmPermission } from './realm.access.js';
import type { RealmPermissionName } from './realm-permissions.js';

const member = sampleUser(1);
const guest = sampleUser(2, { role: ROLE.guest });
const both = { directMembers: [member.userId, guest.userId], directSubgroups: [] };

test.each<[RealmPermissionName, boolean]>([
  ['can_create_groups', false],
  ['can_delete_any_message_group', false],
  ['can_move_messages_between_channels_group', false],
  ['can_resolve_topics_group', true],
])('%s, which everyone may or may not have: a guest who is named holds it, %p', (name, expected) => {
  const directory = new Directory();
  const permissions = { [name]: both };
  directory.evolve({ type: 'organization.settings-changed.v1', data: { permissions, by: 1, at: 1 } }, 1);
  expect(holdsRealmPermission(directory, guest, name)).toBe(expected);
  expect(holdsRealmPermission(directory, member, name)).toBe(true);
  expect(holdsRealmPermission(directory, { ...member, isActive: false }, name)).toBe(false);
});
