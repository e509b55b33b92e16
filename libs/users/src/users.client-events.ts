import { Injectable } from '@nestjs/common';
import type { Recorded } from '#event-store';
import { ClientEvents, type ClientEvent, type FeedEntry, type Presentable, type Recipient } from '#feed';
import { Directory, type User } from '#organization';
import { wireUser } from './wire-user.js';

/** What clients are told of accounts (events.md §4, §6): `realm_user` add, and the system groups that a new account joins. */
@Injectable()
export class UserClientEvents extends ClientEvents {
  override readonly facts: ReadonlySet<string> = new Set(['user.created.v1']);
  override readonly types: ReadonlySet<string> = new Set(['realm_user', 'user_group']);

  constructor(private readonly directory: Directory) {
    super();
  }

  override derive(fact: Recorded<{ userId: number }>, directory: Directory): readonly FeedEntry[] {
    const { userId } = fact.data;
    const user = directory.user(userId);
    if (user === undefined || user.systemBot !== undefined) return [];
    const joined = [...directory.groups()].filter(
      (group) => group.isSystemGroup && directory.isDirectMember(user, group),
    );
    return [
      { type: 'realm_user', audience: { to: 'everyone' }, body: { op: 'add', userId } },
      ...joined.map(({ groupId }): FeedEntry => ({
        type: 'user_group',
        audience: { to: 'everyone' },
        body: { op: 'add_members', group_id: groupId, user_ids: [userId] },
      })),
    ];
  }

  override present({ entry }: Presentable, recipient: Recipient): readonly ClientEvent[] {
    if (entry.type === 'user_group') return [{ type: 'user_group', ...entry.body }];
    const user = this.directory.user(Number(entry.body['userId']));
    return user === undefined ? [] : [this.#added(user, recipient)];
  }

  #added(user: User, { settings }: Recipient): ClientEvent {
    const person = wireUser(user, { clientGravatar: settings.clientGravatar, includeProfileFields: true });
    return { type: 'realm_user', op: 'add', person: { ...person } };
  }
}
