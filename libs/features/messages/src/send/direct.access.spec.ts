import { Directory } from '#people';
import { NEW_REALM } from '#realm/model';
import { ROLE, type User } from '#users/model';
import { systemGroupId, SYSTEM_GROUPS } from '#groups/model';
import { preferencesPart } from '#preferences/model';
import { sampleUser } from '#testing';
import { mayBeginConversations, mayWriteDirectly } from './direct.access.js';

const member = sampleUser(1);
const other = sampleUser(2);
const admin = sampleUser(3, { role: ROLE.administrator });
const bot = sampleUser(4, { botType: 1 });

/** A realm in which this group has both permissions. */
function realm(group: 'role:everyone' | 'role:administrators' | 'role:nobody'): Directory {
  const directory = new Directory([preferencesPart]);
  const groups = SYSTEM_GROUPS.map((one) => ({ ...one, isSystemGroup: true, directMembers: [] }));
  const permissions = {
    ...NEW_REALM.permissions,
    direct_message_permission_group: systemGroupId(group),
    direct_message_initiator_group: systemGroupId(group),
  };
  directory.restore({ ...directory.snapshot(), groups, realm: { ...NEW_REALM, permissions } });
  return directory;
}

// Sender and recipients, whether they may write, and whether they may start.
test.each<['role:everyone' | 'role:administrators' | 'role:nobody', User, User[], boolean, boolean]>([
  ['role:everyone', member, [other], true, true],
  ['role:administrators', member, [other], false, false],
  ['role:administrators', member, [other, admin], true, false],
  ['role:administrators', admin, [member], true, true],
  ['role:nobody', admin, [member], false, false],
  ['role:nobody', member, [bot], true, true],
  ['role:nobody', member, [bot, other], false, false],
  ['role:nobody', bot, [member], true, true],
  ['role:nobody', member, [member], true, true],
  ['role:nobody', member, [], true, true],
])('%s', (group, sender, others, mayWrite, mayBegin) => {
  expect(mayWriteDirectly(realm(group), sender, others)).toBe(mayWrite);
  expect(mayBeginConversations(realm(group), sender, others)).toBe(mayBegin);
});
