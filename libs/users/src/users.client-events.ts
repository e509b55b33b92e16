import { Injectable } from '@nestjs/common';
import {
  ClientEvents,
  type ClientEvent,
  type Derivations,
  type FeedEntry,
  noClientEvents,
  type Presentable,
  type Recipient,
} from '#feed';
import type { JsonObject } from '#kernel';
import { type BotEvent, Directory, type User, type UserEvent } from '#organization';
import { wireUser } from './wire-user.js';

type BotOwnerChanged = Extract<BotEvent, { type: 'bot.owner-changed.v1' }>;

/** A new account is looked up when it is shown; a change is the event itself. */
type Body = { readonly op: 'add'; readonly userId: number } | { readonly op: 'update'; readonly person: JsonObject };

/** Client events about accounts (events.md §4): `realm_user` add and update. */
@Injectable()
export class UserClientEvents extends ClientEvents {
  override readonly on: Derivations<UserEvent | BotOwnerChanged> = {
    'user.created.v1': ({ data }, directory) => added(directory, data.userId),
    'user.api-key-issued.v1': noClientEvents,
    'user.deactivated.v1': ({ data: { userId } }) => [changed({ user_id: userId, is_active: false })],
    'user.reactivated.v1': ({ data: { userId } }) => [changed({ user_id: userId, is_active: true })],
    'user.waiting-changed.v1': noClientEvents,
    'user.changed.v1': ({ data: { userId, fullName, role } }) => [
      ...(fullName === undefined ? [] : [changed({ user_id: userId, full_name: fullName })]),
      ...(role === undefined ? [] : [changed({ user_id: userId, role: role.to })]),
    ],
    'bot.owner-changed.v1': ({ data: { userId, to } }) => [changed({ user_id: userId, bot_owner_id: to })],
  };
  override readonly types: ReadonlySet<string> = new Set(['realm_user']);

  constructor(private readonly directory: Directory) {
    super();
  }

  override present({ entry: { body } }: Presentable<Body>, recipient: Recipient): readonly ClientEvent[] {
    if (body.op === 'update') return [{ type: 'realm_user', op: 'update', person: body.person }];
    const user = this.directory.user(body.userId);
    return user === undefined ? [] : [this.#added(user, recipient)];
  }

  #added(user: User, { settings }: Recipient): ClientEvent {
    const person = wireUser(user, { clientGravatar: settings.clientGravatar, includeProfileFields: true });
    return { type: 'realm_user', op: 'add', person: { ...person } };
  }
}

function changed(person: JsonObject): FeedEntry<Body> {
  return { type: 'realm_user', audience: { to: 'everyone' }, body: { op: 'update', person } };
}

function added(directory: Directory, userId: number): readonly FeedEntry<Body>[] {
  const user = directory.user(userId);
  if (user === undefined || user.systemBot !== undefined) return [];
  return [{ type: 'realm_user', audience: { to: 'everyone' }, body: { op: 'add', userId } }];
}
