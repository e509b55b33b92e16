import { Directory } from '#people';
import { type GroupSetting, SYSTEM_GROUPS, systemGroupId } from '#groups/model';
import { ROLE, type User } from '#users/model';
import {
  hasSharedHistory,
  mayAdministerChannel,
  mayKnowChannel,
  mayReadChannel,
  mayReadMessageIn,
  mayReadUnsubscribed,
  maySendTo,
  maySubscribeSelf,
} from './channel.access.js';
import type { Channel } from './channel.js';
import { newChannel } from './new-channel.js';

const at = 1_790_000_000;
const people = {
  owner: 1,
  admin: 2,
  member: 3,
  guest: 4,
  insider: 5,
  insideGuest: 6,
  holder: 7,
  botOfInsider: 8,
} as const;
type Person = keyof typeof people;

const roles: Readonly<Record<Person, number>> = {
  owner: ROLE.owner,
  admin: ROLE.administrator,
  member: ROLE.member,
  guest: ROLE.guest,
  insider: ROLE.member,
  insideGuest: ROLE.guest,
  holder: ROLE.member,
  botOfInsider: ROLE.member,
};

const kinds = {
  webPublic: { isWebPublic: true },
  public: {},
  privateShared: { inviteOnly: true, historyPublicToSubscribers: true },
  privateProtected: { inviteOnly: true, historyPublicToSubscribers: false },
} as const;
type Kind = keyof typeof kinds;
const channelIds: Readonly<Record<Kind, number>> = { webPublic: 1, public: 2, privateShared: 3, privateProtected: 4 };

/** Insiders are subscribed to every channel; the holder may subscribe themselves to the private ones. */
function world(permissions: Readonly<Record<string, GroupSetting>> = {}): Directory {
  const directory = new Directory();
  let position = 0;
  const groups = SYSTEM_GROUPS.map((group) => ({ ...group }));
  directory.evolve({ type: 'organization.created.v1', data: { uuid: 'u', name: 'Acme', at, groups } }, ++position);
  for (const [name, userId] of Object.entries(people) as [Person, number][]) {
    const isBot = name === 'botOfInsider';
    const data = { userId, email: `${name}@acme.test`, fullName: name, role: roles[name], timezone: '', at };
    const bot = { botType: isBot ? 1 : null, botOwnerId: isBot ? people.insider : null };
    directory.evolve({ type: 'user.created.v1', data: { ...data, ...bot } }, ++position);
  }
  for (const [kind, settings] of Object.entries(kinds) as [Kind, (typeof kinds)[Kind]][]) {
    const channelId = channelIds[kind];
    const can_subscribe_group = { directMembers: [people.holder], directSubgroups: [] };
    const created = newChannel({
      channelId,
      name: kind,
      at,
      ...settings,
      permissions: { can_subscribe_group, ...permissions },
    });
    directory.evolve(created, ++position);
    const subscribers = [people.insider, people.insideGuest].map((userId) => ({ userId, color: '#76ce90' }));
    directory.lastMessageId = 10;
    directory.evolve({ type: 'channel.subscribed.v1', data: { channelId, subscribers, by: null, at } }, ++position);
  }
  return directory;
}

function userOf(directory: Directory, person: Person): User {
  return directory.user(people[person]) as User;
}

function channelOf(directory: Directory, kind: Kind): Channel {
  return directory.channel(channelIds[kind]) as Channel;
}

type Door = (directory: Directory, viewer: User, channel: Channel) => boolean;

/** Who has access, by kind of channel. */
function whoPasses(door: Door, directory = world()): Record<Kind, Person[]> {
  const passes = (kind: Kind): Person[] =>
    (Object.keys(people) as Person[]).filter((person) =>
      door(directory, userOf(directory, person), channelOf(directory, kind)),
    );
  return {
    webPublic: passes('webPublic'),
    public: passes('public'),
    privateShared: passes('privateShared'),
    privateProtected: passes('privateProtected'),
  };
}

const everybody = Object.keys(people) as Person[];
const without = (...some: Person[]): Person[] => everybody.filter((person) => !some.includes(person));

test('who may know of a channel', () => {
  const insideOrAdmin: Person[] = ['owner', 'admin', 'insider', 'insideGuest', 'holder'];
  expect(whoPasses(mayKnowChannel)).toEqual({
    webPublic: everybody,
    public: without('guest'),
    privateShared: insideOrAdmin,
    privateProtected: insideOrAdmin,
  });
});

test('who may read a channel: administrators as such may not', () => {
  const inside: Person[] = ['insider', 'insideGuest', 'holder'];
  expect(whoPasses(mayReadChannel)).toEqual({
    webPublic: everybody,
    public: without('guest'),
    privateShared: inside,
    privateProtected: inside,
  });
});

test('who may read a channel without being subscribed, whether they are or not', () => {
  expect(whoPasses(mayReadUnsubscribed)).toEqual({
    webPublic: everybody,
    public: without('guest', 'insideGuest'),
    privateShared: ['holder'],
    privateProtected: ['holder'],
  });
});

test('who may subscribe themselves', () => {
  expect(whoPasses(maySubscribeSelf)).toEqual({
    webPublic: everybody,
    public: without('guest', 'insideGuest'),
    privateShared: ['holder'],
    privateProtected: ['holder'],
  });
});

test('who may send: a bot may where its owner may', () => {
  const inside: Person[] = ['insider', 'insideGuest', 'holder', 'botOfInsider'];
  expect(whoPasses(maySendTo)).toEqual({
    webPublic: everybody,
    public: without('guest'),
    privateShared: inside,
    // From outside, the sender would not see the messages that they answer.
    privateProtected: inside.filter((person) => person !== 'holder'),
  });
});

test('who may send is also for the channel to say', () => {
  const moderated = world({ can_send_message_group: systemGroupId('role:moderators') });
  expect(whoPasses(maySendTo, moderated).public).toEqual(['owner', 'admin']);
});

test('who administers: administrators, and whom the channel names', () => {
  const named = world({ can_administer_channel_group: { directMembers: [people.member], directSubgroups: [] } });
  expect(whoPasses(mayAdministerChannel, named).privateShared).toEqual(['owner', 'admin', 'member']);
});

test('a guest administers nothing, even when a setting names them', () => {
  const directMembers = [people.guest, people.insideGuest];
  const named = world({ can_administer_channel_group: { directMembers, directSubgroups: [] } });
  expect(whoPasses(mayAdministerChannel, named).public).toEqual(['owner', 'admin']);
});

test('history is shared but in private channels that protect it', () => {
  const directory = world();
  const shared = (Object.keys(kinds) as Kind[]).filter((kind) => hasSharedHistory(channelOf(directory, kind)));
  expect(shared).toEqual(['webPublic', 'public', 'privateShared']);
});

test.each<[Kind, Person, number, boolean]>([
  ['privateShared', 'insider', 5, true],
  ['privateProtected', 'insider', 10, false],
  ['privateProtected', 'insider', 11, true],
  ['privateProtected', 'holder', 11, false],
  ['privateProtected', 'owner', 11, false],
  ['public', 'member', 5, true],
  ['public', 'guest', 11, false],
])('in %s, %s reads message %i: %p', (kind, person, messageId, expected) => {
  const directory = world();
  expect(mayReadMessageIn(directory, userOf(directory, person), channelOf(directory, kind), messageId)).toBe(expected);
});

test('who left a protected channel reads nothing there any more', () => {
  const directory = world();
  const data = { channelId: channelIds.privateProtected, userIds: [people.insider], by: people.insider, at };
  directory.evolve({ type: 'channel.unsubscribed.v1', data }, 100);
  const insider = userOf(directory, 'insider');
  expect(mayReadMessageIn(directory, insider, channelOf(directory, 'privateProtected'), 11)).toBe(false);
});
