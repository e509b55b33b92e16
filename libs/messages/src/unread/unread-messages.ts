import { Injectable } from '@nestjs/common';
import { Directory, isTopicMuted, type User } from '#organization';
import { parseConversation } from '../model/place.js';
import { wireTopic } from '../wire/wire-topic.js';
import { isMentioned, isWildcard } from '../flags/message-flags.js';
import type { ViewerMessage } from '../fetch/viewer-messages.js';
import type { UnreadLook } from './unread.reader.js';

/** `unread_msgs` of the register response (register.md §6). */
export interface WireUnreadMessages {
  readonly count: number;
  readonly pms: readonly {
    readonly other_user_id: number;
    readonly sender_id: number;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly streams: readonly {
    readonly stream_id: number;
    readonly topic: string;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly huddles: readonly { readonly user_ids_string: string; readonly unread_message_ids: readonly number[] }[];
  readonly mentions: readonly number[];
  readonly old_unreads_missing: boolean;
}

/** A user's unread messages, by conversation. */
@Injectable()
export class UnreadMessages {
  constructor(private readonly directory: Directory) {}

  of(
    viewer: User,
    { unread, oldMissing }: Pick<UnreadLook, 'unread' | 'oldMissing'>,
    { allowEmptyTopicName }: { readonly allowEmptyTopicName: boolean },
  ): WireUnreadMessages {
    const { userId } = viewer;
    const collected = new UnreadCollector(userId);
    // There are far fewer conversations and topics than messages.
    const places = new Map<string, UnreadPlace>();
    for (const message of unread) {
      const { conversation, topic = '' } = message.doc;
      let place = places.get(conversation);
      if (place === undefined) places.set(conversation, (place = this.#placeOf(userId, conversation)));
      if (place.kind === 'direct') collected.addDirect(message, place.participants);
      if (place.kind !== 'channel') continue;
      const { channelId, topics } = place;
      let unreadTopic = topics.get(topic);
      if (unreadTopic === undefined) {
        unreadTopic = collected.topic(channelId, topic, isTopicMuted(this.directory, userId, channelId, topic));
        topics.set(topic, unreadTopic);
      }
      collected.addChannel(message, unreadTopic);
    }
    return collected.wire(allowEmptyTopicName, oldMissing);
  }

  #placeOf(userId: number, conversation: string): UnreadPlace {
    const place = parseConversation(conversation);
    if ('participants' in place) return { kind: 'direct', participants: place.participants };
    const isSubscribed = this.directory.isSubscribed(userId, place.channelId);
    const isOpen = this.directory.channel(place.channelId)?.isArchived === false;
    return isSubscribed && isOpen
      ? { kind: 'channel', channelId: place.channelId, topics: new Map() }
      : { kind: 'not listed' };
  }
}

type UnreadPlace =
  | { readonly kind: 'direct'; readonly participants: readonly number[] }
  | { readonly kind: 'channel'; readonly channelId: number; readonly topics: Map<string, UnreadTopic> }
  | { readonly kind: 'not listed' };

interface UnreadTopic {
  readonly channelId: number;
  readonly topic: string;
  /** Whether the user muted it. */
  readonly isMuted: boolean;
  readonly ids: number[];
}

class UnreadCollector {
  #count = 0;
  readonly #mentions: number[] = [];
  readonly #pms = new Map<number, number[]>();
  readonly #huddles = new Map<string, number[]>();
  readonly #topics: UnreadTopic[] = [];

  constructor(private readonly userId: number) {}

  addDirect({ id, doc }: ViewerMessage, participants: readonly number[]): void {
    this.#count++;
    if (isMentioned(doc, this.userId) || isWildcard(doc, this.userId)) this.#mentions.push(id);
    if (participants.length > 2) {
      push(this.#huddles, participants.join(','), id);
    } else {
      push(this.#pms, participants.find((participant) => participant !== this.userId) ?? this.userId, id);
    }
  }

  topic(channelId: number, topic: string, isMuted: boolean): UnreadTopic {
    const unreadTopic = { channelId, topic, isMuted, ids: [] };
    this.#topics.push(unreadTopic);
    return unreadTopic;
  }

  addChannel({ id, doc }: ViewerMessage, { isMuted, ids }: UnreadTopic): void {
    if (!isMuted) this.#count++;
    if (isMentioned(doc, this.userId) || (isWildcard(doc, this.userId) && !isMuted)) this.#mentions.push(id);
    ids.push(id);
  }

  wire(allowEmptyTopicName: boolean, oldMissing: boolean): WireUnreadMessages {
    return {
      count: this.#count,
      pms: [...this.#pms]
        .sort(([a], [b]) => a - b)
        .map(([userId, ids]) => ({ other_user_id: userId, sender_id: userId, unread_message_ids: ids })),
      streams: this.#topics
        .map(({ channelId, topic, ids }) => ({
          stream_id: channelId,
          topic: wireTopic(topic, allowEmptyTopicName),
          unread_message_ids: ids,
        }))
        // Sorted by what the client sees, so that it can maintain the order itself.
        .sort((a, b) => a.stream_id - b.stream_id || byText(a.topic, b.topic)),
      huddles: [...this.#huddles]
        .sort(([a], [b]) => byText(a, b))
        .map(([userIds, ids]) => ({ user_ids_string: userIds, unread_message_ids: ids })),
      mentions: this.#mentions,
      old_unreads_missing: oldMissing,
    };
  }
}

function push<Key>(map: Map<Key, number[]>, key: Key, id: number): void {
  const ids = map.get(key);
  if (ids === undefined) map.set(key, [id]);
  else ids.push(id);
}

function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
