import { badRequest, Refusal } from '#kernel';
import { channelDoesNotExist } from './addressee.js';
import { WILDCARD_FREE_AUDIENCE_MAX } from './message-settings.js';
import type { MessageSent } from './messages.events.js';
import type { Destination, SendMessage } from './send.commands.js';
import { assertTopicAllowed } from './topic.js';

type ChannelDestination = Extract<Destination, { to: 'channel' }>;
type UsersDestination = Extract<Destination, { to: 'users' }>;

/**
 * Decides a send. The `messages` stream has no state to decide on, so this is a function of the command alone
 * (specification, POST /messages).
 * @throws Refusal STREAM_DOES_NOT_EXIST, STREAM_WILDCARD_MENTION_NOT_ALLOWED, TOPIC_WILDCARD_MENTION_NOT_ALLOWED, BAD_REQUEST
 */
export function decideSend(command: SendMessage): MessageSent {
  const { senderId, destination, content, client, unreadFor, at } = command;
  const place = destination.to === 'channel' ? placeInChannel(command, destination) : placeAmong(senderId, destination);
  const readBySender = command.readBySender ?? isReadBySender(client);
  return {
    type: 'message.sent.v1',
    data: {
      senderId,
      ...place,
      ...content,
      client,
      ...(readBySender ? { readBySender } : undefined),
      ...(unreadFor === undefined ? undefined : { unreadFor: [...unreadFor] }),
      at,
    },
  };
}

function placeInChannel(
  command: SendMessage,
  { asked, channel, topic }: ChannelDestination,
): { channelId: number; topic: string } {
  if (channel === undefined) throw channelDoesNotExist(asked);
  if (!channel.isKnown) throw channelDoesNotExist(asked);
  if (channel.isArchived) throw badRequest(`Not authorized to send to channel '${channel.name}': it is archived`);
  if (!channel.maySend) throw badRequest(`Not authorized to send to channel '${channel.name}'`);
  assertTopicAllowed(topic, channel.topicsPolicy);
  if (!channel.mayUseTopic) throw badRequest('You do not have permission to create new topics in this channel.');
  assertWildcardsAllowed(command.content, { ...channel, mayMentionMany: command.mayMentionMany });
  return { channelId: channel.channelId, topic };
}

/** Whom a wildcard mention reaches, and whether the author may reach so many. */
export interface WildcardAnswers {
  readonly mayMentionMany: boolean;
  readonly subscriberCount: number;
  readonly topicParticipantCount?: number;
}

/** @throws Refusal STREAM_WILDCARD_MENTION_NOT_ALLOWED, TOPIC_WILDCARD_MENTION_NOT_ALLOWED (rules.md §7) */
export function assertWildcardsAllowed(
  content: { readonly channelWildcard?: true; readonly topicWildcard?: true },
  { mayMentionMany, subscriberCount, topicParticipantCount = 0 }: WildcardAnswers,
): void {
  if (mayMentionMany) return;
  if (content.channelWildcard === true && subscriberCount > WILDCARD_FREE_AUDIENCE_MAX) {
    throw new Refusal(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use channel wildcard mentions in this channel.',
    );
  }
  if (content.topicWildcard === true && topicParticipantCount > WILDCARD_FREE_AUDIENCE_MAX) {
    throw new Refusal(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use topic wildcard mentions in this topic.',
    );
  }
}

function placeAmong(senderId: number, { asked, users }: UsersDestination): { to: number[] } {
  const participants = new Set([senderId]);
  users.forEach((user, index) => {
    if (user === undefined) {
      const unknown = asked[index] ?? '';
      throw badRequest(typeof unknown === 'number' ? `Invalid user ID ${unknown}` : `Invalid email '${unknown}'`);
    }
    if (!user.isActive) throw badRequest(`'${user.email}' is no longer using this organization.`);
    participants.add(user.userId);
  });
  return { to: [...participants].sort((a, b) => a - b) };
}

/** Clients in front of which a person sits: what they send, they have read. */
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
