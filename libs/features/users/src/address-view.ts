import type { FeedEntry, Recipient } from '#feed';
import { type Directory, knewUser, mayKnowUser } from '#people';
import { apiEmail, EMAIL_VISIBILITY, emailVisibilityOf, isEmailShownTo, mayKnowEmail } from './model/email.access.js';
import type { EmailVisibilityChanged, UserChanged } from './model/user.events.js';
import type { User } from './model/user.js';
import { wireAvatar } from './wire-user.js';
import type { WireUserEvent } from './user-events.schema.js';

/** A role by which a user gains or loses sight of more addresses has its clients fetch the state again, which costs both sides less. */
const ADDRESSES_TOLD_MAX = 250;

/** What clients are told of e-mail addresses; each is looked up, with who may know it, when it is told. */
export type EmailView =
  /** The user's address changed. */
  | { readonly op: 'email'; readonly userId: number }
  /** Others see the user's address than before. */
  | { readonly op: 'shown'; readonly userId: number; readonly from: number; readonly to: number }
  /** By a new role, the recipient sees the addresses of others than before. */
  | { readonly op: 'addresses'; readonly from: number; readonly to: number };

export function emailChanged(userId: number): FeedEntry<EmailView> {
  return toEveryone({ op: 'email', userId });
}

/** With `user_settings`, for the user's own clients. */
export function visibilityChanged({
  userId,
  visibility,
}: EmailVisibilityChanged['data']): readonly FeedEntry<EmailView | { property: string; value: number }>[] {
  const body = { property: 'email_address_visibility', value: visibility.to };
  return [
    { type: 'user_settings', audience: { to: 'users', ids: [userId] }, body },
    toEveryone({ op: 'shown', userId, ...visibility }),
  ];
}

export function addressesByRole(
  userId: number,
  { from, to }: NonNullable<UserChanged['data']['role']>,
): readonly FeedEntry<EmailView>[] {
  const body: EmailView = { op: 'addresses', from, to };
  return [{ type: 'realm_user', audience: { to: 'users', ids: [userId] }, body }];
}

/** @throws Error when the new role of the recipient changes more than is told */
export function presentAddresses(
  directory: Directory,
  body: EmailView,
  recipient: Recipient,
  position: number,
): WireUserEvent[] {
  const { user: viewer } = recipient;
  if (body.op === 'addresses') return addressesFor(directory, viewer, body);
  const user = directory.user(body.userId);
  if (user === undefined || !knewUser(directory, viewer, user, position)) return [];
  const isShown = mayKnowEmail(viewer, user);
  if (body.op === 'email') {
    const real = isShown ? [addressEvent(user, true)] : [];
    return user.apiEmail === undefined ? [...real, ...apiEmailEvents(user)] : real;
  }
  const { from, to } = body;
  const isOther = (from === EMAIL_VISIBILITY.everyone) !== (to === EMAIL_VISIBILITY.everyone);
  const events = isOther ? apiEmailEvents(user) : [];
  if (viewer.userId === user.userId) return events;
  const [wasShown, isToBeShown] = [isEmailShownTo(viewer.role, from), isEmailShownTo(viewer.role, to)];
  if (wasShown === isToBeShown || (isToBeShown && !isShown)) return events;
  return [addressEvent(user, isToBeShown), ...events];
}

/** The address that everyone knows, from which clients may compute the picture of a user without one. */
function apiEmailEvents(user: User): WireUserEvent[] {
  const persons = [
    { user_id: user.userId, new_email: apiEmail(user) },
    ...(user.avatar === undefined ? [{ user_id: user.userId, ...wireAvatar(user) }] : []),
  ];
  return persons.map((person) => ({ type: 'realm_user', op: 'update', person }));
}

function addressesFor(directory: Directory, viewer: User, { from, to }: { from: number; to: number }): WireUserEvent[] {
  const events: WireUserEvent[] = [];
  for (const user of directory.users()) {
    if (user.apiEmail === undefined || user.userId === viewer.userId) continue;
    const isShown = mayKnowEmail(viewer, user);
    // An address that was hidden from the former role since, too, may still be known to the client.
    const isTold = to < from ? isShown && !isEmailShownTo(from, emailVisibilityOf(user)) : !isShown;
    if (!isTold || !mayKnowUser(directory, viewer, user)) continue;
    if (events.length === ADDRESSES_TOLD_MAX)
      throw new Error(`A role shows or hides more than ${ADDRESSES_TOLD_MAX} addresses to user ${viewer.userId}.`);
    events.push(addressEvent(user, isShown));
  }
  return events;
}

function addressEvent(user: User, isShown: boolean): WireUserEvent {
  const person = { user_id: user.userId, delivery_email: isShown ? user.email : null };
  return { type: 'realm_user', op: 'update', person };
}

function toEveryone(body: EmailView): FeedEntry<EmailView> {
  return { type: 'realm_user', audience: { to: 'everyone' }, body };
}
