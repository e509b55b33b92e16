import { setImmediate as nextTurn } from 'node:timers/promises';
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

/** How many of the nearest messages are looked at for each that is wanted, before any search begins. */
const NEAR_FACTOR = 4;
const NEAR_MIN = 50;

/**
 * What the store finds by a search over many conversations that leaves little out, for viewers who receive most messages
 * anyway: the nearest messages of all are looked at first, and usually enough of them match.
 */
export class NearMessages implements MessageSource {
  #found: FoundMessages | undefined;
  readonly #begun = new Set<Direction>();

  /** @param filter of the search; asked for when that has to begin */
  constructor(
    private readonly messages: MessagesReader,
    private readonly filter: () => Promise<Filter>,
  ) {}

  async page(bound: number, direction: Direction, limit: number): ReturnType<MessageSource['page']> {
    if (this.#begun.has(direction)) {
      this.#found ??= new FoundMessages(this.messages, await this.filter());
      return this.#found.page(bound, direction, limit);
    }
    this.#begun.add(direction);
    const range = where.range('$key', direction === 'ascending' ? { gt: bound } : { lt: bound });
    const wider = Math.min(PAGE_MAX, Math.max(limit * NEAR_FACTOR, NEAR_MIN));
    const rows = await this.messages.find(range, direction, wider);
    return { rows, isLast: rows.length < wider, reached: rows.at(-1)?.id ?? bound };
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
    // The first ID that lies beyond the bound, or the first that does not lie below it.
    const from = firstAtLeast(this.ids, direction === 'ascending' ? bound + 1 : bound);
    const page =
      direction === 'ascending'
        ? this.ids.slice(from, from + limit)
        : this.ids.slice(Math.max(0, from - limit), from).reverse();
    const docs = await this.messages.getMany(page);
    const rows = page.flatMap((id): MessageRow[] => {
      const doc = docs.get(id);
      return doc === undefined ? [] : [{ id, doc }];
    });
    const isLast = direction === 'ascending' ? from + limit >= this.ids.length : from <= limit;
    return { rows, isLast, reached: page.at(-1) ?? bound };
  }
}

/** Index of the first ID that is not smaller. */
function firstAtLeast(ids: readonly number[], least: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Few messages fall out of most searches, so the first page is what is wanted; later ones are larger. */
const LATER_PAGE = 500;

/** Long searches, one page at a time among all of them: however many there are, everybody else waits for one page at most. */
let longSearch: Promise<unknown> = Promise.resolve();

function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = longSearch.then(() => nextTurn()).then(work);
  longSearch = turn.catch(() => undefined);
  return turn;
}

/**
 * Up to `wanted` messages that `choose` lets pass, the nearest to `bound` first. Fewer mean that there are no more, however
 * far that is.
 */
export async function collect<Chosen>(
  source: MessageSource,
  bound: number,
  direction: Direction,
  wanted: number,
  choose: (rows: readonly MessageRow[]) => Promise<readonly Chosen[]>,
): Promise<Chosen[]> {
  const chosen: Chosen[] = [];
  let from = bound;
  for (let examined = 0; chosen.length < wanted;) {
    const missing = wanted - chosen.length;
    const limit = Math.min(PAGE_MAX, examined === 0 ? missing : Math.max(missing, LATER_PAGE));
    const start = from;
    const look = async (): Promise<boolean> => {
      const { rows, isLast, reached } = await source.page(start, direction, limit);
      for (const row of await choose(rows)) if (chosen.length < wanted) chosen.push(row);
      from = reached;
      return isLast;
    };
    if (await (examined < PAGE_MAX ? look() : inTurn(look))) break;
    examined += limit;
  }
  return chosen;
}
