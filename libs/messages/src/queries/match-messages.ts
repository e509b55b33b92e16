import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
import { isOwn } from './message-flags.js';
import type { NarrowTerm } from './narrow/narrow-terms.js';
import { NarrowedMessages } from './narrowed-messages.js';
import { searchedFields, type SearchedFields } from './searched-fields.js';

/** Which of these messages are in the viewer's own history and match, by ID (endpoints.md §3, GET /messages/matches_narrow). */
export class MatchMessagesQuery extends Query<Readonly<Record<string, SearchedFields>>> {
  constructor(
    readonly viewer: User,
    readonly messageIds: readonly number[],
    readonly terms: readonly NarrowTerm[],
  ) {
    super();
  }
}

@QueryHandler(MatchMessagesQuery)
export class MatchMessagesHandler implements IQueryHandler<MatchMessagesQuery> {
  constructor(private readonly narrowed: NarrowedMessages) {}

  async execute({ viewer, messageIds, terms }: MatchMessagesQuery): Promise<Readonly<Record<string, SearchedFields>>> {
    const narrow = await this.narrowed.narrow(viewer, terms);
    const matching = (await this.narrowed.listed(viewer, narrow, messageIds)).filter(isOwn);
    return Object.fromEntries(matching.map(({ id, doc }) => [String(id), searchedFields(narrow, doc, false)]));
  }
}
