import type { Directory } from '#organization';
import { parseConversation } from '../place.js';
import type { MessageDocument } from '../projections/message.document.js';
import type { FlagSet } from '../projections/user-flags.projection.js';

/** In which of a user's sets a message is (`FlagSet`). */
export type PersonalFlags = Readonly<Record<FlagSet, boolean>>;

/** Of a message that nobody has touched, such as one that was just sent. */
export const UNTOUCHED: PersonalFlags = { read: false, unread: false, starred: false, collapsed: false };

/**
 * Whether the message was delivered to the user: they take part in the direct conversation, or sent it, or are mentioned in
 * it, or were subscribed to its channel when it was sent; and were subscribed to each channel it was moved to when it came there (DESIGN, decision 8).
 */
export function hasReceived(directory: Directory, userId: number, messageId: number, doc: MessageDocument): boolean {
  const place = parseConversation(doc.conversation);
  if ('participants' in place) return place.participants.includes(userId);
  const sentTo = doc.sentTo ?? place.channelId;
  // A mention reaches those outside where they may read it; in a private channel it waits for nobody.
  const isAddressed =
    doc.senderId === userId || (isMentioned(doc, userId) && directory.channel(sentTo)?.inviteOnly === false);
  if (!isAddressed && !directory.wasSubscribedForMessage(userId, sentTo, messageId)) return false;
  return (doc.arrivals ?? []).every(({ channelId, position }) =>
    directory.wasSubscribedAt(userId, channelId, position),
  );
}

/** What a user has with a message, all that its flags follow from. */
export interface Seen {
  readonly userId: number;
  readonly received: boolean;
  readonly personal: PersonalFlags;
}

/** Whether the message is in the user's own history: delivered to them, or touched by them. */
export function isOwn({ received, personal }: Seen): boolean {
  return received || personal.unread || personal.starred || personal.collapsed;
}

/** What was never delivered counts as read, until its reader says otherwise. */
export function isRead(doc: MessageDocument, { userId, received, personal }: Seen): boolean {
  if (personal.unread) return false;
  if (!received || personal.read) return true;
  return doc.senderId === userId && doc.readBySender === true;
}

export function isMentioned(doc: MessageDocument, userId: number): boolean {
  return doc.mentions?.includes(userId) === true;
}

export function isWildcard(doc: MessageDocument): boolean {
  return doc.channelWildcard === true || doc.topicWildcard === true;
}

/** The flags of the message for the user, in the order of the specification, "Message flags". */
export function flagsOf(doc: MessageDocument, seen: Seen): string[] {
  const { received, personal, userId } = seen;
  const flags: string[] = [];
  if (isRead(doc, seen)) flags.push('read');
  if (personal.starred) flags.push('starred');
  if (personal.collapsed) flags.push('collapsed');
  if (!received) return [...flags, 'historical'];
  if (isMentioned(doc, userId)) flags.push('mentioned');
  if (doc.channelWildcard === true) flags.push('stream_wildcard_mentioned');
  if (doc.topicWildcard === true) flags.push('topic_wildcard_mentioned');
  if (isWildcard(doc)) flags.push('wildcard_mentioned');
  return flags;
}

/** The flags of a message that was just sent, for somebody who gets a `message` event about it. */
export function freshFlags(directory: Directory, userId: number, messageId: number, doc: MessageDocument): string[] {
  const received = hasReceived(directory, userId, messageId, doc);
  return flagsOf(doc, { userId, received, personal: UNTOUCHED });
}
