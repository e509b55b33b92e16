import type { Channel } from '#channels/model';
import { where } from '#read-store';
import { channelConversation } from '../model/place.js';
import type { MessagesReader } from './messages.reader.js';

/**
 * The oldest message left in a channel after these leave it, null when there is none; undefined when its oldest one
 * stays. The caller must prevent other messages from leaving the channel meanwhile.
 */
export async function oldestLeft(
  reader: MessagesReader,
  { channelId, firstMessageId }: Pick<Channel, 'channelId' | 'firstMessageId'>,
  leaving: readonly number[],
): Promise<number | null | undefined> {
  const gone = new Set(leaving);
  if (firstMessageId === null || !gone.has(firstMessageId)) return undefined;
  const conversation = where.eq('conversation', channelConversation(channelId));
  const later = where.and(conversation, where.range('$key', { gt: firstMessageId }));
  // One more than those that leave, so at least one of them is left.
  const first = await reader.findIds(later, 'ascending', gone.size + 1);
  return first.find((id) => !gone.has(id)) ?? null;
}
