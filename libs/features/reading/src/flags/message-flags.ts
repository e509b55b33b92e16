import { type MessageDocument, parseConversation } from '#messages';
import { hasSharedHistory, mayReadUnsubscribed } from '#channels/model';
import { SPECTATOR } from '#users/model';
import type { Directory } from '#people';
import { preferencesPart } from '#preferences/model';
import type { FlagSet } from './user-flags.projection.js';

/** Which of a user's sets contain the message (`FlagSet`). */
export type PersonalFlags = Readonly<Record<FlagSet, boolean>>;

/** Flags of a message that the user has not changed, such as a new one. */
export const UNTOUCHED: PersonalFlags = {
  read: false,
  unread: false,
  starred: false,
  collapsed: false,
  historical: false,
};

/**
 * Whether the message was delivered to the user: they take part in the direct conversation, sent it, were reached by a mention of this
 * or an earlier version, or were subscribed to its channel when it was sent; and were subscribed to each channel that it was moved to when
 * it arrived there.
 */
export function hasReceived(directory: Directory, userId: number, messageId: number, doc: MessageDocument): boolean {
  const place = parseConversation(doc.conversation);
  if ('participants' in place) return place.participants.includes(userId);
  const sentTo = doc.sentTo ?? place.channelId;
  const isAddressed =
    doc.senderId === userId || (wasMentioned(doc, userId) && isReachedOutside(directory, userId, sentTo));
  if (!isAddressed && !directory.wasSubscribedForMessage(userId, sentTo, messageId)) return false;
  return (doc.arrivals ?? []).every(({ channelId, position }) =>
    directory.wasSubscribedAt(userId, channelId, position),
  );
}

/** Whether only a mention that was taken out of the message reached the user: they keep it, but nobody is called to it. */
export function isCalledNoMore(directory: Directory, userId: number, messageId: number, doc: MessageDocument): boolean {
  if (doc.unmentioned?.includes(userId) !== true) return false;
  const { unmentioned: _, ...asIs } = doc;
  return !hasReceived(directory, userId, messageId, asIs);
}

/**
 * Whether mentions reach the user in a channel without a subscription: only where they may read it. In a closed channel
 * mentions do not wait for a later subscription.
 */
function isReachedOutside(directory: Directory, userId: number, channelId: number): boolean {
  const user = directory.user(userId);
  const channel = directory.channel(channelId);
  if (user === undefined || channel === undefined || !hasSharedHistory(channel)) return false;
  return mayReadUnsubscribed(directory, user, channel);
}

/** A user's relation to a message, from which its flags are derived. */
export interface Seen {
  readonly userId: number;
  readonly received: boolean;
  /** The message arrived as read, since the user had muted its sender. */
  readonly arrivedRead: boolean;
  readonly personal: PersonalFlags;
}

/** Derives the user's relation to a message from their explicit flags. */
export function seenBy(
  directory: Directory,
  userId: number,
  messageId: number,
  doc: MessageDocument,
  personal: PersonalFlags,
): Seen {
  return {
    userId,
    received: hasReceived(directory, userId, messageId, doc),
    arrivedRead: directory.of(preferencesPart).wasMutingAt(userId, doc.senderId, messageId),
    personal,
  };
}

/** Whether the message is in the user's own history: delivered to them, or put there by them. */
export function isOwn({ received, personal }: Seen): boolean {
  const { historical, unread, starred, collapsed } = personal;
  return received || historical || unread || starred || collapsed;
}

/** Undelivered messages count as read until the user marks them as unread. */
export function isRead(doc: MessageDocument, { userId, received, arrivedRead, personal }: Seen): boolean {
  if (personal.unread) return false;
  if (!received || personal.read || arrivedRead) return true;
  if (doc.unreadFor?.includes(userId) === false || doc.readBy?.includes(userId) === true) return true;
  return doc.senderId === userId && doc.readBySender === true;
}

export function isMentioned(doc: MessageDocument, userId: number): boolean {
  return doc.mentions?.includes(userId) === true;
}

function wasMentioned(doc: MessageDocument, userId: number): boolean {
  return isMentioned(doc, userId) || doc.unmentioned?.includes(userId) === true;
}

/** Whether a topic wildcard in the message reaches the user. */
function isTopicWildcard(doc: MessageDocument, userId: number): boolean {
  return doc.topicParticipants?.includes(userId) === true;
}

/** Whether a wildcard mention in the message reaches the user. */
export function isWildcard(doc: MessageDocument, userId: number): boolean {
  return doc.channelWildcard === true || isTopicWildcard(doc, userId);
}

/** Whether the message contains an alert word of the user. */
export function isAlerted(doc: MessageDocument, userId: number): boolean {
  return doc.alerted?.includes(userId) === true;
}

/** Flags of the message for the user, in the order of the rules.md §7. */
export function flagsOf(doc: MessageDocument, seen: Seen): string[] {
  const { received, personal, userId } = seen;
  const flags: string[] = [];
  if (isRead(doc, seen)) flags.push('read');
  if (personal.starred) flags.push('starred');
  if (personal.collapsed) flags.push('collapsed');
  // A spectator has no history.
  if (userId === SPECTATOR.userId) return flags;
  if (!received) return [...flags, 'historical'];
  if (isMentioned(doc, userId)) flags.push('mentioned');
  if (doc.channelWildcard === true) flags.push('stream_wildcard_mentioned');
  if (isTopicWildcard(doc, userId)) flags.push('topic_wildcard_mentioned');
  if (isWildcard(doc, userId)) flags.push('wildcard_mentioned');
  if (isAlerted(doc, userId)) flags.push('has_alert_word');
  return flags;
}

/** Flags of a newly sent message, for a recipient of its `message` event. */
export function freshFlags(directory: Directory, userId: number, messageId: number, doc: MessageDocument): string[] {
  return flagsOf(doc, seenBy(directory, userId, messageId, doc, UNTOUCHED));
}
