import { sampleUser } from '#testing';
import { Directory } from './directory.js';
import type { Group, User } from './directory.records.js';
import { mayMentionGroup } from './group.access.js';

const ann = sampleUser(1);
const ben = sampleUser(2);
const bot = sampleUser(3, { botType: 1, botOwnerId: 1 });
const group: Group = {
  groupId: 20,
  name: 'cooks',
  description: '',
  isSystemGroup: false,
  directSubgroups: [],
  directMembers: [2],
};
const directory = new Directory();
directory.restore({ ...directory.snapshot(), users: [ann, ben, bot], groups: [group] });
const onlyAnn: Group = { ...group, canMentionGroup: { directMembers: [1], directSubgroups: [] } };

test.each<[string, User, Group, boolean]>([
  ['everybody, where nothing is said', ben, group, true],
  ['whoever holds the permission', ann, onlyAnn, true],
  ['nobody else, members included', ben, onlyAnn, false],
  ['a bot of whoever holds it', bot, onlyAnn, true],
  ['nobody, of a system group', ann, { ...onlyAnn, isSystemGroup: true }, false],
])('%s', (_, author, mentioned, expected) => {
  expect(mayMentionGroup(directory, author, mentioned)).toBe(expected);
});
