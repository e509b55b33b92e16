import { badRequest, type Refusal } from '#kernel';
import { mayReadMessageIn, type Directory, type User } from '#organization';
import { parseConversation } from './place.js';

/** What the door needs to know of a message: its ID and the conversation that it stands in now. */
export interface LocatedMessage {
  readonly messageId: number;
  /** `c:{channelId}` or `d:{participant ids}`, as in the message document. */
  readonly conversation: string;
}

/**
 * The door to messages (DESIGN, decision 13; rules.md §4): direct messages open to their participants alone, channel
 * messages to whoever may read them where they stand now.
 */
export function mayReadMessage(directory: Directory, viewer: User, message: LocatedMessage): boolean {
  const place = parseConversation(message.conversation);
  if ('participants' in place) return place.participants.includes(viewer.userId);
  const channel = directory.channel(place.channelId);
  return channel !== undefined && mayReadMessageIn(directory, viewer, channel, message.messageId);
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
