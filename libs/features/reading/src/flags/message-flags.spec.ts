import { channelConversation, type MessageDocument } from '#messages';
import { Directory } from '#people';
import { newChannel } from '#channels/model';
import { ROLE } from '#users/model';
import { SYSTEM_GROUPS, systemGroupId } from '#groups/model';
import { preferencesPart } from '#preferences/model';
import { hasReceived } from './message-flags.js';

const at = 1_790_000_000;
const [SENDER, MEMBER, MODERATOR, GUEST, INSIDER] = [1, 2, 3, 4, 5];
const ROLES = new Map([
  [SENDER, ROLE.member],
  [MEMBER, ROLE.member],
  [MODERATOR, ROLE.moderator],
  [GUEST, ROLE.guest],
  [INSIDER, ROLE.guest],
]);
const CHANNELS = {
  webPublic: { isWebPublic: true },
  public: {},
  privateShared: { inviteOnly: true },
  privateProtected: { inviteOnly: true, historyPublicToSubscribers: false },
} as const;
const MESSAGE_ID = 11;

/**
 * Moderators may subscribe themselves to every channel. The sender and one guest are subscribed, then a message is
 * sent.
 */
function world(): Directory {
  const directory = new Directory([preferencesPart]);
  let position = 0;
  const groups = SYSTEM_GROUPS.map((group) => ({ ...group }));
  directory.evolve({ type: 'organization.created.v1', data: { uuid: 'u', name: 'Acme', at, groups } }, ++position);
  for (const [userId, role] of ROLES) {
    const person = { userId, email: `user${userId}@acme.test`, fullName: `User ${userId}`, role, timezone: '', at };
    directory.evolve({ type: 'user.created.v1', data: { ...person, botType: null, botOwnerId: null } }, ++position);
  }
  directory.lastMessageId = MESSAGE_ID - 1;
  for (const [index, settings] of Object.values(CHANNELS).entries()) {
    const channelId = index + 1;
    const permissions = { can_subscribe_group: systemGroupId('role:moderators') };
    directory.evolve(newChannel({ channelId, name: `${channelId}`, at, ...settings, permissions }), ++position);
    const subscribers = [SENDER, INSIDER].map((userId) => ({ userId, color: '#76ce90' }));
    directory.evolve({ type: 'channel.subscribed.v1', data: { channelId, subscribers, by: null, at } }, ++position);
  }
  directory.lastMessageId = MESSAGE_ID;
  return directory;
}

test.each<[keyof typeof CHANNELS, number[]]>([
  ['webPublic', [MEMBER, MODERATOR, GUEST]],
  ['public', [MEMBER, MODERATOR]],
  ['privateShared', [MODERATOR]],
  ['privateProtected', []],
])('in a %s channel, mentions reach %j from outside, and all that are subscribed', (kind, outside) => {
  const channelId = Object.keys(CHANNELS).indexOf(kind) + 1;
  const doc: MessageDocument = {
    conversation: channelConversation(channelId),
    topicKey: 'lunch',
    topic: 'lunch',
    senderId: SENDER,
    content: 'a mention by name',
    client: 'test',
    bytes: 0,
    at,
    mentions: [MEMBER, MODERATOR, GUEST, INSIDER],
  };
  const directory = world();
  const reached = [...ROLES.keys()].filter((userId) => hasReceived(directory, userId, MESSAGE_ID, doc));
  expect(reached).toEqual([SENDER, ...outside, INSIDER]);
});
