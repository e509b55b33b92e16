import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { JsonObject } from '#kernel';
import { Directory, type User } from '#organization';
import { where, type Filter } from '#read-store';
import { parseConversation } from '../place.js';
import { wireMessage, type WireOptions } from '../wire-message.js';
import { NEWEST_ANCHOR, type Anchor } from './anchor.js';
import { isOwn } from './message-flags.js';
import { collect, FoundMessages, ListedMessages, NearMessages, type MessageSource } from './message-window.js';
import { MessagesReader, type MessageRow } from './messages.reader.js';
import type { Narrow } from './narrow/narrow.js';
import { NarrowReader } from './narrow/narrow-reader.js';
import type { NarrowTerm } from './narrow/narrow-terms.js';
import { OwnMessages } from './own-messages.js';
import { SeenMessages, type SeenMessage } from './seen-messages.js';
import { UnreadReader } from './unread.reader.js';

/** So many messages one request may ask for. */
export const FETCHED_MAX = 5000;
/** No message has this ID or a greater one, and stores can compare with it. */
const BEYOND = Number.MAX_SAFE_INTEGER;

/** A window around an anchor, or these messages. */
export type Window =
  | {
      readonly anchor: Anchor;
      readonly includeAnchor: boolean;
      readonly before: number;
      readonly after: number;
    }
  | { readonly messageIds: readonly number[] };

export interface FetchedMessages {
  readonly messages: readonly JsonObject[];
  readonly anchor: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly history_limited: false;
}

/** Messages that match a narrow, around an anchor (endpoints.md §3, GET /messages). */
export class FetchMessagesQuery extends Query<FetchedMessages> {
  constructor(
    readonly viewer: User,
    readonly terms: readonly NarrowTerm[],
    readonly window: Window,
    readonly options: WireOptions,
  ) {
    super();
  }
}

type Choose = (rows: readonly MessageRow[]) => Promise<readonly SeenMessage[]>;

@QueryHandler(FetchMessagesQuery)
export class FetchMessagesHandler implements IQueryHandler<FetchMessagesQuery> {
  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
    private readonly own: OwnMessages,
    private readonly seen: SeenMessages,
    private readonly narrows: NarrowReader,
    private readonly unread: UnreadReader,
  ) {}

  async execute({ viewer, terms, window, options }: FetchMessagesQuery): Promise<FetchedMessages> {
    const narrow = await this.narrows.read(viewer, terms);
    const wire = (found: readonly SeenMessage[]): JsonObject[] =>
      found.map(({ id, doc, flags }) => wireMessage(this.directory, viewer, id, doc, flags, options));
    if ('messageIds' in window) {
      const found = await this.#listed(viewer, narrow, window.messageIds);
      const ends = { found_anchor: false, found_oldest: true, found_newest: true, history_limited: false as const };
      return { messages: wire(found), anchor: NEWEST_ANCHOR, ...ends };
    }
    const choose: Choose = async (rows) => this.#matching(narrow, await this.seen.of(viewer, rows));
    const anchor = window.anchor === 'first_unread' ? await this.#firstUnread(viewer, narrow) : window.anchor;
    const source = await this.#source(viewer, narrow);
    // At an end of the history there is nothing beyond, whatever was asked for.
    const wantedBefore = anchor === 0 ? 0 : window.before;
    const wantedAfter = anchor === NEWEST_ANCHOR ? 0 : window.after;
    const before = await collect(source, Math.min(anchor, BEYOND), 'descending', wantedBefore, choose);
    const at = window.includeAnchor ? await this.#at(anchor, choose) : [];
    const after = await collect(source, Math.min(anchor, BEYOND), 'ascending', wantedAfter, choose);
    return {
      messages: wire([...before.reverse(), ...at, ...after]),
      anchor,
      found_anchor: at.length > 0,
      found_oldest: anchor === 0 || before.length < wantedBefore,
      found_newest: anchor === NEWEST_ANCHOR || after.length < wantedAfter,
      history_limited: false,
    };
  }

  #matching(narrow: Narrow, messages: readonly SeenMessage[]): SeenMessage[] {
    return messages.filter((message) => (narrow.reachesHistory || isOwn(message)) && narrow.matches(message));
  }

  async #at(anchor: number, choose: Choose): Promise<readonly SeenMessage[]> {
    if (anchor === 0 || anchor > BEYOND) return [];
    const doc = await this.messages.get(anchor);
    return doc === undefined ? [] : choose([{ id: anchor, doc }]);
  }

  /** Those of a list that the viewer may read, received or not. */
  async #listed(viewer: User, narrow: Narrow, messageIds: readonly number[]): Promise<SeenMessage[]> {
    const docs = await this.messages.getMany([...new Set(messageIds)].sort((a, b) => a - b));
    const seen = await this.seen.of(
      viewer,
      [...docs].sort(([a], [b]) => a - b).map(([id, doc]) => ({ id, doc })),
    );
    return seen.filter((message) => narrow.matches(message));
  }

  /** Where to look: the fewest index ranges that hold everything that can match. */
  async #source(viewer: User, narrow: Narrow): Promise<MessageSource> {
    if (narrow.ids !== undefined) return new ListedMessages(this.messages, narrow.ids);
    const { channelId, isDirected, isDirect } = narrow;
    if (channelId !== undefined && (narrow.isProtected || !narrow.reachesHistory))
      return this.#found(narrow, await this.own.inChannel(viewer.userId, channelId));
    if (narrow.reachesHistory || isDirected) return this.#found(narrow);
    if (isDirect) return this.#found(narrow, await this.own.direct(viewer.userId));
    const own = await this.own.readable(viewer);
    return narrow.filters.length === 0 ? new NearMessages(this.messages, own) : this.#found(narrow, own);
  }

  #found(narrow: Narrow, ...places: readonly Filter[]): MessageSource {
    return new FoundMessages(this.messages, where.and(...places, ...narrow.filters));
  }

  /** The lowest unread message of the narrow; muted channels count only when the narrow names one (endpoints.md §3). */
  async #firstUnread(viewer: User, narrow: Narrow): Promise<number> {
    const { unread } = await this.unread.look(viewer);
    const allowed = narrow.ids === undefined ? undefined : new Set(narrow.ids);
    const first = unread.find((message) => {
      if (allowed !== undefined && !allowed.has(message.id)) return false;
      if (!narrow.matches(message)) return false;
      const place = parseConversation(message.doc.conversation);
      if ('participants' in place || narrow.channelId !== undefined) return true;
      const subscription = this.directory.subscription(viewer.userId, place.channelId);
      return subscription?.active === true && !subscription.isMuted;
    });
    return first?.id ?? NEWEST_ANCHOR;
  }
}
