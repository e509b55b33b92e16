import { sampleUser } from '#testing';
import { unknownUser } from '#people';
import { ROLE } from './role.js';
import { apiEmail, EMAIL_VISIBILITY, mayKnowEmail } from './email.access.js';
import { SPECTATOR } from './spectator.js';

const { everyone, members, moderators, administrators, nobody } = EMAIL_VISIBILITY;
const ROLES = Object.values(ROLE);

test.each([
  [everyone, ROLES],
  [members, [ROLE.owner, ROLE.administrator, ROLE.moderator, ROLE.member]],
  [moderators, [ROLE.owner, ROLE.administrator, ROLE.moderator]],
  [administrators, [ROLE.owner, ROLE.administrator]],
  [nobody, []],
  // What a later release may add.
  [9, []],
])('%d shows an address to these roles, and to its owner', (visibility, roles) => {
  const user = sampleUser(7, { emailVisibility: visibility, role: ROLE.guest });
  expect(ROLES.filter((role) => mayKnowEmail(sampleUser(8, { role }), user))).toEqual(roles);
  expect(mayKnowEmail(user, user)).toBe(true);
  expect(mayKnowEmail(SPECTATOR, user)).toBe(false);
});

test('users who may not be known have no address', () => {
  expect(mayKnowEmail(sampleUser(8, { role: ROLE.owner }), unknownUser(7))).toBe(false);
});

test('the real address is known while nothing stands for it', () => {
  expect(apiEmail(sampleUser(7))).toBe(sampleUser(7).email);
  expect(apiEmail(sampleUser(7, { apiEmail: 'user7@host' }))).toBe('user7@host');
});
