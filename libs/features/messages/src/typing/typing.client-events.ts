import { Injectable } from '@nestjs/common';
import { ClientEvents, type FeedEntry, type Presentable, type Recipient } from '#feed';
import { Directory, knewUser } from '#people';
import { mayReadChannel } from '#channels/model';
import { type User, apiEmail } from '#users/model';
import { preferencesPart } from '#preferences/model';
import { mayReadMessage, type LocatedMessage } from '../model/message.access.js';
import type { ChannelPlace, Place } from '../model/messages.events.js';
import { allowsEmptyTopic, wireTopic } from '../wire/wire-topic.js';
import type { typingEventSchemas } from './typing-events.schema.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof typingEventSchemas>;

/** Channels with more subscribers have no typing notifications (register.md §3, with the times for clients). */
export const TYPING_AUDIENCE_MAX = 100;

export type TypingOp = 'start' | 'stop';

/** A user started or stopped typing a message for this place. */
export interface Typing {
  readonly op: TypingOp;
  readonly senderId: number;
  readonly place: Place;
}

/** A user started or stopped editing a message. */
export interface EditTyping extends Typing {
  readonly message: LocatedMessage;
}

/** Entry for the participants, including the sender; undefined when they are too many. */
export function typingEntry(directory: Directory, typing: Typing): FeedEntry<Typing> | undefined {
  const ids = audienceOf(directory, typing.place);
  return ids === undefined ? undefined : entryOf('typing', ids, typing);
}

/** Entry for the other participants; undefined when they are too many. */
export function editTypingEntry(directory: Directory, typing: EditTyping): FeedEntry<EditTyping> | undefined {
  const ids = audienceOf(directory, typing.place)?.filter((userId) => userId !== typing.senderId);
  return ids === undefined ? undefined : entryOf('typing_edit_message', ids, typing);
}

function audienceOf(directory: Directory, place: Place): readonly number[] | undefined {
  if ('to' in place) return place.to;
  if (directory.subscriberCount(place.channelId) > TYPING_AUDIENCE_MAX) return undefined;
  return directory.subscriberIds(place.channelId);
}

function entryOf<Body extends Typing>(type: string, ids: readonly number[], body: Body): FeedEntry<Body> {
  return { type, audience: { to: 'users', ids }, body };
}

/** Ephemeral events about typing (events.md §2): `typing` and `typing_edit_message`. The log has no events for them. */
@Injectable()
export class TypingClientEvents extends ClientEvents<Told> {
  override readonly on = {};
  override readonly types: ReadonlySet<string> = new Set(['typing', 'typing_edit_message']);

  constructor(private readonly directory: Directory) {
    super();
  }

  override present({ entry, position }: Presentable<Typing | EditTyping>, recipient: Recipient): readonly Told[] {
    const { userId } = recipient.user;
    if (!this.directory.of(preferencesPart).setting(userId, 'receives_typing_notifications')) return [];
    const typing = entry.body;
    // A directory that does not know the sender yet knows no recipients either.
    const sender = this.directory.user(typing.senderId);
    if (sender?.isActive !== true || !this.#takesPart(recipient.user, typing.place)) return [];
    if (!knewUser(this.directory, recipient.user, sender, position)) return [];
    return 'message' in typing ? this.#editing(typing, recipient) : this.#typing(typing, sender, recipient);
  }

  #typing({ op, place }: Typing, sender: User, { settings }: Recipient): readonly Told[] {
    const event = { type: 'typing', op, sender: wirePerson(sender) } as const;
    if ('to' in place) {
      const recipients = place.to.flatMap((userId) => this.directory.user(userId) ?? []);
      return [{ ...event, message_type: 'direct', recipients: recipients.map(wirePerson) }];
    }
    if (!settings.capabilities.includes('stream_typing_notifications')) return [];
    return [{ ...event, message_type: 'stream', stream_id: place.channelId, topic: topicFor(place, settings) }];
  }

  #editing({ op, senderId, place, message }: EditTyping, { user, settings }: Recipient): readonly Told[] {
    if (!mayReadMessage(this.directory, user, message)) return [];
    const recipient =
      'to' in place
        ? ({ type: 'direct', user_ids: place.to } as const)
        : ({ type: 'channel', channel_id: place.channelId, topic: topicFor(place, settings) } as const);
    const event = { type: 'typing_edit_message', op, sender_id: senderId, message_id: message.messageId } as const;
    return [{ ...event, recipient }];
  }

  /** Checked again now: the audience was computed a moment ago. */
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

function wirePerson(user: User): { user_id: number; email: string } {
  return { user_id: user.userId, email: apiEmail(user) };
}
