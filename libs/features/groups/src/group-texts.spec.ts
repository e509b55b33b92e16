import { Slices } from '#kernel';
import { Directory } from '#people';
import { ROLE } from '#users/model';
import { sampleUser } from '#testing';
import { newGroupPermissions } from './model/group-permissions.js';
import { SYSTEM_GROUPS } from './model/system-groups.js';
import { GroupTexts } from './group-texts.js';

const PEOPLE = 10_000;
const GROUPS = 200;
const FIRST = SYSTEM_GROUPS.length + 1;
const LAST = FIRST + GROUPS - 1;
const everybody = Array.from({ length: PEOPLE }, (_, index) => index + 1);

let directory: Directory;
let texts: GroupTexts;
beforeEach(() => {
  directory = new Directory();
  directory.restore({
    ...directory.snapshot(),
    users: everybody.map((userId) => sampleUser(userId, { role: ROLE.guest })),
    groups: [
      ...SYSTEM_GROUPS.map((one) => ({ ...one, isSystemGroup: true, directMembers: [] })),
      ...Array.from({ length: GROUPS }, (_, index) => ({
        groupId: FIRST + index,
        name: `group ${index}`,
        description: '',
        isSystemGroup: false,
        permissions: newGroupPermissions(1),
        directMembers: everybody,
        directSubgroups: [],
      })),
    ],
  });
  texts = new GroupTexts(directory);
});
const take = (type: string, data: object): void => directory.evolve({ type, data: { by: 1, at: 1, ...data } }, 1);
const listed = () => texts.of([...directory.groups()]);
const membersOf = (item: string | (() => string) | undefined): number[] =>
  JSON.parse(typeof item === 'function' ? item() : item!).members;

test('texts are kept up to a bound, and the others are made when they are written', () => {
  const kept = listed().filter((item) => typeof item === 'string');
  expect(kept.length).toBeGreaterThan(100);
  expect(kept.length).toBeLessThan(GROUPS);
  expect(kept.join('').length).toBeLessThan(9_000_000);
  expect(listed().map((item) => membersOf(item).length)).toEqual([
    ...[0, 0, 0, 0, 0, PEOPLE, 0, 0],
    ...Array<number>(GROUPS).fill(PEOPLE),
  ]);
});

test('a text that is made later tells what was so when it was asked for', () => {
  const before = listed().at(-1);
  take('user.deactivated.v1', { userId: 7 });
  take('group.members-removed.v1', { groupId: LAST, userIds: [8] });
  const after = listed().at(-1);
  expect(membersOf(before)).toEqual(everybody);
  expect(membersOf(after)).toEqual(everybody.filter((userId) => userId !== 7 && userId !== 8));
});

test('a group that shrinks makes room for another', async () => {
  const lateIds = () => listed().flatMap((item, index) => (typeof item === 'string' ? [] : [index + 1]));
  const late = lateIds();
  take('group.members-removed.v1', { groupId: FIRST, userIds: everybody });
  await texts.warm(new Slices());
  expect(lateIds()).toEqual(late.slice(1));
});
