import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import {
  can,
  fieldText,
  type JsonFields,
  type PreparedFields,
  type RegisterContext,
  RegisterFields,
  wants,
} from '#feature';
import { STOP_WORDS } from '#messages';
import type { User } from '#users/model';
import { MaxMessageIdQuery } from '../fetch/max-message-id.js';
import { type FoundConversations, RecentDirectConversations } from '../topics/recent-direct-conversations.js';
import { type FoundStarred, StarredMessages } from './starred-messages.js';
import { wireUnread } from '../unread/unread-conversations.js';
import { type UnreadBasis, UnreadReader } from '../unread/unread.reader.js';
import { type MessageChange, MessageChanges } from './message-changes.js';

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
    private readonly starred: StarredMessages,
    private readonly recent: RecentDirectConversations,
  ) {
    super();
  }

  override async addTo(fields: JsonFields, context: RegisterContext): Promise<void> {
    await this.#addQuick(fields, context);
    for (const field of this.#slow(context)) {
      await field.read();
      await field.addTo(fields);
    }
  }

  override prepare(context: RegisterContext): PreparedFields | undefined {
    const slow = this.#slow(context);
    if (slow.length === 0) return undefined;
    const changes = new MessageChanges(context.directory, context.viewer.userId);
    const update = async (): Promise<void> => {
      const { change } = changes;
      if (change !== undefined) for (const field of slow) await field.update(change);
    };
    return {
      async read() {
        for (const field of slow) await field.read();
        // This may have taken long where there is very much: what came meanwhile is read now, while no command waits.
        await update();
      },
      get isUsable() {
        return changes.change !== undefined;
      },
      addTo: async (fields) => {
        if (changes.change === undefined) return this.addTo(fields, context);
        await this.#addQuick(fields, context);
        await update();
        for (const field of slow) await field.addTo(fields);
      },
      end: changes.end,
    };
  }

  async #addQuick(fields: JsonFields, context: RegisterContext): Promise<void> {
    if (wants(context, 'message')) {
      fields.add('max_message_id', await this.queries.execute(new MaxMessageIdQuery(context.viewer)));
    }
    if (wants(context, 'stop_words')) fields.add('stop_words', [...STOP_WORDS]);
  }

  /** The fields that the client asked for and that take long to read. */
  #slow(context: RegisterContext): SlowField[] {
    const { viewer } = context;
    const slow: SlowField[] = [];
    if (wants(context, 'message') && wants(context, 'update_message_flags')) {
      slow.push(new UnreadField(this.reader, context));
    }
    if (wants(context, 'starred_messages')) slow.push(new StarredField(this.starred, viewer));
    if (wants(context, 'recent_private_conversations')) slow.push(new RecentField(this.recent, viewer));
    return slow;
  }
}

/** Read once, and then brought up to date any number of times. */
interface SlowField {
  read(): Promise<void>;
  /** @param change all that has changed since `read` was called */
  update(change: MessageChange): Promise<void>;
  /** The text of what seldom changes in between is made before. */
  addTo(fields: JsonFields): void | Promise<void>;
}

class UnreadField implements SlowField {
  #basis: UnreadBasis | undefined;

  constructor(
    private readonly reader: UnreadReader,
    private readonly context: RegisterContext,
  ) {}

  async read(): Promise<void> {
    this.#basis = await this.reader.basis(this.context.viewer.userId);
  }

  async update({ messageIds }: MessageChange): Promise<void> {
    if (this.#basis === undefined) return;
    this.#basis = await this.reader.updated(this.context.viewer.userId, this.#basis, messageIds);
  }

  async addTo(fields: JsonFields): Promise<void> {
    if (this.#basis === undefined) return;
    const { viewer } = this.context;
    const look = await this.reader.lookFrom(viewer, this.#basis);
    const allowEmptyTopicName = can(this.context, 'empty_topic_name');
    fields.add('unread_msgs', wireUnread(look, { userId: viewer.userId, allowEmptyTopicName }));
  }
}

class StarredField implements SlowField {
  #found: FoundStarred = { starred: [], readable: [] };
  #text = '';

  constructor(
    private readonly starred: StarredMessages,
    private readonly viewer: User,
  ) {}

  async read(): Promise<void> {
    this.#show(await this.starred.find(this.viewer));
  }

  async update({ messageIds }: MessageChange): Promise<void> {
    const found = await this.starred.update(this.viewer, this.#found, messageIds);
    if (found !== this.#found) this.#show(found);
  }

  addTo(fields: JsonFields): void {
    fields.addPieces([this.#text]);
  }

  #show(found: FoundStarred): void {
    this.#found = found;
    this.#text = fieldText('starred_messages', JSON.stringify(found.readable));
  }
}

class RecentField implements SlowField {
  #found: FoundConversations = new Map();

  constructor(
    private readonly recent: RecentDirectConversations,
    private readonly viewer: User,
  ) {}

  async read(): Promise<void> {
    this.#found = await this.recent.find(this.viewer);
  }

  async update({ directConversations }: MessageChange): Promise<void> {
    this.#found = await this.recent.update(this.#found, directConversations);
  }

  addTo(fields: JsonFields): void {
    fields.add('recent_private_conversations', this.recent.wire(this.viewer, this.#found));
  }
}
