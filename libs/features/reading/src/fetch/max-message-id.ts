import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { type MessageRow, MessagesReader } from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import { BoundedSearch } from '../narrow/bounded-search.js';
import { FlagsReader } from '../flags/flags.reader.js';
import { isOwn } from '../flags/message-flags.js';
import type { FlagSet } from '../flags/user-flags.projection.js';
import { collect, NearMessages } from '../narrow/message-window.js';
import { RecentMessages } from '../recent/recent-messages.js';
import type { RecentRows } from '../recent/recent-rows.js';
import { DeliveredFilter } from '../viewer/delivered-filter.js';
import { SearchBudget } from '../narrow/search-budget.js';
import { RowScan } from '../recent/row-scan.js';
import { ViewerMessages } from '../viewer/viewer-messages.js';

/** Messages beyond the newest that was delivered whose flags are looked up: they are in a chunk or two. */
const UNDELIVERED_MAX = 1_000;
/** Flags that put a message that was not delivered into a user's history. */
const HOLDING: readonly FlagSet[] = ['historical', 'unread', 'starred', 'collapsed'];

/** `max_message_id`: the newest message of the viewer's own history; -1 when there is none (register.md §2). */
export class MaxMessageIdQuery extends Query<number> {
  constructor(readonly viewer: User) {
    super();
  }
}

export const maxMessageId = query(
  MaxMessageIdQuery,
  {
    directory: Directory,
    flags: FlagsReader,
    messages: MessagesReader,
    own: DeliveredFilter,
    recent: RecentMessages,
    seen: ViewerMessages,
  },
  async ({ viewer }, { directory, flags, messages, own, recent, seen }) => {
    const { delivered, others } = newest(new RowScan(directory, viewer), await recent.newest());
    if (delivered !== undefined && others.length <= UNDELIVERED_MAX) {
      if (others.length === 0) return delivered;
      const flagged = await flags.load(viewer.userId, others, HOLDING);
      return others.find((id) => HOLDING.some((set) => flagged.has(set, id))) ?? delivered;
    }
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

/** The newest message that was delivered to the viewer and is readable, -1 when there is none, and other readable ones beyond it, newest first. */
function newest(
  scan: RowScan,
  rows: RecentRows,
): { readonly delivered: number | undefined; readonly others: readonly number[] } {
  const others: number[] = [];
  for (const message of scan.rows(rows)) {
    if (!scan.isReadable(message)) continue;
    if (scan.isDelivered(message)) return { delivered: message.id, others };
    if (others.push(message.id) > UNDELIVERED_MAX) break;
  }
  const isWhole = rows.from === 1 && others.length <= UNDELIVERED_MAX;
  return { delivered: isWhole ? -1 : undefined, others };
}
