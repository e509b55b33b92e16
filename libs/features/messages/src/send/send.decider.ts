import { badRequest, excerpt, Refusal } from '#kernel';
import { apiEmail } from '#users/model';
import { channelDoesNotExist } from './addressee.js';
import { WILDCARD_FREE_AUDIENCE_MAX } from '../model/message-settings.js';
import type { MessageContent } from '../model/message-content.js';
import type { ChannelPlace, MessageSent, Place } from '../model/messages.events.js';
import type { Destination, SendMessage, WildcardAnswers } from './send.commands.js';
import { assertTopicAllowed } from '../model/topic.js';

type ChannelDestination = Extract<Destination, { to: 'channel' }>;
type UsersDestination = Extract<Destination, { to: 'users' }>;

/**
 * Decides a send. The `messages` stream has no state to decide on, so this is a function of the command alone
 * (endpoints.md §4, POST /messages).
 * @param place as `decidePlace` has decided it: the content is rendered for it
 * @throws Refusal STREAM_DOES_NOT_EXIST, STREAM_WILDCARD_MENTION_NOT_ALLOWED, TOPIC_WILDCARD_MENTION_NOT_ALLOWED,
 * BAD_REQUEST
 */
export function decideSend(place: Place, command: SendMessage): MessageSent {
  const { senderId, destination, content, client, unreadFor, readBy = [], calls = [], widget, at } = command;
  if (destination.to === 'channel' && destination.channel !== undefined)
    assertWildcardsAllowed(content, destination.channel);
  const readBySender = command.readBySender ?? isReadBySender(client);
  return {
    type: 'message.sent.v1',
    data: {
      senderId,
      ...place,
      ...content,
      calls: calls.length === 0 ? undefined : [...calls],
      widget,
      client,
      ...(readBySender ? { readBySender } : undefined),
      unreadFor: unreadFor === undefined ? undefined : [...unreadFor],
      ...(readBy.length === 0 ? undefined : { readBy: [...readBy] }),
      at,
    },
  };
}

/**
 * The place of the message, independent of its content.
 * @throws Refusal STREAM_DOES_NOT_EXIST, BAD_REQUEST
 */
export function decidePlace(senderId: number, destination: Destination): Place {
  return destination.to === 'channel' ? placeInChannel(destination) : placeAmong(senderId, destination);
}

function placeInChannel({ asked, channel, topic }: ChannelDestination): ChannelPlace {
  if (channel === undefined) throw channelDoesNotExist(asked);
  if (!channel.isKnown) throw channelDoesNotExist(asked);
  if (channel.isArchived) throw badRequest(`Not authorized to send to channel '${channel.name}': it is archived`);
  if (!channel.maySend) throw badRequest(`Not authorized to send to channel '${channel.name}'`);
  assertTopicAllowed(topic, channel.topicsPolicy);
  if (!channel.mayUseTopic) throw badRequest('You do not have permission to create new topics in this channel.');
  return { channelId: channel.channelId, topic };
}

/** @throws Refusal STREAM_WILDCARD_MENTION_NOT_ALLOWED, TOPIC_WILDCARD_MENTION_NOT_ALLOWED (rules.md §7) */
export function assertWildcardsAllowed(
  { channelWildcard, topicParticipants = [] }: Pick<MessageContent, 'channelWildcard' | 'topicParticipants'>,
  { mayMentionMany, subscriberCount }: WildcardAnswers,
): void {
  if (mayMentionMany) return;
  if (channelWildcard === true && subscriberCount > WILDCARD_FREE_AUDIENCE_MAX) {
    throw new Refusal(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use channel wildcard mentions in this channel.',
    );
  }
  if (topicParticipants.length > WILDCARD_FREE_AUDIENCE_MAX) {
    throw new Refusal(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use topic wildcard mentions in this topic.',
    );
  }
}

function placeAmong(senderId: number, { asked, users, ...may }: UsersDestination): { to: number[] } {
  const known = users.map((user, index) => {
    if (user === undefined) {
      const unknown = asked[index] ?? '';
      throw badRequest(
        typeof unknown === 'number' ? `Invalid user ID ${unknown}` : `Invalid email '${excerpt(unknown)}'`,
      );
    }
    if (!user.isActive) throw badRequest(`'${apiEmail(user)}' is no longer using this organization.`);
    return user;
  });
  if (!may.isPermitted && may.isOff) throw badRequest('Direct messages are disabled in this organization.');
  if (!may.isPermitted) throw badRequest('This conversation does not include any users who can authorize it.');
  if (!may.mayBegin) throw badRequest('You do not have permission to initiate direct message conversations.');
  return { to: participantsOf(senderId, known) };
}

/** All participants of the conversation with these users, ascending. */
export function participantsOf(senderId: number, users: readonly { readonly userId: number }[]): number[] {
  return [...new Set([senderId, ...users.map(({ userId }) => userId)])].sort((a, b) => a - b);
}

/** Interactive clients: their users have read what they send. */
const READING_CLIENTS = new Set([
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'zulipmobile',
  'zulipelectron',
  'zulipterminal',
  'snipe',
  'website',
  'ios',
  'android',
]);

function isReadBySender(client: string): boolean {
  const name = client.toLowerCase();
  return READING_CLIENTS.has(name) || name.includes('desktop app');
}
