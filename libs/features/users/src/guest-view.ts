import type { Derivations, FeedEntry } from '#feed';
import type { MessageSent } from '#messages';
import { limitsGuests, shareChannel, type Directory } from '#people';
import type { SubscriptionEvent } from '#channels/model';
import { ROLE } from './model/role.js';

/** A limited guest may know these users from now on, or not any more. */
export interface GuestView {
  readonly op: 'gained' | 'lost';
  readonly userIds: readonly number[];
}

type MembershipChanged = Exclude<SubscriptionEvent, { type: 'subscription.settings-changed.v1' }>;
export type GuestViewEvent = MembershipChanged | MessageSent;

/** Whom limited guests come to know by an event, and whom they know no longer. */
export const guestViews: Derivations<GuestViewEvent> = {
  'channel.subscribed.v1': ({ data: { channelId, subscribers }, position }, directory) =>
    metInChannels(
      directory,
      [channelId],
      subscribers.map(({ userId }) => userId),
      position,
    ),
  'channels.subscribed.v1': ({ data: { channels, userIds }, position }, directory) =>
    metInChannels(
      directory,
      channels.map(({ channelId }) => channelId),
      userIds,
      position,
    ),
  'channel.unsubscribed.v1': ({ data: { channelId, userIds }, position }, directory) =>
    partedInChannels(directory, [channelId], userIds, position),
  'channels.unsubscribed.v1': ({ data: { channelIds, userIds }, position }, directory) =>
    partedInChannels(directory, channelIds, userIds, position),
  'message.sent.v1': ({ data: { to }, position }, directory) =>
    to === undefined ? NOBODY : metDirectly(directory, to, position),
};

const NOBODY: readonly FeedEntry<GuestView>[] = [];

/** Guests and the users whom they came to know by subscriptions to the channels. */
function metInChannels(
  directory: Directory,
  channelIds: readonly number[],
  newcomers: readonly number[],
  position: number,
): readonly FeedEntry<GuestView>[] {
  if (!limitsGuests(directory)) return [];
  return entriesOf('gained', pairsIn(directory, channelIds, newcomers, position));
}

/** Guests and the users whom they knew by subscriptions to the channels alone. */
function partedInChannels(
  directory: Directory,
  channelIds: readonly number[],
  leavers: readonly number[],
  position: number,
): readonly FeedEntry<GuestView>[] {
  if (!limitsGuests(directory)) return [];
  return entriesOf('lost', pairsIn(directory, channelIds, leavers, position));
}

/** Guests and the users whom they came to know by the first message among these participants. */
function metDirectly(
  directory: Directory,
  participants: readonly number[],
  position: number,
): readonly FeedEntry<GuestView>[] {
  if (!limitsGuests(directory) || directory.conversationSince(participants) !== position) return [];
  const met = new Map<number, number[]>();
  for (const guestId of participants.filter((userId) => isGuest(directory, userId))) {
    const others = participants.filter(
      (userId) =>
        userId !== guestId &&
        isPerson(directory, userId) &&
        !directory.haveMet(guestId, userId, position) &&
        !shareChannel(directory, guestId, userId),
    );
    if (others.length > 0) met.set(guestId, others);
  }
  return entriesOf('gained', met);
}

/**
 * By guest: the users of whom the guest knows nothing but for these channels, deactivated ones among them. One of both is among those
 * who came or left.
 */
function pairsIn(
  directory: Directory,
  channelIds: readonly number[],
  movers: readonly number[],
  position: number,
): ReadonlyMap<number, readonly number[]> {
  const moving = new Set(movers);
  const except = new Set(channelIds);
  const members = new Set([...channelIds.flatMap((channelId) => directory.heldSubscriberIds(channelId)), ...movers]);
  const pairs = new Map<number, readonly number[]>();
  for (const guestId of members) {
    if (!isGuest(directory, guestId)) continue;
    const others = moving.has(guestId) ? members : moving;
    const concerned = [...others].filter(
      (userId) =>
        userId !== guestId &&
        isPerson(directory, userId) &&
        !directory.haveMet(guestId, userId, position) &&
        !shareChannel(directory, guestId, userId, except),
    );
    if (concerned.length > 0)
      pairs.set(
        guestId,
        concerned.sort((a, b) => a - b),
      );
  }
  return pairs;
}

function isGuest(directory: Directory, userId: number): boolean {
  return (directory.user(userId)?.role ?? 0) >= ROLE.guest;
}

function isPerson(directory: Directory, userId: number): boolean {
  return directory.user(userId)?.botType === null;
}

function entriesOf(op: GuestView['op'], pairs: ReadonlyMap<number, readonly number[]>): FeedEntry<GuestView>[] {
  return Array.from(pairs, ([guestId, userIds]) => ({
    type: 'realm_user',
    audience: { to: 'users', ids: [guestId] },
    body: { op, userIds },
  }));
}
