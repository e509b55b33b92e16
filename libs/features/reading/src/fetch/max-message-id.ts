import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { type MessageRow, MessagesReader } from '#messages';
import type { User } from '#organization';
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

@QueryHandler(MaxMessageIdQuery)
export class MaxMessageIdHandler implements IQueryHandler<MaxMessageIdQuery> {
  constructor(
    private readonly messages: MessagesReader,
    private readonly own: DeliveredFilter,
    private readonly seen: ViewerMessages,
  ) {}

  async execute({ viewer }: MaxMessageIdQuery): Promise<number> {
    const search = async () => new BoundedSearch(this.messages, await this.own.readable(viewer));
    const source = new NearMessages(this.messages, search);
    const choose = async (rows: readonly MessageRow[], missing: number) => ({
      chosen: (await this.seen.of(viewer, rows)).filter(isOwn).slice(0, missing),
    });
    const everything = new SearchBudget(Infinity);
    const { chosen } = await collect(source, Number.MAX_SAFE_INTEGER, 'descending', 1, choose, everything);
    return chosen[0]?.id ?? -1;
  }
}
