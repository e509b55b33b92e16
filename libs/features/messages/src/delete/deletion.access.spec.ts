import { Directory } from '#people';
import { ROLE } from '#users/model';
import { preferencesPart } from '#preferences/model';
import { sampleUser } from '#testing';
import { mayDelete } from './deletion.access.js';

const member = sampleUser(1);
const guest = sampleUser(2, { role: ROLE.guest });
const both = { directMembers: [member.userId, guest.userId], directSubgroups: [] };

test('a guest who is named deletes only their own messages', () => {
  const directory = new Directory([preferencesPart]);
  const permissions = { can_delete_any_message_group: both, can_delete_own_message_group: both };
  directory.evolve({ type: 'organization.settings-changed.v1', data: { permissions, by: 1, at: 1 } }, 1);
  const may = (whose: 'any' | 'own') => [member, guest].map((user) => mayDelete(directory, user, undefined, whose));
  expect([may('any'), may('own')]).toEqual([
    [true, false],
    [true, true],
  ]);
});
