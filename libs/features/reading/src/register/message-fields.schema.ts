import { integer, list, text } from '#wire';
import { RecentConversationSchema } from '../topics/recent-direct-conversations.js';
import { UnreadMessagesSchema } from '../unread/unread-conversations.js';

/** Fields about the viewer's messages (register.md §2 and §6). */
export const messageFieldSchemas = {
  max_message_id: integer,
  unread_msgs: UnreadMessagesSchema,
  starred_messages: list(integer),
  recent_private_conversations: list(RecentConversationSchema),
  stop_words: list(text),
};
