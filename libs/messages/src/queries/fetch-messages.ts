import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { JsonObject } from '#kernel';
import { Directory, type User } from '#organization';
import { wireMessage, type WireOptions } from '../wire-message.js';
import { NEWEST_ANCHOR } from './anchor.js';
import { isOwn } from './message-flags.js';
import type { Narrow } from './narrow/narrow.js';
import type { NarrowTerm } from './narrow/narrow-terms.js';
import { NarrowedMessages, type MessageWindow } from './narrowed-messages.js';
import { searchedFields } from './searched-fields.js';
import type { SeenMessage } from './seen-messages.js';

/** A window around an anchor, or these messages. */
export type Window = MessageWindow | { readonly messageIds: readonly number[] };

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

@QueryHandler(FetchMessagesQuery)
export class FetchMessagesHandler implements IQueryHandler<FetchMessagesQuery> {
  constructor(
    private readonly directory: Directory,
    private readonly narrowed: NarrowedMessages,
  ) {}

  async execute({ viewer, terms, window, options }: FetchMessagesQuery): Promise<FetchedMessages> {
    const narrow = await this.narrowed.narrow(viewer, terms);
    if ('messageIds' in window) {
      const listed = await this.narrowed.listed(viewer, narrow, window.messageIds);
      // Of a narrow without channels, only one's own messages are in it, listed or not (endpoints.md §3, "Which messages").
      const hasAll = terms.length === 0 || narrow.reachesHistory;
      const messages = hasAll ? listed : listed.filter(isOwn);
      return {
        messages: this.#wire(viewer, narrow, messages, options),
        anchor: NEWEST_ANCHOR,
        found_anchor: false,
        found_oldest: true,
        found_newest: true,
        history_limited: false,
      };
    }
    const found = await this.narrowed.around(viewer, narrow, window);
    return {
      messages: this.#wire(viewer, narrow, found.messages, options),
      anchor: found.anchor,
      found_anchor: found.foundAnchor,
      found_oldest: found.foundOldest,
      found_newest: found.foundNewest,
      history_limited: false,
    };
  }

  #wire(viewer: User, narrow: Narrow, messages: readonly SeenMessage[], options: WireOptions): JsonObject[] {
    return messages.map(({ id, doc, flags }) => {
      const message = wireMessage(this.directory, viewer, id, doc, flags, options);
      if (narrow.search === undefined) return message;
      return { ...message, ...searchedFields(narrow, doc, options.allowEmptyTopicName) };
    });
  }
}
