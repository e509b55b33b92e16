import type { ReadonlyIdSet } from '#kernel';
import type { Directory } from '#people';
import { type Group, type GroupEvent, groupsNamedBy, systemGroupId } from '#groups/model';
import { ROLE, type User, type WaitingChanged } from '#users/model';
import type { Channel } from '../model/channels/channel.js';
import { type Holders, mayKnowUnsubscribed } from '../model/channels/channel.access.js';
import type { ChannelEntry, OutdatedBody } from '../channel-entries.js';
import { appeared, SHOWING, vanished } from './visibility.entries.js';

/**
 * Users times channels that one change of a group is compared for: some 50 ms. Beyond it the clients of the users fetch
 * their state again.
 */
const COMPARED_MAX = 100_000;

export type MembershipEvent = Extract<
  GroupEvent,
  {
    type:
      'group.members-added.v1' | 'group.members-removed.v1' | 'group.subgroups-added.v1' | 'group.subgroups-removed.v1';
  }
>;

/** Channels that appear and vanish for users whose membership of groups changed. */
export function membershipChanged(directory: Directory, event: MembershipEvent): readonly ChannelEntry[] {
  const group = directory.group(event.data.groupId);
  if (group === undefined) return [];
  const channels = channelsNaming(directory, directory.groupIdsAbove(group.groupId));
  if (channels.length === 0) return [];
  const users = movedUsers(directory, event);
  const held: Holders = { holds: directory.holdsBefore(groupBefore(group, event)) };
  return visibilityEntries(directory, channels, users, (user, channel) => mayKnowUnsubscribed(held, user, channel));
}

/** Channels that appear and vanish for users who became full members, or are none any more. */
export function fullMembersChanged(
  directory: Directory,
  { over, begun }: WaitingChanged['data'],
): readonly ChannelEntry[] {
  const channels = channelsNaming(directory, directory.groupIdsAbove(systemGroupId('role:fullmembers')));
  if (channels.length === 0) return [];
  const wasWaiting = new Set(over);
  const users = [...over, ...begun]
    .map((userId) => directory.user(userId))
    .filter((user) => user?.isActive === true && user.role === ROLE.member) as User[];
  return visibilityEntries(directory, channels, users, (user, channel) => {
    const { isWaiting: _, ...member } = user;
    const before = wasWaiting.has(user.userId) ? { ...member, isWaiting: true as const } : member;
    return mayKnowUnsubscribed(directory, before, channel);
  });
}

/** Private channels that users without a subscription know by one of these groups. */
function channelsNaming(directory: Directory, groupIds: ReadonlyIdSet): Channel[] {
  return [...directory.channels()].filter(
    ({ inviteOnly, isWebPublic, permissions }) =>
      inviteOnly &&
      !isWebPublic &&
      SHOWING.some((name) => groupsNamedBy(permissions[name]).some((groupId) => groupIds.has(groupId))),
  );
}

/** The active users who belong to the group by the change, or did before it. */
function movedUsers(directory: Directory, { type, data }: MembershipEvent): User[] {
  const ids =
    type === 'group.members-added.v1' || type === 'group.members-removed.v1'
      ? data.userIds
      : directory.memberIds(data.subgroupIds);
  return ids.map((userId) => directory.user(userId)).filter((user) => user?.isActive === true) as User[];
}

function groupBefore(group: Group, { type, data }: MembershipEvent): Group {
  const { directMembers, directSubgroups } = group;
  switch (type) {
    case 'group.members-added.v1':
      return { ...group, directMembers: directMembers.without(data.userIds) };
    case 'group.members-removed.v1':
      return { ...group, directMembers: directMembers.with(data.userIds) };
    case 'group.subgroups-added.v1':
      return { ...group, directSubgroups: without(directSubgroups, data.subgroupIds) };
    case 'group.subgroups-removed.v1':
      return { ...group, directSubgroups: [...directSubgroups, ...data.subgroupIds] };
  }
}

function without(ids: readonly number[], removed: readonly number[]): number[] {
  const gone = new Set(removed);
  return ids.filter((id) => !gone.has(id));
}

/** Users alike in what they gain and lose get the same entries. */
function visibilityEntries(
  directory: Directory,
  channels: readonly Channel[],
  users: readonly User[],
  knew: (user: User, channel: Channel) => boolean,
): readonly ChannelEntry[] {
  // Administrators know all channels, and guests none by a group.
  const concerned = users.filter(({ role }) => role > ROLE.administrator && role < ROLE.guest);
  if (concerned.length === 0) return [];
  if (concerned.length * channels.length > COMPARED_MAX) {
    const body: OutdatedBody = { op: 'outdated' };
    return [{ type: 'stream', audience: { to: 'users', ids: concerned.map(({ userId }) => userId) }, body }];
  }
  const alike = new Map<string, { readonly users: number[]; readonly gained: Channel[]; readonly lost: Channel[] }>();
  for (const user of concerned) {
    const [gained, lost]: [Channel[], Channel[]] = [[], []];
    for (const channel of channels) {
      if (directory.isSubscribed(user.userId, channel.channelId)) continue;
      const knows = mayKnowUnsubscribed(directory, user, channel);
      if (knew(user, channel) !== knows) (knows ? gained : lost).push(channel);
    }
    if (gained.length + lost.length === 0) continue;
    const key = `${idsOf(gained)}-${idsOf(lost)}`;
    const others = alike.get(key);
    if (others === undefined) alike.set(key, { users: [user.userId], gained, lost });
    else others.users.push(user.userId);
  }
  return [...alike.values()].flatMap(({ users: ids, gained, lost }) => [
    ...vanished(ids, lost),
    ...appeared(directory, ids, gained),
  ]);
}

function idsOf(channels: readonly Channel[]): string {
  return channels.map(({ channelId }) => channelId).join();
}
