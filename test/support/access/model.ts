/**
 * Reference model of access, written from the interface's description (rules.md §4 and events.md §2): the server's
 * answers are compared with it. It shares no code with the server.
 */

export const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;

export type Role = keyof typeof ROLES;

/** A kind of channel, or of direct conversation. */
export interface Kind {
  readonly name: string;
  readonly isDirect?: true;
  readonly isWebPublic?: true;
  readonly isPrivate?: true;
  /** Subscribers read only messages that were delivered to them. */
  readonly isProtected?: true;
  /** By this setting, moderators and above read the channel from outside. */
  readonly opensTo?: 'can_subscribe_group' | 'can_add_subscribers_group';
  /**
   * The setting names a group that contains them through another group, which contains all guests too, without effect.
   */
  readonly throughGroups?: true;
}

export const CHANNEL_KINDS: readonly Kind[] = [
  { name: 'web-public', isWebPublic: true },
  { name: 'public' },
  { name: 'private, shared history', isPrivate: true },
  { name: 'private, protected history', isPrivate: true, isProtected: true },
  { name: 'private, shared history, moderators may join', isPrivate: true, opensTo: 'can_subscribe_group' },
  {
    name: 'private, protected history, moderators may add',
    isPrivate: true,
    isProtected: true,
    opensTo: 'can_add_subscribers_group',
    throughGroups: true,
  },
];

export const DIRECT_KINDS: readonly Kind[] = [
  { name: 'direct', isDirect: true },
  { name: 'group direct', isDirect: true },
];

/** A viewer's relation to a channel over time, and to their message there. */
export interface History {
  readonly name: string;
  /**
   * Subscribed well before the message, when it was sent, and at the end; for direct conversations: is a participant.
   */
  readonly before: boolean;
  readonly atSend: boolean;
  readonly now: boolean;
  /** Left after the message; with `now`, returned. */
  readonly leaves?: true;
  readonly sends?: true;
  readonly isMentioned?: true;
  /** Before leaving. */
  readonly stars?: true;
}

const OUTSIDE = { before: false, atSend: false, now: false } as const;
const INSIDE = { before: true, atSend: true, now: true } as const;
const LEAVER = { before: true, atSend: true, now: false, leaves: true } as const;

export const HISTORIES: readonly History[] = [
  { name: 'never', ...OUTSIDE },
  { name: 'subscribed before, and still', ...INSIDE },
  { name: 'subscribed after', before: false, atSend: false, now: true },
  { name: 'left before', before: true, atSend: false, now: false },
  { name: 'left after', ...LEAVER },
  { name: 'left after, and came back', ...INSIDE, leaves: true },
  { name: 'left before, and came back after', before: true, atSend: false, now: true },
  { name: 'sender', ...INSIDE, sends: true },
  { name: 'sender, left', ...LEAVER, sends: true },
  { name: 'sender from outside', ...OUTSIDE, sends: true },
  { name: 'mentioned outside', ...OUTSIDE, isMentioned: true },
  { name: 'mentioned outside, and came', before: false, atSend: false, now: true, isMentioned: true },
  { name: 'starred, and left', ...LEAVER, stars: true },
  { name: 'starred from outside', ...OUTSIDE, stars: true },
];

/** Direct conversations cannot be joined or left, nor written to from outside. */
export function fits({ isDirect }: Kind, { before, atSend, now, leaves, sends }: History): boolean {
  if (isDirect === undefined) return true;
  return before === atSend && atSend === now && leaves === undefined && (sends === undefined || now);
}

/** A viewer's relation to a message, at one moment. */
export interface Standing {
  readonly role: Role;
  readonly kind: Kind;
  /** Subscribed, or a participant: when the message was sent, and at this moment. */
  readonly atSend: boolean;
  readonly isInside: boolean;
  readonly isSender: boolean;
  readonly isMentioned: boolean;
  /** Added it to their own history, by starring it or reacting to it. */
  readonly isHeld: boolean;
}

/** rules.md §4, "metadata": name, settings, subscribers. */
export function mayKnow(role: Role, kind: Kind, isInside: boolean): boolean {
  return mayRead(role, kind, isInside) || (!kind.isDirect && ROLES[role] <= ROLES.administrator);
}

/** rules.md §4, "content". */
export function mayRead(role: Role, kind: Kind, isInside: boolean): boolean {
  if (isInside) return true;
  if (kind.isDirect) return false;
  if (kind.isWebPublic) return true;
  if (role === 'guest') return false;
  return kind.isPrivate ? kind.opensTo !== undefined && ROLES[role] <= ROLES.moderator : true;
}

/** rules.md §4, "Posting": from outside, only where earlier messages are visible. */
export function mayPost(role: Role, kind: Kind, isInside: boolean): boolean {
  return isInside || (!kind.isProtected && mayRead(role, kind, isInside));
}

/** Whether the message is in the viewer's own history (events.md §2, message "To"; endpoints.md §4). */
function hasRow({ role, kind, atSend, isSender, isMentioned, isHeld }: Standing): boolean {
  if (atSend || isSender || isHeld) return true;
  // "Mentioned users with access": with protected history, messages from before a subscription stay closed, so there
  // are none.
  return isMentioned && !kind.isProtected && mayRead(role, kind, atSend);
}

/**
 * rules.md §4, "Message access". A user who may join a channel with protected history reads what was delivered to them
 * there without being subscribed: the bullet asks for "content access … and a row"; the table's "still subscribed" is
 * for those without it.
 */
export function mayAccess(standing: Standing): boolean {
  const { role, kind, isInside } = standing;
  if (!mayRead(role, kind, isInside)) return false;
  return !kind.isProtected || hasRow(standing);
}

/**
 * Whether it is found without naming the channel. rules.md §4 would let searches of one's own history find messages of
 * a private channel that the user left, and no other route show them; here no route does.
 */
export function isOwn(standing: Standing): boolean {
  return hasRow(standing) && mayAccess(standing);
}

/** endpoints.md §4, as a new organization has it: senders their own, administrators what they may see. */
export function mayDelete(standing: Standing): boolean {
  return mayAccess(standing) && (standing.isSender || ROLES[standing.role] <= ROLES.administrator);
}

/** events.md §2, message, at delivery. */
export function isToldOfSend(asOfNow: Standing, listensToAll: boolean): boolean {
  const standing = { ...asOfNow, isHeld: false };
  if (!mayAccess(standing)) return false;
  return hasRow(standing) || (listensToAll && !standing.kind.isPrivate && !standing.kind.isDirect);
}

/** events.md §2, update_message and reaction. */
export function isToldOfChange(standing: Standing): boolean {
  return mayAccess(standing) && (hasRow(standing) || standing.isInside);
}

/** events.md §2, typing_edit_message: the other recipients who are participants now. */
export function isToldOfTyping(standing: Standing): boolean {
  return mayAccess(standing) && standing.isInside && !standing.isSender;
}
