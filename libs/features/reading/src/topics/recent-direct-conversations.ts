import { Injectable } from '@nestjs/common';
import { MessagesReader, parseConversation } from '#messages';
import type { User } from '#users/model';
import { described, integer, list, object, type Wire } from '#wire';
import { ConversationsReader } from './conversations.reader.js';

/** Maximum number of conversations (register.md §2). */
const RECENT_MAX = 1000;

export const RecentConversationSchema = object({
  max_message_id: integer,
  user_ids: described(list(integer), 'The other participants, ascending; empty for notes to oneself.'),
});
export type WireRecentConversation = Wire<typeof RecentConversationSchema>;

/** The newest message of each direct conversation, by conversation. */
export type FoundConversations = ReadonlyMap<string, number>;

/** `recent_private_conversations` of the register response. */
@Injectable()
export class RecentDirectConversations {
  constructor(
    private readonly conversations: ConversationsReader,
    private readonly messages: MessagesReader,
  ) {}

  /** The user's direct conversations with the newest messages. */
  async find(viewer: User): Promise<FoundConversations> {
    const direct = await this.conversations.directOf(viewer.userId, RECENT_MAX);
    const largest = await this.messages.getManyLean(direct.map(({ maxId }) => maxId));
    const found = new Map<string, number>();
    for (const { conversation, maxId } of direct) {
      // The message with the stored largest ID may have been deleted.
      const newestId = largest.has(maxId) ? maxId : (await this.messages.newestIn(conversation))?.id;
      if (newestId !== undefined) found.set(conversation, newestId);
    }
    return found;
  }

  /** Updates an earlier result: messages came or went in these conversations. Quick when they are few. */
  async update(earlier: FoundConversations, changed: ReadonlySet<string>): Promise<FoundConversations> {
    if (changed.size === 0) return earlier;
    const found = new Map(earlier);
    for (const conversation of changed) {
      const newest = await this.messages.newestIn(conversation);
      if (newest === undefined) found.delete(conversation);
      else found.set(conversation, newest.id);
    }
    return found;
  }

  /** The conversations in wire format, newest message first. */
  wire(viewer: User, found: FoundConversations): readonly WireRecentConversation[] {
    return [...found]
      .sort(([, a], [, b]) => b - a)
      .slice(0, RECENT_MAX)
      .map(([conversation, newestId]) => {
        const place = parseConversation(conversation);
        const participants = 'participants' in place ? place.participants : [];
        return { max_message_id: newestId, user_ids: participants.filter((userId) => userId !== viewer.userId) };
      });
  }
}
