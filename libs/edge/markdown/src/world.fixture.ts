import type { RenderWorld } from './world.js';

const USERS = [
  { id: 12, fullName: 'Full Name' },
  { id: 16, fullName: 'Gone', isDeactivated: true },
  { id: 13, fullName: 'Twin' },
  { id: 14, fullName: 'Twin' },
  { id: 15, fullName: '"><img src=x onerror=alert(1)>' },
];
const GROUPS = new Map([
  ['group', { id: 5, name: 'group', isSystem: false }],
  ['role:members', { id: 6, name: 'Members', isSystem: true }],
]);
const CHANNELS = new Map([
  ['announce', { id: 9, name: 'announce' }],
  ['core team', { id: 10, name: 'core team' }],
  ['<b>"x"', { id: 11, name: '<b>"x"' }],
]);

/** A small organization; some names in it try to break out of the HTML. */
export const world: RenderWorld = {
  realmUrl: 'https://chat.example.com',
  userByName: (name) => {
    const found = USERS.filter(({ fullName }) => fullName === name);
    return found.length === 1 ? found[0] : undefined;
  },
  userById: (id) => USERS.find((user) => user.id === id),
  groupByName: (name) => GROUPS.get(name),
  channelByName: (name) => CHANNELS.get(name),
  latestMessageId: (_channelId, topic) => (topic === 'Zulip updates' ? 214 : undefined),
  customEmoji: (name) => (name === 'party_cat' ? { url: '/user_avatars/2/emoji/images/7.png' } : undefined),
};
