import { firstAtLeast, Slices } from '#kernel';
import { parseConversation, wireTopic } from '#messages';
import type { Directory } from '#people';
import { isTopicMuted } from '#preferences/model';
import { integer, list, named, object, text, truth, type Wire } from '#wire';
import type { ViewerMessage } from '../viewer/viewer-messages.js';
import { isMentioned, isWildcard } from '../flags/message-flags.js';

const unreadIds = { unread_message_ids: list(integer) };

/** `unread_msgs` of the register response (register.md §6). */
export const UnreadMessagesSchema = named(
  'UnreadMessages',
  object({
    count: integer,
    pms: list(object({ other_user_id: integer, sender_id: integer, ...unreadIds })),
    streams: list(object({ stream_id: integer, topic: text, ...unreadIds })),
    huddles: list(object({ user_ids_string: text, ...unreadIds })),
    mentions: list(integer),
    old_unreads_missing: truth,
  }),
);
export type WireUnreadMessages = Wire<typeof UnreadMessagesSchema>;

/**
 * A user's unread messages, by conversation. Messages come and go one by one; access, subscriptions and muted topics
 * must not change meanwhile.
 */
export class UnreadConversations {
  #count = 0;
  readonly #mentions: number[] = [];
  /** There are far fewer conversations and topics than messages. */
  readonly #places = new Map<string, UnreadPlace>();

  constructor(
    private readonly directory: Directory,
    private readonly userId: number,
  ) {}

  /** Yields to other requests between its parts. */
  async addAll(messages: readonly ViewerMessage[]): Promise<void> {
    const slices = new Slices();
    for (const message of messages) {
      if (slices.isOver) await slices.next();
      this.add(message);
    }
  }

  add(message: ViewerMessage): void {
    const list = this.#listOf(message);
    if (list === undefined) return;
    insert(list.ids, message.id);
    if (!list.isMuted) this.#count++;
    if (this.#isMention(message, list)) insert(this.#mentions, message.id);
  }

  /** @param message as it was added */
  remove(message: ViewerMessage): void {
    const list = this.#listOf(message);
    if (list === undefined) return;
    remove(list.ids, message.id);
    if (!list.isMuted) this.#count--;
    if (this.#isMention(message, list)) remove(this.#mentions, message.id);
  }

  wire(options: { readonly allowEmptyTopicName: boolean; readonly oldMissing: boolean }): WireUnreadMessages {
    const pms: { readonly userId: number; readonly ids: readonly number[] }[] = [];
    const huddles: { readonly userIds: string; readonly ids: readonly number[] }[] = [];
    const topics: { readonly channelId: number; readonly topic: string; readonly ids: readonly number[] }[] = [];
    for (const place of this.#places.values()) {
      if (place.kind === 'direct' && place.list.ids.length > 0) {
        const { participants, list } = place;
        if (participants.length > 2) huddles.push({ userIds: participants.join(','), ids: list.ids });
        else pms.push({ userId: participants.find((one) => one !== this.userId) ?? this.userId, ids: list.ids });
      }
      if (place.kind !== 'channel') continue;
      for (const [name, { ids }] of place.topics) {
        const topic = wireTopic(name, options.allowEmptyTopicName);
        if (ids.length > 0) topics.push({ channelId: place.channelId, topic, ids });
      }
    }
    return {
      count: this.#count,
      pms: pms
        .sort((a, b) => a.userId - b.userId)
        .map(({ userId, ids }) => ({ other_user_id: userId, sender_id: userId, unread_message_ids: ids })),
      streams: topics
        // Sorted by what the client sees, so that it can maintain the order itself.
        .sort((a, b) => a.channelId - b.channelId || byText(a.topic, b.topic))
        .map(({ channelId, topic, ids }) => ({ stream_id: channelId, topic, unread_message_ids: ids })),
      huddles: huddles
        .sort((a, b) => byText(a.userIds, b.userIds))
        .map(({ userIds, ids }) => ({ user_ids_string: userIds, unread_message_ids: ids })),
      mentions: this.#mentions,
      old_unreads_missing: options.oldMissing,
    };
  }

  #isMention({ doc }: ViewerMessage, { isMuted }: UnreadList): boolean {
    return isMentioned(doc, this.userId) || (isWildcard(doc, this.userId) && !isMuted);
  }

  /** The list that the message belongs in; undefined when it is not shown as unread. */
  #listOf({ doc: { conversation, topic = '' } }: ViewerMessage): UnreadList | undefined {
    let place = this.#places.get(conversation);
    if (place === undefined) this.#places.set(conversation, (place = this.#placeOf(conversation)));
    if (place.kind === 'direct') return place.list;
    if (place.kind === 'not shown') return undefined;
    let list = place.topics.get(topic);
    if (list === undefined) {
      list = { isMuted: isTopicMuted(this.directory, this.userId, place.channelId, topic), ids: [] };
      place.topics.set(topic, list);
    }
    return list;
  }

  #placeOf(conversation: string): UnreadPlace {
    const place = parseConversation(conversation);
    if ('participants' in place) {
      return { kind: 'direct', participants: place.participants, list: { isMuted: false, ids: [] } };
    }
    const { channelId } = place;
    const isSubscribed = this.directory.isSubscribed(this.userId, channelId);
    const isOpen = this.directory.channel(channelId)?.isArchived === false;
    return isSubscribed && isOpen ? { kind: 'channel', channelId, topics: new Map() } : { kind: 'not shown' };
  }
}

type UnreadPlace =
  | { readonly kind: 'direct'; readonly participants: readonly number[]; readonly list: UnreadList }
  | { readonly kind: 'channel'; readonly channelId: number; readonly topics: Map<string, UnreadList> }
  | { readonly kind: 'not shown' };

interface UnreadList {
  /** Whether the user muted the topic: its messages do not count. */
  readonly isMuted: boolean;
  /** Ascending. */
  readonly ids: number[];
}

/** @param ids ascending, without this one */
function insert(ids: number[], id: number): void {
  if (id > (ids.at(-1) ?? 0)) ids.push(id);
  else
    ids.splice(
      firstAtLeast(ids, id, (one) => one),
      0,
      id,
    );
}

/** @param ids ascending, with this one */
function remove(ids: number[], id: number): void {
  ids.splice(
    firstAtLeast(ids, id, (one) => one),
    1,
  );
}

function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
