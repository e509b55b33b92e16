import type { ParsedConversation } from '#messages';
import type { Directory } from '#people';

/**
 * `recipient_id` of a channel or a direct conversation: below 2^31, and the same for ever (ADR 35). Channels have even ones, conversations
 * every other odd one by their number, and notes to oneself, which have no number, the odd ones between by the user.
 */
export function recipientIdOf(
  directory: Pick<Directory, 'conversationNumber'>,
  conversation: ParsedConversation,
): number {
  if ('channelId' in conversation) return 2 * conversation.channelId;
  const { participants } = conversation;
  const [userId = 0, ...others] = participants;
  if (others.length === 0) return 4 * userId + 3;
  const number = directory.conversationNumber(participants);
  if (number === undefined)
    throw new Error('Messages of a conversation that the directory does not know are not readable.');
  return 4 * number + 1;
}
