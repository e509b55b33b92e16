import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { can, type JsonFields, type PreparedFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { MaxMessageIdQuery } from '../fetch/max-message-id.js';
import { RecentDirectConversations } from '../fetch/topics/recent-direct-conversations.js';
import { STOP_WORDS } from '../fetch/search/stop-words.js';
import { type FoundStarred, StarredMessages } from '../flags/starred-messages.js';
import { UnreadMessages } from '../unread/unread-messages.js';
import { type FoundUnread, UnreadReader } from '../unread/unread.reader.js';
import { MessageChanges } from './message-changes.js';

/** Fields about the viewer's messages, and what searches of them ignore (register.md §2 and §6). */
@Injectable()
export class MessageFields extends RegisterFields {
  override readonly keys = [
    'message',
    'update_message_flags',
    'starred_messages',
    'recent_private_conversations',
    'stop_words',
  ];

  constructor(
    private readonly queries: QueryBus,
    private readonly reader: UnreadReader,
    private readonly unread: UnreadMessages,
    private readonly starred: StarredMessages,
    private readonly recent: RecentDirectConversations,
  ) {
    super();
  }

  override addTo(fields: JsonFields, context: RegisterContext): Promise<void> {
    return this.#add(fields, context, {}, undefined);
  }

  override prepare(context: RegisterContext): PreparedFields | undefined {
    const { directory, viewer } = context;
    if (!wantsUnread(context) && !wants(context, 'starred_messages')) return undefined;
    const changes = new MessageChanges(directory, viewer.userId);
    const found: Found = {};
    return {
      read: async () => {
        if (wantsUnread(context)) found.unread = await this.reader.find(viewer);
        if (wants(context, 'starred_messages')) found.starred = await this.starred.find(viewer);
      },
      get isUsable() {
        return changes.messageIds !== undefined;
      },
      addTo: (fields) => this.#add(fields, context, found, changes.messageIds),
      end: changes.end,
    };
  }

  /** @param changed messages of the earlier result that have changed since; undefined when that is useless */
  async #add(
    fields: JsonFields,
    context: RegisterContext,
    found: Found,
    changed: ReadonlySet<number> | undefined,
  ): Promise<void> {
    const { viewer } = context;
    if (wants(context, 'message')) {
      fields.add('max_message_id', await this.queries.execute(new MaxMessageIdQuery(viewer)));
    }
    if (wantsUnread(context)) {
      const allowEmptyTopicName = can(context, 'empty_topic_name');
      const { unread } = found;
      const look =
        unread === undefined || changed === undefined
          ? await this.reader.look(viewer)
          : await this.reader.update(viewer, unread, changed);
      fields.add('unread_msgs', this.unread.of(viewer, look, { allowEmptyTopicName }));
    }
    if (wants(context, 'starred_messages')) {
      const { starred } = found;
      const ids =
        starred === undefined || changed === undefined
          ? (await this.starred.find(viewer)).readable
          : await this.starred.update(viewer, starred, changed);
      fields.add('starred_messages', ids);
    }
    if (wants(context, 'stop_words')) fields.add('stop_words', [...STOP_WORDS]);
    if (wants(context, 'recent_private_conversations')) {
      fields.add('recent_private_conversations', await this.recent.of(viewer));
    }
  }
}

interface Found {
  unread?: FoundUnread;
  starred?: FoundStarred;
}

function wantsUnread(context: RegisterContext): boolean {
  return wants(context, 'message') && wants(context, 'update_message_flags');
}
