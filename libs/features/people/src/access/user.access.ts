import { ROLE, isSpectator, type User } from '#users/model';
import { systemGroupId } from '#groups/model';
import { holdsRealmPermission } from '#realm/model';
import type { Directory } from '../directory/directory.js';

/** What limited guests are shown in place of users whom they may not know. */
export const UNKNOWN_USER_NAME = 'Unknown user';

/** A domain that cannot exist. */
const UNKNOWN_USER_DOMAIN = 'unknown.invalid';

/** By ID, so that what is derived from a record can be cached by it. */
const unknownUsers = new Map<number, User>();

/** Whether guests know only those whom they share a channel or a direct conversation with (`can_access_all_users_group`). */
export function limitsGuests(directory: Directory): boolean {
  return directory.permission('can_access_all_users_group') !== systemGroupId('role:everyone');
}

/** Whether there may be users whom the viewer may not know. */
export function isLimitedViewer(directory: Directory, viewer: User): boolean {
  if (isSpectator(viewer)) return limitsGuests(directory);
  return viewer.role >= ROLE.guest && !holdsRealmPermission(directory, viewer, 'can_access_all_users_group');
}

/** Whether the viewer may know who the user is (rules.md §3, "Limited guests"). Everybody knows bots. */
export function mayKnowUser(directory: Directory, viewer: User, user: User): boolean {
  if (!isLimitedViewer(directory, viewer)) return true;
  if (user.userId === viewer.userId || user.botType !== null) return true;
  return directory.haveMet(viewer.userId, user.userId) || shareChannel(directory, viewer.userId, user.userId);
}

/**
 * Whether a client event about the user is for the viewer: they may know the user now, and did so at the event's position, when
 * the event that lets them know the user counts. A limited guest's client learns of a user by `realm_user` add, so it is told of
 * nothing that happened before.
 */
export function knewUser(directory: Directory, viewer: User, user: User, position: number): boolean {
  if (!mayKnowUser(directory, viewer, user)) return false;
  if (user.userId === viewer.userId || user.botType !== null || !isLimitedViewer(directory, viewer)) return true;
  return (
    directory.haveMet(viewer.userId, user.userId, position + 1) || sharedChannelAt(directory, viewer, user, position)
  );
}

/** `mayKnowUser` for many users in one answer: whom a limited guest has met is looked up once. */
export function knowing(directory: Directory, viewer: User): (user: User) => boolean {
  if (!isLimitedViewer(directory, viewer)) return () => true;
  const { userId } = viewer;
  const known = new Uint8Array(directory.nextUserId);
  known[userId] = 1;
  for (const metId of directory.metIds(userId)) known[metId] = 1;
  for (const { channelId, active, paused } of directory.subscriptionsOf(userId))
    if (active || paused === true) for (const otherId of directory.heldSubscriberIds(channelId)) known[otherId] = 1;
  return (user) => user.botType !== null || known[user.userId] === 1;
}

/**
 * Whether both are subscribed to a channel. What a deactivated user is subscribed to when they come back counts.
 * @param except channels that do not count
 */
export function shareChannel(
  directory: Directory,
  userId: number,
  otherId: number,
  except?: ReadonlySet<number>,
): boolean {
  for (const { channelId, active, paused } of directory.subscriptionsOf(userId)) {
    if (except?.has(channelId) === true || !(active || paused === true)) continue;
    const other = directory.subscription(otherId, channelId);
    if (other !== undefined && (other.active || other.paused === true)) return true;
  }
  return false;
}

/** `shareChannel` right after the event at this position. */
function sharedChannelAt(directory: Directory, viewer: User, user: User, position: number): boolean {
  for (const { channelId } of directory.subscriptionsOf(viewer.userId)) {
    if (!directory.wasSubscribedAt(viewer.userId, channelId, position)) continue;
    const { spans = [] } = directory.subscription(user.userId, channelId) ?? {};
    const last = spans.findLast(({ fromPosition }) => fromPosition <= position);
    if (last === undefined) continue;
    if (last.untilPosition === null || position < last.untilPosition) return true;
    // While the user was deactivated. Of what a former release stored, only the last deactivation is known.
    if (last.paused === true || last.untilPosition === user.queuesEndedAt) return true;
  }
  return false;
}

/** The user as the viewer may see them; undefined when there is none of this ID. */
export function seenUser(directory: Directory, viewer: User, userId: number): User | undefined {
  const user = directory.user(userId);
  return user === undefined || mayKnowUser(directory, viewer, user) ? user : unknownUser(userId);
}

/** What stands for a user whom the viewer may not know. It tells the ID alone. */
export function unknownUser(userId: number): User {
  let user = unknownUsers.get(userId);
  if (user === undefined) {
    user = {
      userId,
      email: `user${userId}@${UNKNOWN_USER_DOMAIN}`,
      fullName: UNKNOWN_USER_NAME,
      role: ROLE.member,
      isActive: true,
      isUnknown: true,
      botType: null,
      botOwnerId: null,
      timezone: '',
      avatarVersion: 1,
      joinedAt: 0,
    };
    unknownUsers.set(userId, user);
  }
  return user;
}
