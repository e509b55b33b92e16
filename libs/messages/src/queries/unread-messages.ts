import { Injectable } from '@nestjs/common';
import { Directory, isTopicMuted, type User } from '#organization';
import { parseConversation } from '../place.js';
import { wireTopic } from '../wire-topic.js';
import { isMentioned, isWildcard } from './message-flags.js';
import type { SeenMessage } from './seen-messages.js';
import { UnreadReader } from './unread.reader.js';

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
  constructor(
    private readonly directory: Directory,
    private readonly unread: UnreadReader,
  ) {}

  async of(
    viewer: User,
    { allowEmptyTopicName }: { readonly allowEmptyTopicName: boolean },
  ): Promise<WireUnreadMessages> {
    const { unread, oldMissing } = await this.unread.look(viewer);
    const collected = new UnreadCollector(viewer.userId);
    for (const message of unread) {
      const place = parseConversation(message.doc.conversation);
      if ('participants' in place) {
        collected.addDirect(message, place.participants);
        continue;
      }
      const { userId } = viewer;
      const isSubscribed = this.directory.isSubscribed(userId, place.channelId);
      const isOpen = this.directory.channel(place.channelId)?.isArchived === false;
      if (!isSubscribed || !isOpen) continue;
      const isMuted = isTopicMuted(this.directory, userId, place.channelId, message.doc.topic ?? '');
      collected.addChannel(message, place.channelId, isMuted);
    }
    return collected.wire(allowEmptyTopicName, oldMissing);
  }
}

class UnreadCollector {
  #count = 0;
  readonly #mentions: number[] = [];
  readonly #pms = new Map<number, number[]>();
  readonly #huddles = new Map<string, number[]>();
  readonly #topics = new Map<string, { readonly channelId: number; readonly topic: string; readonly ids: number[] }>();

  constructor(private readonly userId: number) {}

  addDirect({ id, doc }: SeenMessage, participants: readonly number[]): void {
    this.#count++;
    if (isMentioned(doc, this.userId) || isWildcard(doc, this.userId)) this.#mentions.push(id);
    if (participants.length > 2) {
      push(this.#huddles, participants.join(','), id);
    } else {
      push(this.#pms, participants.find((participant) => participant !== this.userId) ?? this.userId, id);
    }
  }

  addChannel({ id, doc }: SeenMessage, channelId: number, isMuted: boolean): void {
    if (!isMuted) this.#count++;
    if (isMentioned(doc, this.userId) || (isWildcard(doc, this.userId) && !isMuted)) this.#mentions.push(id);
    const topic = doc.topic ?? '';
    const key = `${channelId}:${topic}`;
    const entry = this.#topics.get(key);
    if (entry === undefined) this.#topics.set(key, { channelId, topic, ids: [id] });
    else entry.ids.push(id);
  }

  wire(allowEmptyTopicName: boolean, oldMissing: boolean): WireUnreadMessages {
    return {
      count: this.#count,
      pms: [...this.#pms]
        .sort(([a], [b]) => a - b)
        .map(([userId, ids]) => ({ other_user_id: userId, sender_id: userId, unread_message_ids: ids })),
      streams: [...this.#topics.values()]
        .map(({ channelId, topic, ids }) => ({
          stream_id: channelId,
          topic: wireTopic(topic, allowEmptyTopicName),
          unread_message_ids: ids,
        }))
        // By what the client sees, so that it can keep the order up itself.
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
