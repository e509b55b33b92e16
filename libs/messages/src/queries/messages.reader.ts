import { where, type Collection, type Filter, type Stored } from '#read-store';
import type { MessageDocument } from '../projections/message.document.js';
import { inTopic } from './place-filters.js';

/** A message as it stands now, with its ID. */
export interface MessageRow {
  readonly id: number;
  readonly doc: MessageDocument;
}

/** How many documents one look into the store brings at most. */
export const PAGE_MAX = 1000;

/**
 * The messages collection, for whoever needs messages: nothing here asks who may see them (`message.access.ts` does).
 */
export class MessagesReader {
  constructor(private readonly messages: Collection<MessageDocument>) {}

  get(messageId: number): Promise<MessageDocument | undefined> {
    return this.messages.get(messageId);
  }

  /** Those that exist, by ID. */
  async getMany(messageIds: readonly number[]): Promise<Map<number, MessageDocument>> {
    const found = new Map<number, MessageDocument>();
    for (let from = 0; from < messageIds.length; from += PAGE_MAX) {
      const page = await this.messages.getMany(messageIds.slice(from, from + PAGE_MAX));
      for (const [key, doc] of page) found.set(key as number, doc);
    }
    return found;
  }

  /** Matching messages in ID order, at most `PAGE_MAX`. */
  async find(filter: Filter | undefined, direction: 'ascending' | 'descending', limit: number): Promise<MessageRow[]> {
    const sort = [{ field: '$key', direction }];
    const find = { sort, limit: Math.min(limit, PAGE_MAX) };
    const found = await this.messages.find(filter === undefined ? find : { ...find, where: filter });
    return found.map(rowOf);
  }

  /** Every matching message, ascending, page by page: the consumer decides when it has seen enough. */
  async *scan(filter: Filter | undefined): AsyncGenerator<readonly MessageRow[], void, void> {
    for (let after = 0; ;) {
      const range = where.range('$key', { gt: after });
      const page = await this.find(filter === undefined ? range : where.and(filter, range), 'ascending', PAGE_MAX);
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_MAX) return;
      after = last.id;
    }
  }

  /** IDs of the messages of a topic, ascending, from `fromId` (inclusive) on. At most `limit`. */
  async idsInTopic(
    channelId: number,
    topicKey: string,
    { fromId = 1, limit = Infinity }: { readonly fromId?: number; readonly limit?: number } = {},
  ): Promise<number[]> {
    const ids: number[] = [];
    const later = where.and(inTopic(channelId, topicKey), where.range('$key', { gte: fromId }));
    for await (const page of this.scan(later)) {
      for (const { id } of page) ids.push(id);
      if (ids.length >= limit) return ids.slice(0, limit);
    }
    return ids;
  }

  /** The newest message of a topic, of those with an ID from `fromId` up to `untilId`. */
  async newestInTopic(
    channelId: number,
    topicKey: string,
    { fromId = 1, untilId = Number.MAX_SAFE_INTEGER }: { readonly fromId?: number; readonly untilId?: number } = {},
  ): Promise<MessageRow | undefined> {
    const range = where.range('$key', { gte: fromId, lte: untilId });
    const [newest] = await this.find(where.and(inTopic(channelId, topicKey), range), 'descending', 1);
    return newest;
  }

  /** Messages of a topic that were moved into its channel, newest first. */
  newestMovedInto(channelId: number, topicKey: string): Promise<MessageRow[]> {
    const movedIn = where.and(where.contains('movedInto', channelId), where.eq('topicKey', topicKey));
    return this.find(movedIn, 'descending', PAGE_MAX);
  }

  /** The newest message of a conversation. */
  async newestIn(conversation: string): Promise<MessageRow | undefined> {
    const [newest] = await this.find(where.eq('conversation', conversation), 'descending', 1);
    return newest;
  }

  /** ID of the newest message there is; 0 when there is none. */
  async newestId(): Promise<number> {
    const [newest] = await this.find(undefined, 'descending', 1);
    return newest?.id ?? 0;
  }
}

function rowOf({ key, doc }: Stored<MessageDocument>): MessageRow {
  return { id: key as number, doc };
}
