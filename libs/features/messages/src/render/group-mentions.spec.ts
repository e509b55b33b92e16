import { Directory } from '#people';
import { newGroupPermissions, SYSTEM_GROUPS } from '#groups/model';
import { customEmojiPart } from '#pictures/model';
import { preferencesPart } from '#preferences/model';
import { linkifiersPart } from '#realm/model';
import { expectProportional, sampleUser } from '#testing';
import { renderContent, renderWorldOf, withMentioned } from './render-world.js';

const PEOPLE = 2_000;
const FIRST = SYSTEM_GROUPS.length + 1;
const [OUT, GONE] = [PEOPLE + 1, PEOPLE + 2];

/** So many groups of everybody, each but the first with the one before it as a subgroup. */
function organizationOf(groupCount: number): Directory {
  const everybody = Array.from({ length: PEOPLE }, (_, index) => index + 1);
  const directory = new Directory([linkifiersPart, customEmojiPart, preferencesPart]);
  directory.restore({
    ...directory.snapshot(),
    users: [...everybody.map((userId) => sampleUser(userId)), sampleUser(OUT), sampleUser(GONE, { isActive: false })],
    groups: [
      ...SYSTEM_GROUPS.map((one) => ({ ...one, isSystemGroup: true, directMembers: [] })),
      ...Array.from({ length: groupCount }, (_, index) => ({
        groupId: FIRST + index,
        name: `g${index}`,
        description: '',
        isSystemGroup: false,
        permissions: newGroupPermissions(1),
        directMembers: [...everybody, GONE],
        directSubgroups: index === 0 ? [] : [FIRST + index - 1],
      })),
    ],
  });
  return directory;
}

const naming = (groupCount: number): string =>
  Array.from({ length: groupCount }, (_, index) => `@*g${index}*`).join(' ');

function found(directory: Directory, content: string) {
  const author = sampleUser(1);
  return renderContent(directory, author, content, () => renderWorldOf(directory, 'https://chat.test', author));
}

test('the mentioned groups are united once: each is looked at once, whatever contains it', () => {
  expectProportional((times) => {
    const [directory, content] = [organizationOf(12 * times), naming(12 * times)];
    const all = found(directory, content);
    return () => {
      expect(withMentioned(directory, all).mentions).toHaveLength(PEOPLE);
    };
  });
});

test('those who are named are told with the members of groups, once each and without those who are deactivated', () => {
  const directory = organizationOf(2);
  const content = '@*g1* @**User 2** @**User 2001** @**User 2002**';
  const { mentions } = withMentioned(directory, found(directory, content));
  expect(mentions).toHaveLength(PEOPLE + 1);
  expect(mentions?.slice(-2)).toEqual([PEOPLE, OUT]);
});

test('rendering looks at no members', () => {
  const directory = organizationOf(20);
  const memberIds = jest.spyOn(directory, 'memberIds');
  expect(found(directory, naming(20)).content.mentions).toBeUndefined();
  expect(memberIds).not.toHaveBeenCalled();
});
