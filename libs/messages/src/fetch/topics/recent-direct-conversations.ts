import { Injectable } from '@nestjs/common';
import type { User } from '#organization';
import { ConversationsReader } from '../conversations.reader.js';
import { MessagesReader } from '../messages.reader.js';

/** Maximum number of conversations of the newest 1000 direct messages (register.md §2). */
const RECENT_MAX = 1000;

export interface WireRecentConversation {
  readonly max_message_id: number;
  /** The other participants, ascending; empty for notes to oneself. */
  readonly user_ids: readonly number[];
}

/** `recent_private_conversations` of the register response. */
@Injectable()
export class RecentDirectConversations {
  constructor(
    private readonly conversations: ConversationsReader,
    private readonly messages: MessagesReader,
  ) {}

  /** The user's direct conversations, newest message first. */
  async of(viewer: User): Promise<readonly WireRecentConversation[]> {
    const direct = await this.conversations.directOf(viewer.userId, RECENT_MAX);
    const largest = await this.messages.getManyLean(direct.map(({ maxId }) => maxId));
    const recent: WireRecentConversation[] = [];
    for (const { conversation, participants, maxId } of direct) {
      // The message with the stored largest ID may have been deleted.
      const newestId = largest.has(maxId) ? maxId : (await this.messages.newestIn(conversation))?.id;
      if (newestId === undefined) continue;
      recent.push({ max_message_id: newestId, user_ids: participants.filter((userId) => userId !== viewer.userId) });
    }
    return recent.sort((a, b) => b.max_message_id - a.max_message_id);
  }
}
