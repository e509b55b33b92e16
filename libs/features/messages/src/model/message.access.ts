import { badRequest, type Refusal } from '#kernel';
import { hasSharedHistory, mayReadChannel, mayReadMessageIn } from '#channels/model';
import type { Directory } from '#people';
import type { User } from '#users/model';
import { parseConversation } from './place.js';

/** A move into a channel, with its position in the log: only users who were subscribed then kept the message. */
export interface Arrival {
  readonly channelId: number;
  readonly position: number;
}

/** The fields of a message that access checks need. */
export interface LocatedMessage {
  readonly messageId: number;
  /** Current place: `c:{channelId}` or `d:{participant ids}`. */
  readonly conversation: string;
  /** Arrivals in its channel by a move; undefined when it never left its original channel. */
  readonly arrivals: readonly Arrival[] | undefined;
}

export function located(
  messageId: number,
  { conversation, arrivals }: { readonly conversation: string; readonly arrivals?: readonly Arrival[] | undefined },
): LocatedMessage {
  return { messageId, conversation, arrivals };
}

/**
 * Access to messages (rules.md §4): direct messages only for their participants, channel messages for users who may
 * read their current channel. With protected history, only messages that arrived, by sending or moving, while the user
 * was subscribed (rules.md §6).
 */
export function mayReadMessage(directory: Directory, viewer: User, message: LocatedMessage): boolean {
  const { messageId, conversation, arrivals } = message;
  const place = parseConversation(conversation);
  if ('participants' in place)
    return place.participants.includes(viewer.userId) && hasBegun(directory, place.participants);
  const channel = directory.channel(place.channelId);
  if (channel === undefined) return false;
  const arrival = arrivals?.at(-1);
  if (arrival === undefined) return mayReadMessageIn(directory, viewer, channel, messageId);
  if (!mayReadChannel(directory, viewer, channel)) return false;
  if (hasSharedHistory(channel)) return true;
  return directory.wasSubscribedAt(viewer.userId, channel.channelId, arrival.position);
}

/** On shared stores a read model may be ahead of the directory, which does not know the newest conversations then, nor the newest channels. */
function hasBegun(directory: Directory, participants: readonly number[]): boolean {
  return participants.length === 1 || directory.conversationNumber(participants) !== undefined;
}

/** @throws Refusal BAD_REQUEST, alike for messages that do not exist and those that the viewer may not read */
export function accessMessage<Message extends LocatedMessage>(
  directory: Directory,
  viewer: User,
  message: Message | undefined,
): Message {
  if (message === undefined) throw invalidMessage();
  if (!mayReadMessage(directory, viewer, message)) throw invalidMessage();
  return message;
}

/**
 * Messages in archived channels stay as they are (rules.md §14).
 * @throws Refusal BAD_REQUEST
 */
export function assertNotArchived({ isArchived }: { readonly isArchived: boolean }): void {
  if (isArchived) throw badRequest('This channel is archived');
}

export function invalidMessage(): Refusal {
  return badRequest('Invalid message(s)');
}
