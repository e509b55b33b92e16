import { Injectable } from '@nestjs/common';
import type { BotEvent } from '#bots/model';
import {
  ClientEvents,
  type Derivations,
  type FeedEntry,
  noClientEvents,
  type Presentable,
  type Recipient,
} from '#feed';
import { Directory, isLimitedViewer, knewUser, mayKnowUser, seenUser, UNKNOWN_USER_NAME, unknownUser } from '#people';
import type { AvatarChanged, UserEvent } from './model/user.events.js';
import { Gravatar } from './model/avatar.js';
import { apiEmail, mayKnowEmail } from './model/email.access.js';
import type { User } from './model/user.js';
import { type GuestView, type GuestViewEvent, guestViews } from './guest-view.js';
import { addressesByRole, emailChanged, type EmailView, presentAddresses, visibilityChanged } from './address-view.js';
import { wireAvatar, wireUser } from './wire-user.js';
import type { WireUserEvent } from './user-events.schema.js';

type BotOwnerChanged = Extract<BotEvent, { type: 'bot.owner-changed.v1' }>;

/** A new account is looked up when it is shown; a change is the event itself. */
type Body =
  | { readonly op: 'add'; readonly userId: number }
  | { readonly op: 'update'; readonly person: Person }
  | GuestView
  | EmailView;

/** What changed; the address comes with the time zone at delivery. */
type Person =
  | Exclude<Extract<WireUserEvent, { readonly op: 'update' }>['person'], { readonly timezone: string }>
  | { readonly user_id: number; readonly timezone: string };

type Told = UserEvent | BotOwnerChanged | GuestViewEvent;

/** Client events about accounts (events.md §4): `realm_user` add, update and, for limited guests, remove. */
@Injectable()
export class UserClientEvents extends ClientEvents<WireUserEvent> {
  override readonly on: Derivations<Told> = {
    ...guestViews,
    'user.created.v1': ({ data }, directory) => added(directory, data.userId),
    'user.api-key-issued.v1': noClientEvents,
    'user.deactivated.v1': ({ data: { userId } }) => [changed({ user_id: userId, is_active: false })],
    'user.reactivated.v1': ({ data: { userId } }) => [changed({ user_id: userId, is_active: true })],
    'user.avatar-changed.v1': ({ data }, directory) => avatarChanged(directory, data),
    'user.waiting-changed.v1': noClientEvents,
    'user.email-change-requested.v1': noClientEvents,
    'user.email-visibility-changed.v1': ({ data }) => visibilityChanged(data),
    'user.changed.v1': ({ data: { userId, fullName, role, email, timezone } }) => [
      ...(fullName === undefined ? [] : [changed({ user_id: userId, full_name: fullName })]),
      ...(role === undefined ? [] : [changed({ user_id: userId, role: role.to })]),
      ...(role === undefined ? [] : addressesByRole(userId, role)),
      ...(email === undefined ? [] : [emailChanged(userId)]),
      ...(timezone === undefined ? [] : timezoneChanged(userId, timezone)),
    ],
    'bot.owner-changed.v1': ({ data: { userId, to } }) => [changed({ user_id: userId, bot_owner_id: to })],
  };
  override readonly types: ReadonlySet<string> = new Set(['realm_user']);

  constructor(
    private readonly directory: Directory,
    private readonly gravatar: Gravatar,
  ) {
    super();
  }

  override present({ position, entry: { body } }: Presentable<Body>, recipient: Recipient): readonly WireUserEvent[] {
    switch (body.op) {
      case 'update':
        return this.#updated(body.person, recipient, position);
      case 'add':
        return this.#created(body.userId, recipient);
      case 'gained':
        return body.userIds.flatMap((userId) => this.#added(userId, recipient));
      case 'email':
      case 'shown':
      case 'addresses':
        return presentAddresses(this.directory, body, recipient, position);
      case 'lost':
        return body.userIds.flatMap((userId) => this.#lost(userId, recipient));
    }
  }

  #updated(person: Person, recipient: Recipient, position: number): readonly WireUserEvent[] {
    const user = this.directory.user(person.user_id);
    if (user === undefined || !knewUser(this.directory, recipient.user, user, position)) return [];
    // Older clients find the user of a new time zone by the address.
    const asked = 'timezone' in person ? { ...person, email: apiEmail(user) } : person;
    return [{ type: 'realm_user', op: 'update', person: asked }];
  }

  #knows({ user: viewer }: Recipient, userId: number): boolean {
    const user = this.directory.user(userId);
    return user !== undefined && mayKnowUser(this.directory, viewer, user);
  }

  /** A new account. Limited guests come to know its user by an event of its own, also when that is there by the time of delivery. */
  #created(userId: number, recipient: Recipient): readonly WireUserEvent[] {
    const user = this.directory.user(userId);
    const isUnmet = user?.botType === null && isLimitedViewer(this.directory, recipient.user);
    return isUnmet ? this.#addEvents(unknownUser(userId), recipient) : this.#added(userId, recipient);
  }

  #added(userId: number, recipient: Recipient): readonly WireUserEvent[] {
    const user = seenUser(this.directory, recipient.user, userId);
    return user === undefined ? [] : this.#addEvents(user, recipient);
  }

  #lost(userId: number, recipient: Recipient): readonly WireUserEvent[] {
    if (this.#knows(recipient, userId)) return [];
    if (!takesIncompleteLists(recipient)) return this.#addEvents(unknownUser(userId), recipient);
    return [{ type: 'realm_user', op: 'remove', person: { user_id: userId, full_name: UNKNOWN_USER_NAME } }];
  }

  /** One event with the user; for what stands for an unknown one, only where the client needs the whole list. */
  #addEvents(user: User, recipient: Recipient): readonly WireUserEvent[] {
    if (user.isUnknown === true && takesIncompleteLists(recipient)) return [];
    const clientGravatar = this.gravatar.isComputed(recipient.settings.clientGravatar);
    const showsEmail = mayKnowEmail(recipient.user, user);
    const person = wireUser(user, { clientGravatar, includeProfileFields: true, showsEmail });
    return [{ type: 'realm_user', op: 'add', person }];
  }
}

function takesIncompleteLists({ settings }: Recipient): boolean {
  return settings.capabilities.includes('user_list_incomplete');
}

function changed(person: Person): FeedEntry<Body> {
  return { type: 'realm_user', audience: { to: 'everyone' }, body: { op: 'update', person } };
}

function added(directory: Directory, userId: number): readonly FeedEntry<Body>[] {
  const user = directory.user(userId);
  if (user === undefined || user.systemBot !== undefined) return [];
  return [{ type: 'realm_user', audience: { to: 'everyone' }, body: { op: 'add', userId } }];
}

/** A new account is announced with its picture. */
function avatarChanged(directory: Directory, { userId, version }: AvatarChanged['data']): readonly FeedEntry<Body>[] {
  const user = directory.user(userId);
  return user === undefined || version === 1 ? [] : [changed({ user_id: userId, ...wireAvatar(user) })];
}

/** The time zone is part of the account, and clients know it as a setting as well. */
function timezoneChanged(userId: number, timezone: string): readonly FeedEntry[] {
  const audience = { to: 'users', ids: [userId] } as const;
  const body = { property: 'timezone', value: timezone };
  return [
    changed({ user_id: userId, timezone }),
    { type: 'user_settings', audience, body },
    { type: 'update_display_settings', audience, body },
  ];
}
