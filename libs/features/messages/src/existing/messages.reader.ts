import { nextSlice } from '#kernel';
import { where, type Collection, type FieldsRow, type Filter, type Stored } from '#read-store';
import type { MessageDocument } from '../projections/message.document.js';
import { inTopic } from './place-filters.js';

/** A message in its current state, with its ID. */
export interface MessageRow {
  readonly id: number;
  readonly doc: MessageDocument;
}

/** ID and sender of a message. */
export interface SenderRow {
  readonly id: number;
  readonly senderId: number;
}

/** Maximum documents per read. */
export const PAGE_MAX = 1000;
/** Maximum IDs per read: some milliseconds of work. */
const IDS_PAGE_MAX = 5_000;
/** Maximum senders per read, which are in the documents' rows. */
const SENDERS_PAGE_MAX = 1_000;
/** A few milliseconds of work even when each document has the maximum size. */
const WALKED_AT_ONCE = 16;

/** Bytes of documents in one read. A single larger one is read, too. */
const READ_BYTES_MAX = 1_000_000;
/** Limits of a read in one turn of the event loop, some 5 ms of work: sizes, documents, and bytes of documents. */
const TURN_COUNT_MAX = 250;
const TURN_BYTES_MAX = 300_000;

/** Messages in the requested order. */
export interface MessagePage {
  readonly rows: readonly MessageRow[];
  /** Whether there are no more. */
  readonly isLast: boolean;
  /** Last ID examined; undefined when there was none. */
  readonly reached: number | undefined;
}

/** Reads the messages collection. Does not check access (`message.access.ts` does). */
export class MessagesReader {
  constructor(private readonly messages: Collection<MessageDocument>) {}

  get(messageId: number): Promise<MessageDocument | undefined> {
    return this.messages.get(messageId);
  }

  /** Existing messages by ID. Yields to other requests between its parts. */
  getMany(messageIds: readonly number[]): Promise<Map<number, MessageDocument>> {
    return this.#read(messageIds, (doc) => doc);
  }

  /**
   * Existing messages by ID without content and HTML, for callers that need only their places and recipients: thousands
   * fit into memory.
   */
  getManyLean(messageIds: readonly number[]): Promise<Map<number, MessageDocument>> {
    return this.#read(messageIds, lean);
  }

  async #read(
    messageIds: readonly number[],
    kept: (doc: MessageDocument) => MessageDocument,
  ): Promise<Map<number, MessageDocument>> {
    const found = new Map<number, MessageDocument>();
    if (messageIds.length <= WALKED_AT_ONCE) {
      for (const [key, doc] of await this.messages.getMany(messageIds)) found.set(key as number, kept(doc));
      return found;
    }
    for (let from = 0; from < messageIds.length;) {
      if (from > 0) await nextSlice();
      const { rows, taken } = await this.pageOf(messageIds.slice(from, from + PAGE_MAX));
      for (const { id, doc } of rows) found.set(id, kept(doc));
      from += taken;
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

  /** Up to `limit` matching messages in ID order, as many as may be read at a time. */
  async page(filter: Filter, direction: 'ascending' | 'descending', limit: number): Promise<MessagePage> {
    const atMost = Math.min(limit, PAGE_MAX);
    if (atMost <= WALKED_AT_ONCE) {
      const rows = await this.find(filter, direction, atMost);
      return { rows, isLast: rows.length < atMost, reached: rows.at(-1)?.id };
    }
    const find = { where: filter, sort: [{ field: '$key', direction }], limit: atMost } as const;
    const sizes = await this.messages.findFields(find, ['bytes']);
    if (sizes.length > TURN_COUNT_MAX) await nextSlice();
    const { rows, reached, isWhole } = await this.#readable(sizes);
    return { rows, reached, isLast: isWhole && sizes.length < atMost };
  }

  /**
   * As many of these messages as may be read at a time, in the given order, without missing ones; and the number of IDs
   * covered.
   */
  async pageOf(ids: readonly number[]): Promise<{ readonly rows: readonly MessageRow[]; readonly taken: number }> {
    const asked = ids.slice(0, PAGE_MAX);
    if (asked.length === 0) return { rows: [], taken: 0 };
    const sizes: FieldsRow[] = [];
    let bytes = 0;
    for (let from = 0; from < asked.length && bytes <= READ_BYTES_MAX; from += TURN_COUNT_MAX) {
      if (from > 0) await nextSlice();
      for (const row of await this.#sizesOf(asked.slice(from, from + TURN_COUNT_MAX))) {
        sizes.push(row);
        bytes += row.fields['bytes'] ?? 0;
      }
    }
    const { rows, reached, isWhole } = await this.#readable(sizes);
    return { rows, taken: isWhole && bytes <= READ_BYTES_MAX ? asked.length : asked.indexOf(reached ?? 0) + 1 };
  }

  /** Sizes of message documents, in the order of the IDs. */
  async #sizesOf(ids: readonly number[]): Promise<FieldsRow[]> {
    const found = await this.messages.findFields({ where: where.in('$key', ids), limit: ids.length }, ['bytes']);
    const byId = new Map(found.map((row) => [row.key as number, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async #readable(
    sizes: readonly FieldsRow[],
  ): Promise<Pick<MessagePage, 'rows' | 'reached'> & { readonly isWhole: boolean }> {
    const parts: number[][] = [];
    let [bytes, partBytes, count] = [0, 0, 0];
    for (const { key, fields } of sizes) {
      const size = fields['bytes'] ?? 0;
      bytes += size;
      if (count > 0 && bytes > READ_BYTES_MAX) break;
      let part = parts.at(-1);
      partBytes += size;
      if (part === undefined || part.length >= TURN_COUNT_MAX || partBytes > TURN_BYTES_MAX) {
        parts.push((part = []));
        partBytes = size;
      }
      part.push(key as number);
      count++;
    }
    const rows: MessageRow[] = [];
    for (const [index, ids] of parts.entries()) {
      if (index > 0) await nextSlice();
      const docs = await this.messages.getMany(ids);
      for (const id of ids) {
        const doc = docs.get(id);
        if (doc !== undefined) rows.push({ id, doc });
      }
    }
    return { rows, reached: parts.at(-1)?.at(-1), isWhole: count === sizes.length };
  }

  /** IDs of matching messages, in order. Reads no documents. */
  async findIds(filter: Filter, direction: 'ascending' | 'descending', limit: number): Promise<number[]> {
    const found = await this.messages.findFields({ where: filter, sort: [{ field: '$key', direction }], limit }, []);
    return found.map(({ key }) => key as number);
  }

  /**
   * IDs of all matching messages, ascending, page by page. Reads no documents, and yields to other requests between
   * pages.
   */
  async *scanIds(filter: Filter): AsyncGenerator<readonly number[], void, void> {
    for (let after = 0; ;) {
      const range = where.range('$key', { gt: after });
      const page = await this.findIds(where.and(filter, range), 'ascending', IDS_PAGE_MAX);
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < IDS_PAGE_MAX) return;
      after = last;
      await nextSlice();
    }
  }

  /** Counts matching messages, up to a limit. Reads no documents, and yields to other requests between pages. */
  async count(filter: Filter, atMost: number): Promise<number> {
    let count = 0;
    for await (const page of this.scanIds(filter)) {
      count += page.length;
      if (count >= atMost) return atMost;
    }
    return count;
  }

  /** Senders of the newest matching messages, up to a limit, page by page. Reads no documents. */
  async *scanSenders(filter: Filter, atMost: number): AsyncGenerator<readonly SenderRow[], void, void> {
    const sort = [{ field: '$key', direction: 'descending' }] as const;
    let below = Number.MAX_SAFE_INTEGER;
    for (let examined = 0; examined < atMost; examined += SENDERS_PAGE_MAX) {
      const earlier = where.and(filter, where.range('$key', { lt: below }));
      const find = { where: earlier, sort, limit: SENDERS_PAGE_MAX };
      const page = await this.messages.findFields(find, ['senderId']);
      yield page.map(({ key, fields }) => ({ id: key as number, senderId: fields['senderId'] as number }));
      const last = page.at(-1);
      if (last === undefined || page.length < SENDERS_PAGE_MAX) return;
      below = last.key as number;
      await nextSlice();
    }
  }

  /**
   * Matching messages in ID order, read a few at a time: the consumer stops at a count or a number of bytes. Document
   * sizes vary so much that no count bounds the cost of reading.
   */
  async *walk(filter: Filter, direction: 'ascending' | 'descending'): AsyncGenerator<MessageRow, void, void> {
    for (let bound = direction === 'ascending' ? 0 : Number.MAX_SAFE_INTEGER; ;) {
      const range = where.range('$key', direction === 'ascending' ? { gt: bound } : { lt: bound });
      const page = await this.find(where.and(filter, range), direction, WALKED_AT_ONCE);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < WALKED_AT_ONCE) return;
      bound = last.id;
    }
  }

  /** The newest message of a topic, with an ID from `fromId` to `untilId`. */
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

  /** ID of the newest message; 0 when there is none. */
  async newestId(): Promise<number> {
    const [newest] = await this.find(undefined, 'descending', 1);
    return newest?.id ?? 0;
  }
}

/** The document without content and HTML. */
export function lean(doc: MessageDocument): MessageDocument {
  const { rendered: _, ...others } = doc;
  return { ...others, content: '' };
}

function rowOf({ key, doc }: Stored<MessageDocument>): MessageRow {
  return { id: key as number, doc };
}

/** Approximate size of the document, which is what writing it again costs. */
export function sizeOf(doc: MessageDocument): number {
  return JSON.stringify(doc).length;
}
