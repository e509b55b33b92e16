import type { Channel, ServerEvent } from '../wire/types.js';
import type { State } from './state.js';
import type { Unread } from './unread.js';

/** What a change of a channel may bring into sight besides the channel itself. */
export const OPENING = ['invite_only', 'history_public_to_subscribers', 'is_archived'];

/**
 * Whether unread messages may come into the list of the reader with this event, and no event tells where they are: they were received
 * in a channel without a subscription to it, or become the reader's by a mention. A new registration tells them.
 * @param before the state before the event
 */
export function bringsUntold(event: ServerEvent, { subscriptions, unread }: State): boolean {
  if (subscriptions === undefined || unread === undefined) return false;
  const isSubscribed = (channelId: unknown): boolean => subscriptions.has(channelId as number);
  const { type, op, stream_id: channelId, new_stream_id: next } = event;
  switch (type) {
    case 'subscription':
      // A channel without messages has none that are unread.
      return (
        op === 'add' && (event['subscriptions'] as readonly Channel[]).some((one) => one.first_message_id !== null)
      );
    case 'update_message':
      if (next !== undefined) return !isSubscribed(channelId) && isSubscribed(next);
      return event['content'] !== undefined && isSubscribed(channelId) && isNew(event, unread);
    case 'stream':
      return op === 'update' && OPENING.includes(String(event['property'])) && isSubscribed(channelId);
    default:
      return false;
  }
}

function isNew({ message_id: id, flags }: ServerEvent, { keys }: Unread): boolean {
  return !(flags as readonly string[]).includes('read') && !keys.has(id as number);
}
