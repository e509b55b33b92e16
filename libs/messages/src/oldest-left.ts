import type { Channel } from '#organization';
import { where } from '#read-store';
import { channelConversation } from './place.js';
import type { MessagesReader } from './queries/messages.reader.js';

/**
 * The oldest message that is left in a channel when these leave it, null when none is; undefined when its oldest one stays.
 * Whoever asks must be sure that nothing else leaves the channel meanwhile.
 */
export async function oldestLeft(
  reader: MessagesReader,
  { channelId, firstMessageId }: Pick<Channel, 'channelId' | 'firstMessageId'>,
  leaving: readonly number[],
): Promise<number | null | undefined> {
  const gone = new Set(leaving);
  if (firstMessageId === null || !gone.has(firstMessageId)) return undefined;
  const later = where.range('$key', { gt: firstMessageId });
  for await (const page of reader.scan(where.and(where.eq('conversation', channelConversation(channelId)), later))) {
    const left = page.find(({ id }) => !gone.has(id));
    if (left !== undefined) return left.id;
  }
  return null;
}
