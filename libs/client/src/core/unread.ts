import type { Message, UnreadMessages } from '../wire/types.js';
import { type IdMap, type IdSet, IdMap as Ids, idSet, NO_IDS } from './id-map.js';
import { KeyMap } from './key-map.js';
import { ascending, byText } from './ordered.js';

/** Where a message is: a topic of a channel, or with whom, without the reader; empty for notes to oneself. */
export type Place = { readonly channelId: number; readonly topic: string } | { readonly others: readonly number[] };

/** The unread messages of a conversation. */
export interface UnreadConversation {
  readonly place: Place;
  /** Ascending; `size` is their number. */
  readonly ids: IdSet;
}

/** The reader's unread messages. A change costs the same with 50,000 of them as with none. */
export interface Unread {
  /** Unread messages that are not muted. */
  readonly count: number;
  /** Keys of conversations, by message. */
  readonly keys: IdMap<string>;
  readonly conversations: KeyMap<UnreadConversation>;
  readonly mentions: IdSet;
  readonly oldMissing: boolean;
}

/** Whether a place is muted, and whether the reader is subscribed to the channel: what else is known of it. */
export interface Places {
  isMuted(place: Place): boolean;
  isSubscribed(channelId: number): boolean;
}

/** Tells conversations apart. */
export function keyOf(place: Place): string {
  return 'others' in place ? `d${place.others.join()}` : `c${place.channelId}:${place.topic}`;
}

export function placeOf(message: Message, self: number): Place {
  if (message.type === 'stream') return { channelId: message.stream_id, topic: message.subject };
  return withOthers(
    message.display_recipient.map(({ id }) => id),
    self,
  );
}

/** A direct conversation among these and the reader. */
export function withOthers(ids: readonly number[], self: number): Place {
  return { others: ids.filter((id) => id !== self).sort(ascending) };
}

export function unreadOf(wire: UnreadMessages, self: number): Unread {
  let keys = Ids.empty<string>();
  let conversations = KeyMap.empty<UnreadConversation>();
  const put = (place: Place, ids: readonly number[]): void => {
    const key = keyOf(place);
    for (const id of ids) keys = keys.set(id, key);
    conversations = conversations.set(key, { place, ids: idSet(ids) });
  };
  for (const { other_user_id: id, unread_message_ids: ids } of wire.pms) put(withOthers([id], self), ids);
  for (const { user_ids_string: people, unread_message_ids: ids } of wire.huddles)
    put(withOthers(people.split(',').map(Number), self), ids);
  for (const { stream_id: channelId, topic, unread_message_ids: ids } of wire.streams) put({ channelId, topic }, ids);
  return {
    count: wire.count,
    keys,
    conversations,
    mentions: idSet(wire.mentions),
    oldMissing: wire.old_unreads_missing,
  };
}

/** In the form of the register answer. */
export function wireUnread({ count, conversations, mentions, oldMissing }: Unread, self: number): UnreadMessages {
  const all = [...conversations].map(([, { place, ids }]) => ({ place, unread_message_ids: [...ids.keys()] }));
  const direct = all.flatMap(({ place, ...rest }) => ('others' in place ? [{ others: place.others, ...rest }] : []));
  return {
    count,
    pms: direct
      .filter(({ others }) => others.length < 2)
      .map(({ others, ...rest }) => ({ other_user_id: others[0] ?? self, sender_id: others[0] ?? self, ...rest }))
      .sort((a, b) => a.other_user_id - b.other_user_id),
    streams: all
      .flatMap(({ place, ...rest }) =>
        'others' in place ? [] : [{ stream_id: place.channelId, topic: place.topic, ...rest }],
      )
      .sort((a, b) => a.stream_id - b.stream_id || byText(a.topic, b.topic)),
    huddles: direct
      .filter(({ others }) => others.length > 1)
      .map(({ others, ...rest }) => ({ user_ids_string: [...others, self].sort(ascending).join(), ...rest }))
      .sort((a, b) => byText(a.user_ids_string, b.user_ids_string)),
    mentions: [...mentions.keys()],
    old_unreads_missing: oldMissing,
  };
}

/** Channels without a subscription, and archived ones, have no unread messages. */
export function added(unread: Unread, id: number, place: Place, flags: readonly string[], places: Places): Unread {
  const others = removed(unread, [id], places);
  if ('channelId' in place && !places.isSubscribed(place.channelId)) return others;
  const key = keyOf(place);
  const ids = others.conversations.get(key)?.ids ?? NO_IDS;
  const next = {
    ...others,
    count: others.count + (places.isMuted(place) ? 0 : 1),
    keys: others.keys.set(id, key),
    conversations: others.conversations.set(key, { place, ids: ids.set(id, true) }),
  };
  return reflagged(next, id, flags, places);
}

/** Whether the message mentions the reader, by its flags. */
export function reflagged(unread: Unread, id: number, flags: readonly string[], places: Places): Unread {
  const place = placeOfUnread(unread, id);
  if (place === undefined) return unread;
  const isWildcard = flags.some((flag) => flag.endsWith('wildcard_mentioned'));
  const isMention = flags.includes('mentioned') || (isWildcard && !places.isMuted(place));
  return { ...unread, mentions: isMention ? unread.mentions.set(id, true) : unread.mentions.delete(id) };
}

export function moved(unread: Unread, id: number, place: Place, places: Places): Unread {
  if (!unread.keys.has(id)) return unread;
  return added(unread, id, place, unread.mentions.has(id) ? ['mentioned'] : [], places);
}

export function removed(unread: Unread, ids: Iterable<number>, places: Places): Unread {
  let { count, keys, conversations, mentions } = unread;
  for (const id of ids) {
    const key = keys.get(id);
    if (key === undefined) continue;
    const conversation = conversations.get(key);
    keys = keys.delete(id);
    mentions = mentions.delete(id);
    if (conversation === undefined) continue;
    const left = conversation.ids.delete(id);
    conversations = conversations.set(key, left.size === 0 ? undefined : { ...conversation, ids: left });
    if (!places.isMuted(conversation.place)) count--;
  }
  return keys === unread.keys ? unread : { ...unread, count, keys, conversations, mentions };
}

export function removedAll(unread: Unread): Unread {
  return { ...unread, count: 0, keys: Ids.empty(), conversations: KeyMap.empty(), mentions: NO_IDS };
}

export function removedChannel(unread: Unread, channelId: number, places: Places): Unread {
  const gone = [...unread.conversations].flatMap(([, { place, ids }]) =>
    'channelId' in place && place.channelId === channelId ? [...ids.keys()] : [],
  );
  return removed(unread, gone, places);
}

/** After what is muted has changed. */
export function recounted(unread: Unread, places: Places): Unread {
  let count = 0;
  for (const [, { place, ids }] of unread.conversations) if (!places.isMuted(place)) count += ids.size;
  return count === unread.count ? unread : { ...unread, count };
}

export function placeOfUnread({ keys, conversations }: Unread, id: number): Place | undefined {
  const key = keys.get(id);
  return key === undefined ? undefined : conversations.get(key)?.place;
}
