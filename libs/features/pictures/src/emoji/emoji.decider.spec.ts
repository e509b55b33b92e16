import { Directory, type OrganizationEvent } from '#people';
import { ROLE } from '#users/model';
import type { EmojiCommand } from './emoji.commands.js';
import { CUSTOM_EMOJI_MAX, decideEmoji } from './emoji.decider.js';
import type { CustomEmojiEvent } from '../model/emoji/custom-emoji.events.js';
import { customEmojiPart } from '../model/emoji/custom-emoji.part.js';

type Recorded = OrganizationEvent | CustomEmojiEvent;

const at = 1_790_000_000;
const [OWNER, ADMIN, MEMBER, OTHER, GUEST] = [1, 2, 3, 4, 5] as const;
const PICTURE = { image: 'a'.repeat(64), format: 'png' } as const;

function given(...events: Recorded[]): Directory {
  const directory = new Directory([customEmojiPart]);
  const account = { fullName: 'Ann', botType: null, botOwnerId: null, timezone: '', at };
  const roles = [ROLE.owner, ROLE.administrator, ROLE.member, ROLE.member, ROLE.guest];
  const groups = [{ groupId: 1, name: 'role:owners', description: '', directSubgroups: [] }];
  directory.evolve({ type: 'organization.created.v1', data: { uuid: 'u', name: 'Acme', at, groups } }, 1);
  const users = roles.map((role, index): Recorded => {
    return { type: 'user.created.v1', data: { ...account, userId: index + 1, email: `u${index + 1}@acme.test`, role } };
  });
  const everybody = { directMembers: [1, 2, 3, 4, 5], directSubgroups: [] };
  const permissions = { can_add_custom_emoji_group: everybody };
  const mayAdd: Recorded = { type: 'organization.settings-changed.v1', data: { permissions, by: 1, at } };
  for (const event of [...users, mayAdd, ...events]) directory.evolve(event, 1);
  return directory;
}

const added = (emojiId: number, name: string, by: number = MEMBER): Recorded => ({
  type: 'emoji.added.v1',
  data: { emojiId, name, ...PICTURE, by, at },
});
const gone = (emojiId: number, by: number = MEMBER): Recorded => ({
  type: 'emoji.deactivated.v1',
  data: { emojiId, by, at },
});
const add = (name: string, actorId: number = MEMBER): EmojiCommand => ({
  type: 'add-emoji',
  actorId,
  name,
  picture: PICTURE,
  at,
});
const remove = (name: string, actorId: number = MEMBER): EmojiCommand => ({
  type: 'deactivate-emoji',
  actorId,
  name,
  at,
});
const refused = (directory: Directory, command: EmojiCommand): unknown => {
  try {
    return decideEmoji(directory, command);
  } catch (error) {
    return (error as { code: unknown }).code;
  }
};

test.each([
  ['party', 'party'],
  [' party cat ', 'party_cat'],
  ['a-b_c9', 'a-b_c9'],
  ['7', '7'],
])('an emoji may be called %j', (asked, name) => {
  expect(decideEmoji(given(), add(asked))).toEqual([added(1, name)]);
});

test.each(['', ' ', 'Party', 'pärty', 'party!', 'party_', 'party-', '../x', 'a:b', 'x'.repeat(101)])(
  'no emoji is called %j',
  (name) => {
    expect(refused(given(), add(name))).toBe('BAD_REQUEST');
  },
);

test('a name is taken as long as the emoji is in use', () => {
  expect(refused(given(added(1, 'party')), add('party', OTHER))).toBe('BAD_REQUEST');
  expect(decideEmoji(given(added(1, 'party'), gone(1)), add('party', OTHER))).toEqual([added(2, 'party', OTHER)]);
});

test.each(['smile', 'zulip', '+1'])('the name of the built-in emoji %s is for administrators', (name) => {
  expect(refused(given(), add(name))).toBe('BAD_REQUEST');
  // A plus may not be in the name of a custom one.
  expect(refused(given(), add(name, ADMIN))).toEqual(name === '+1' ? 'BAD_REQUEST' : [added(1, name, ADMIN)]);
});

test('guests add none, even when they are named', () => {
  expect(refused(given(), add('party', GUEST))).toBe('BAD_REQUEST');
});

test('its author and administrators remove an emoji, once', () => {
  const directory = given(added(1, 'party'));
  for (const actor of [MEMBER, ADMIN, OWNER])
    expect(decideEmoji(directory, remove('party', actor))).toEqual([gone(1, actor)]);
  expect(refused(directory, remove('party', OTHER))).toBe('BAD_REQUEST');
  for (const actor of [MEMBER, OTHER]) {
    expect(refused(directory, remove('tada', actor))).toBe('NOT_FOUND');
    expect(refused(given(added(1, 'party'), gone(1)), remove('party', actor))).toBe('NOT_FOUND');
  }
});

test('there are only so many', () => {
  const all = Array.from({ length: CUSTOM_EMOJI_MAX }, (_, index) => added(index + 1, `e${index}`));
  const directory = given(...all.slice(0, -1));
  expect(refused(directory, add('party'))).toEqual([added(CUSTOM_EMOJI_MAX, 'party')]);
  // Deactivated ones count.
  for (const event of [...all.slice(-1), gone(1)]) directory.evolve(event, 1);
  expect(refused(directory, add('party'))).toBe('BAD_REQUEST');
});
