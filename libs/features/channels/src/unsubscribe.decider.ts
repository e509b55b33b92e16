import { badRequest, excerpt } from '#kernel';
import { ROLE, type User } from '#users/model';
import type { Directory } from '#people';
import { entailing } from './model/subscriptions/entailing.js';
import { mayAdministerChannel, mayKnowChannel } from './model/channels/channel.access.js';
import type { Channel } from './model/channels/channel.js';
import type { ChannelsUnsubscribed, ChannelUnsubscribed } from './model/subscriptions/subscription.events.js';
import { unsubscribedTogether } from './model/subscriptions/together.js';
import { assertNotTooMany, findPrincipals } from './principals.js';

export interface Unsubscribe {
  readonly type: 'unsubscribe';
  readonly actor: User;
  readonly names: readonly string[];
  /** Only the actor when undefined. */
  readonly principals: readonly (number | string)[] | undefined;
  readonly at: number;
}

export interface Unsubscribed {
  readonly events: readonly (ChannelUnsubscribed | ChannelsUnsubscribed)[];
  readonly removed: readonly string[];
  readonly notRemoved: readonly string[];
}

/** Ends subscriptions (endpoints.md §8, DELETE /users/me/subscriptions). @throws Refusal BAD_REQUEST */
export function decideUnsubscribe(directory: Directory, command: Unsubscribe): Unsubscribed {
  const { actor } = command;
  const users = findPrincipals(directory, actor, command.principals);
  const channels = findByName(directory, actor, command.names);
  assertNotTooMany(channels, users);
  // Every user may remove their own bots.
  const removesOthers = users.some(({ userId, botOwnerId }) => userId !== actor.userId && botOwnerId !== actor.userId);
  const events: ChannelUnsubscribed[] = [];
  const removed: string[] = [];
  const notRemoved: string[] = [];
  for (const channel of channels) {
    if (removesOthers && !mayRemoveOthers(directory, actor, channel)) throw badRequest('Insufficient permission');
    const leaving = users
      .filter(({ userId }) => directory.isSubscribed(userId, channel.channelId))
      .map(({ userId }) => userId);
    if (leaving.length === 0) {
      notRemoved.push(channel.name);
      continue;
    }
    removed.push(channel.name);
    const data = { channelId: channel.channelId, userIds: leaving, by: actor.userId, at: command.at };
    events.push({ type: 'channel.unsubscribed.v1', data });
  }
  return { events: entailing(unsubscribedTogether(events)), removed, notRemoved };
}

function mayRemoveOthers(directory: Directory, actor: User, channel: Channel): boolean {
  if (mayAdministerChannel(directory, actor, channel)) return true;
  if (actor.role >= ROLE.guest) return false;
  return directory.holds(actor, channel.permissions.can_remove_subscribers_group);
}

function findByName(directory: Directory, actor: User, names: readonly string[]): Channel[] {
  // Several spellings may name one channel.
  const found = new Set<Channel>();
  const missing: string[] = [];
  for (const name of names) {
    const channel = directory.channelByName(name.trim());
    if (channel === undefined || !mayKnowChannel(directory, actor, channel)) missing.push(excerpt(name));
    else found.add(channel);
  }
  if (missing.length > 0) throw badRequest(`Channel(s) (${missing.join(', ')}) do not exist`);
  return [...found];
}
