import { Injectable } from '@nestjs/common';
import { ClientEvents, type ClientEvent, type FeedEntry, type Presentable, type Recipient } from '#feed';
import type { JsonObject } from '#kernel';
import { Directory, mayReadChannel, type User } from '#organization';
import { mayReadMessage, type LocatedMessage } from './message.access.js';
import type { ChannelPlace, Place } from './messages.events.js';
import { allowsEmptyTopic, wireTopic } from './wire-topic.js';

/** In channels with more subscribers nobody is told who types (register.md §3, with the times that we give clients). */
export const TYPING_AUDIENCE_MAX = 100;

export type TypingOp = 'start' | 'stop';

/** Somebody writes a message that is to stand here, or stopped. */
export interface Typing {
  readonly op: TypingOp;
  readonly senderId: number;
  readonly place: Place;
}

/** The same of a message that is there already. */
export interface EditTyping extends Typing {
  readonly message: LocatedMessage;
}

/** What is announced to the participants, the sender included; undefined where they are too many. */
export function typingEntry(directory: Directory, typing: Typing): FeedEntry | undefined {
  const ids = audienceOf(directory, typing.place);
  return ids === undefined ? undefined : entryOf('typing', ids, typing);
}

/** What is announced to the other participants; undefined where they are too many. */
export function editTypingEntry(directory: Directory, typing: EditTyping): FeedEntry | undefined {
  const ids = audienceOf(directory, typing.place)?.filter((userId) => userId !== typing.senderId);
  return ids === undefined ? undefined : entryOf('typing_edit_message', ids, typing);
}

function audienceOf(directory: Directory, place: Place): readonly number[] | undefined {
  if ('to' in place) return place.to;
  if (directory.subscriberCount(place.channelId) > TYPING_AUDIENCE_MAX) return undefined;
  return directory.subscriberIds(place.channelId);
}

function entryOf(type: string, ids: readonly number[], typing: Typing): FeedEntry {
  return { type, audience: { to: 'users', ids }, body: typing as unknown as JsonObject };
}

/** What clients are told of somebody who types (events.md §2): `typing` and `typing_edit_message`. No fact says so. */
@Injectable()
export class TypingClientEvents extends ClientEvents {
  override readonly facts: ReadonlySet<string> = new Set();
  override readonly types: ReadonlySet<string> = new Set(['typing', 'typing_edit_message']);

  constructor(private readonly directory: Directory) {
    super();
  }

  override derive(): readonly FeedEntry[] {
    return [];
  }

  override present({ entry }: Presentable, recipient: Recipient): readonly ClientEvent[] {
    const { userId } = recipient.user;
    if (!this.directory.preferences.setting(userId, 'receives_typing_notifications')) return [];
    const typing = entry.body as unknown as Typing;
    // A directory that has not heard of the sender yet knows nobody who could be interested.
    const sender = this.directory.user(typing.senderId);
    if (sender?.isActive !== true || !this.#takesPart(recipient.user, typing.place)) return [];
    return entry.type === 'typing'
      ? this.#typing(typing, sender, recipient)
      : this.#editing(typing as EditTyping, recipient);
  }

  #typing({ op, place }: Typing, sender: User, { settings }: Recipient): readonly ClientEvent[] {
    const event = { type: 'typing', op, sender: wirePerson(sender) };
    if ('to' in place) {
      const recipients = place.to.flatMap((userId) => this.directory.user(userId) ?? []);
      return [{ ...event, message_type: 'direct', recipients: recipients.map(wirePerson) }];
    }
    if (!settings.capabilities.includes('stream_typing_notifications')) return [];
    return [{ ...event, message_type: 'stream', stream_id: place.channelId, topic: topicFor(place, settings) }];
  }

  #editing({ op, senderId, place, message }: EditTyping, { user, settings }: Recipient): readonly ClientEvent[] {
    if (!mayReadMessage(this.directory, user, message)) return [];
    const recipient =
      'to' in place
        ? { type: 'direct', user_ids: place.to }
        : { type: 'channel', channel_id: place.channelId, topic: topicFor(place, settings) };
    const event = { type: 'typing_edit_message', op, sender_id: senderId, message_id: message.messageId };
    return [{ ...event, recipient }];
  }

  /** Now: it was announced to those who did a moment ago. */
  #takesPart(user: User, place: Place): boolean {
    if ('to' in place) return place.to.includes(user.userId);
    const channel = this.directory.channel(place.channelId);
    if (channel === undefined || !this.directory.isSubscribed(user.userId, place.channelId)) return false;
    return mayReadChannel(this.directory, user, channel);
  }
}

function topicFor({ topic }: ChannelPlace, settings: Recipient['settings']): string {
  return wireTopic(topic, allowsEmptyTopic(settings));
}

function wirePerson({ userId, email }: User): { user_id: number; email: string } {
  return { user_id: userId, email };
}
