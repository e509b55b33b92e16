import { wireTopic } from '#messages';
import { integer, list, named, object, text, truth, type Wire } from '#wire';
import { isMention } from '../recent/row-scan.js';
import type { PlacedIds } from '../recent/seen-rows.js';
import type { UnreadLook } from './unread.reader.js';

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

/** `unread_msgs` of a look. */
export function wireUnread(
  { unread, oldMissing }: UnreadLook,
  options: { readonly userId: number; readonly allowEmptyTopicName: boolean },
): WireUnreadMessages {
  const places = unread.byPlace().filter(({ place }) => place.isListed);
  const mentions: number[] = [];
  for (const message of unread.special)
    if (message.place.isListed && isMention(message, options.userId)) mentions.push(message.id);
  return {
    count: places.reduce((count, { place, ids }) => (place.isMuted ? count : count + ids.length), 0),
    ...listed(places, options),
    mentions: mentions.sort((a, b) => a - b),
    old_unreads_missing: oldMissing,
  };
}

/** Sorted by what the client sees, so that it can maintain the order itself. */
function listed(
  places: readonly PlacedIds[],
  { userId, allowEmptyTopicName }: { readonly userId: number; readonly allowEmptyTopicName: boolean },
): Pick<WireUnreadMessages, 'pms' | 'streams' | 'huddles'> {
  const pms: { other_user_id: number; sender_id: number; unread_message_ids: readonly number[] }[] = [];
  const huddles: { user_ids_string: string; unread_message_ids: readonly number[] }[] = [];
  const streams: { stream_id: number; topic: string; unread_message_ids: readonly number[] }[] = [];
  for (const { place, ids } of places) {
    const { channelId, participants, topic = '' } = place;
    if (channelId !== undefined) {
      streams.push({ stream_id: channelId, topic: wireTopic(topic, allowEmptyTopicName), unread_message_ids: ids });
    } else if (participants.length > 2) {
      huddles.push({ user_ids_string: participants.join(','), unread_message_ids: ids });
    } else {
      const other = participants.find((one) => one !== userId) ?? userId;
      pms.push({ other_user_id: other, sender_id: other, unread_message_ids: ids });
    }
  }
  return {
    pms: pms.sort((a, b) => a.other_user_id - b.other_user_id),
    streams: streams.sort((a, b) => a.stream_id - b.stream_id || byText(a.topic, b.topic)),
    huddles: huddles.sort((a, b) => byText(a.user_ids_string, b.user_ids_string)),
  };
}

function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
