import { Directory, type OrganizationEvent } from '#people';
import { ROLE } from '#users/model';
import { decideAvatar } from './avatar.decider.js';

const at = 1_790_000_000;
const AVATAR = { name: 'a'.repeat(40), image: 'b'.repeat(64), medium: 'c'.repeat(64) };

function given(...events: OrganizationEvent[]): Directory {
  const directory = new Directory();
  const account = { fullName: 'Ann', botType: null, botOwnerId: null, timezone: '', at };
  const users = [ROLE.owner, ROLE.administrator, ROLE.member].map((role, index): OrganizationEvent => {
    return { type: 'user.created.v1', data: { ...account, userId: index + 1, email: `u${index + 1}@acme.test`, role } };
  });
  for (const event of [...users, ...events]) directory.evolve(event, 1);
  return directory;
}

const changed = (version: number, avatar: typeof AVATAR | null = AVATAR, userId = 3): OrganizationEvent => ({
  type: 'user.avatar-changed.v1',
  data: { userId, avatar, version, by: userId, at },
});
const disabled: OrganizationEvent = {
  type: 'organization.settings-changed.v1',
  data: { settings: { avatar_changes_disabled: true }, by: 1, at },
};

test('each picture has the next version, and so has its removal', () => {
  expect(decideAvatar(given(), { actorId: 3, avatar: AVATAR, at })).toEqual([changed(2)]);
  expect(decideAvatar(given(changed(2)), { actorId: 3, avatar: AVATAR, at })).toEqual([changed(3)]);
  expect(decideAvatar(given(changed(2)), { actorId: 3, avatar: null, at })).toEqual([changed(3, null)]);
});

test('a picture that is not there is not removed', () => {
  expect(decideAvatar(given(), { actorId: 3, avatar: null, at })).toEqual([]);
  expect(decideAvatar(given(changed(2), changed(3, null)), { actorId: 3, avatar: null, at })).toEqual([]);
});

test('where changes are disabled, only administrators make them', () => {
  for (const avatar of [AVATAR, null])
    expect(() => decideAvatar(given(changed(2), disabled), { actorId: 3, avatar, at })).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST' }),
    );
  expect(decideAvatar(given(disabled), { actorId: 2, avatar: AVATAR, at })).toEqual([changed(2, AVATAR, 2)]);
});

test('a picture is known by its name as long as it is in use', () => {
  expect(given(changed(2)).avatarNamed(AVATAR.name)).toEqual(AVATAR);
  const next = { ...AVATAR, name: 'd'.repeat(40) };
  expect(given(changed(2), changed(3, next)).avatarNamed(AVATAR.name)).toBeUndefined();
  expect(given(changed(2), changed(3, next)).avatarNamed(next.name)).toEqual(next);
  expect(given(changed(2), changed(3, null)).avatarNamed(AVATAR.name)).toBeUndefined();
});
