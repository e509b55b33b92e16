import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { badRequest } from '#kernel';
import type { User } from '#users/model';
import { AnswerBudget } from './answer-budget.js';
import { isOwn } from '../flags/message-flags.js';
import type { NarrowTerm } from '../narrow/narrow-terms.js';
import { NarrowedMessages } from '../narrow/narrowed-messages.js';
import { searchedFields, type SearchedFields } from './searched-fields.js';

/**
 * Which of these messages are in the viewer's own history and match, by ID (endpoints.md §3, GET
 * /messages/matches_narrow).
 */
export class MatchMessagesQuery extends Query<Readonly<Record<string, SearchedFields>>> {
  constructor(
    readonly viewer: User,
    readonly messageIds: readonly number[],
    readonly terms: readonly NarrowTerm[],
  ) {
    super();
  }
}

export const matchMessages = query(
  MatchMessagesQuery,
  { narrowed: NarrowedMessages },
  async ({ viewer, messageIds, terms }, { narrowed }) => {
    const narrow = await narrowed.narrow(viewer, terms);
    const part = new AnswerBudget().part();
    const { chosen } = await narrowed.listed(viewer, narrow, messageIds, async (messages) => ({
      chosen: messages.filter(isOwn).map(({ id, doc }) => {
        const fields = searchedFields(narrow, doc, false);
        // A message that is left out counts as no match, so the answer cannot end early.
        if (!part.spend(fields.match_content)) throw badRequest('Too many messages to show. Ask for fewer at a time.');
        return [String(id), fields] as const;
      }),
    }));
    return Object.fromEntries(chosen);
  },
);
