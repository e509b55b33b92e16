import { badRequest, type Refusal } from '#kernel';
import { hasSharedHistory, mayReadChannel, mayReadMessageIn, type Directory, type User } from '#organization';
import { parseConversation } from './place.js';
import type { MessageDocument } from './projections/message.document.js';

/** What the door needs to know of a message. */
export interface LocatedMessage {
  readonly messageId: number;
  /** Where it stands now: `c:{channelId}` or `d:{participant ids}`. */
  readonly conversation: string;
  /** How it came there, when it was not sent there; undefined when it never left the channel it was sent to. */
  readonly arrivals: MessageDocument['arrivals'];
}

export function located(
  messageId: number,
  { conversation, arrivals }: Pick<MessageDocument, 'conversation' | 'arrivals'>,
): LocatedMessage {
  return { messageId, conversation, arrivals };
}

/**
 * The door to messages (DESIGN, decision 13; rules.md §4): direct messages open to their participants alone, channel
 * messages to whoever may read them where they stand now. Where history is protected, those are the messages that came
 * while one was subscribed, by being sent or by being moved there (rules.md §6).
 */
export function mayReadMessage(directory: Directory, viewer: User, message: LocatedMessage): boolean {
  const { messageId, conversation, arrivals } = message;
  const place = parseConversation(conversation);
  if ('participants' in place) return place.participants.includes(viewer.userId);
  const channel = directory.channel(place.channelId);
  if (channel === undefined) return false;
  const arrival = arrivals?.at(-1);
  if (arrival === undefined) return mayReadMessageIn(directory, viewer, channel, messageId);
  if (!mayReadChannel(directory, viewer, channel)) return false;
  if (hasSharedHistory(channel)) return true;
  return directory.wasSubscribedAt(viewer.userId, channel.channelId, arrival.position);
}

/** @throws Refusal BAD_REQUEST, the same for messages that do not exist and for those that the viewer may not read */
export function accessMessage<Message extends LocatedMessage>(
  directory: Directory,
  viewer: User,
  message: Message | undefined,
): Message {
  if (message === undefined) throw invalidMessage();
  if (!mayReadMessage(directory, viewer, message)) throw invalidMessage();
  return message;
}

export function invalidMessage(): Refusal {
  return badRequest('Invalid message(s)');
}
