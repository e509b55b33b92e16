import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { type MessageRow, MessagesReader } from '#messages';
import type { User } from '#users/model';
import { BoundedSearch } from '../narrow/bounded-search.js';
import { isOwn } from '../flags/message-flags.js';
import { collect, NearMessages } from '../narrow/message-window.js';
import { DeliveredFilter } from '../viewer/delivered-filter.js';
import { SearchBudget } from '../narrow/search-budget.js';
import { ViewerMessages } from '../viewer/viewer-messages.js';

/** `max_message_id`: the newest message of the viewer's own history; -1 when there is none (register.md §2). */
export class MaxMessageIdQuery extends Query<number> {
  constructor(readonly viewer: User) {
    super();
  }
}

export const maxMessageId = query(
  MaxMessageIdQuery,
  { messages: MessagesReader, own: DeliveredFilter, seen: ViewerMessages },
  async ({ viewer }, { messages, own, seen }) => {
    const search = async () => new BoundedSearch(messages, await own.readable(viewer));
    const source = new NearMessages(messages, search);
    const choose = async (rows: readonly MessageRow[], missing: number) => ({
      chosen: (await seen.of(viewer, rows)).filter(isOwn).slice(0, missing),
    });
    const everything = new SearchBudget(Infinity);
    const { chosen } = await collect(source, Number.MAX_SAFE_INTEGER, 'descending', 1, choose, everything);
    return chosen[0]?.id ?? -1;
  },
);
