import { where, type Filter } from '#read-store';
import type { MessagesReader, MessageRow } from './messages.reader.js';
import { PAGE_MAX } from './messages.reader.js';

export type Direction = 'ascending' | 'descending';

/** Messages in ID order. What comes out may still not match: the window asks for more until enough do. */
export interface MessageSource {
  /** At most `limit` messages on the far side of `bound` (exclusive), the nearest first. `isLast` when there are no more. */
  page(
    bound: number,
    direction: Direction,
    limit: number,
  ): Promise<{ readonly rows: readonly MessageRow[]; readonly isLast: boolean; readonly reached: number }>;
}

/** What the store finds. */
export class FoundMessages implements MessageSource {
  constructor(
    private readonly messages: MessagesReader,
    private readonly filter: Filter,
  ) {}

  async page(bound: number, direction: Direction, limit: number): ReturnType<MessageSource['page']> {
    const range = where.range('$key', direction === 'ascending' ? { gt: bound } : { lt: bound });
    const rows = await this.messages.find(where.and(this.filter, range), direction, limit);
    return { rows, isLast: rows.length < limit, reached: rows.at(-1)?.id ?? bound };
  }
}

/** Messages whose IDs are known beforehand. */
export class ListedMessages implements MessageSource {
  /** @param ids ascending */
  constructor(
    private readonly messages: MessagesReader,
    private readonly ids: readonly number[],
  ) {}

  async page(bound: number, direction: Direction, limit: number): ReturnType<MessageSource['page']> {
    const beyond =
      direction === 'ascending' ? this.ids.filter((id) => id > bound) : this.ids.filter((id) => id < bound).reverse();
    const page = beyond.slice(0, limit);
    const docs = await this.messages.getMany(page);
    const rows = page.flatMap((id): MessageRow[] => {
      const doc = docs.get(id);
      return doc === undefined ? [] : [{ id, doc }];
    });
    return { rows, isLast: beyond.length <= limit, reached: page.at(-1) ?? bound };
  }
}

/** How many messages that do not match are looked at on one side of a window before it is answered as it is. */
const EXAMINED_MAX = 20_000;
/** Few messages fall out of most searches, so the first page is what is wanted; later ones are larger. */
const LATER_PAGE = 500;

/** Up to `wanted` messages that `choose` lets pass, the nearest to `bound` first. */
export async function collect<Chosen>(
  source: MessageSource,
  bound: number,
  direction: Direction,
  wanted: number,
  choose: (rows: readonly MessageRow[]) => Promise<readonly Chosen[]>,
): Promise<Chosen[]> {
  const chosen: Chosen[] = [];
  let from = bound;
  for (let examined = 0; chosen.length < wanted && examined < EXAMINED_MAX + wanted;) {
    const missing = wanted - chosen.length;
    const limit = Math.min(PAGE_MAX, examined === 0 ? missing : Math.max(missing, LATER_PAGE));
    const { rows, isLast, reached } = await source.page(from, direction, limit);
    for (const row of await choose(rows)) if (chosen.length < wanted) chosen.push(row);
    if (isLast) break;
    from = reached;
    examined += limit;
  }
  return chosen;
}
