import { firstAtLeast } from '#kernel';
import type { MessageRow, MessagesReader } from '#messages';
import { where } from '#read-store';
import type { SearchBudget } from './search-budget.js';

export type Direction = 'ascending' | 'descending';

/** Source of messages in ID order. They may still not match: the window asks for more until enough do. */
export interface MessageSource {
  /** Up to `limit` messages beyond `bound` (exclusive), nearest first. `isLast` when there are no more. */
  page(
    bound: number,
    direction: Direction,
    limit: number,
  ): Promise<{ readonly rows: readonly MessageRow[]; readonly isLast: boolean; readonly reached: number }>;
}

/** Messages examined in one go: finding them, loading their flags and writing them takes some 10 ms. */
export const EXAMINED_AT_ONCE = 250;
/** Nearest messages examined per wanted message, before a search begins. */
const NEAR_FACTOR = 4;
const NEAR_MIN = 50;

/**
 * For viewers who receive most messages: examines the nearest messages of all first, since a search over many
 * conversations excludes few, and usually enough of them match.
 */
export class NearMessages implements MessageSource {
  #found: MessageSource | undefined;
  readonly #begun = new Set<Direction>();

  /** @param search creates the search when it is needed */
  constructor(
    private readonly messages: MessagesReader,
    private readonly search: () => Promise<MessageSource>,
  ) {}

  async page(bound: number, direction: Direction, limit: number): ReturnType<MessageSource['page']> {
    if (this.#begun.has(direction)) {
      this.#found ??= await this.search();
      return this.#found.page(bound, direction, limit);
    }
    this.#begun.add(direction);
    const range = where.range('$key', direction === 'ascending' ? { gt: bound } : { lt: bound });
    const wider = Math.min(EXAMINED_AT_ONCE, Math.max(limit * NEAR_FACTOR, NEAR_MIN));
    const { rows, isLast, reached = bound } = await this.messages.page(range, direction, wider);
    return { rows, isLast, reached };
  }
}

/** Messages whose IDs are known. */
export class ListedMessages implements MessageSource {
  /** @param ids ascending */
  constructor(
    private readonly messages: MessagesReader,
    private readonly ids: readonly number[],
  ) {}

  async page(bound: number, direction: Direction, limit: number): ReturnType<MessageSource['page']> {
    // The first ID beyond the bound, or the first that is not below it.
    const from = firstAtLeast(this.ids, direction === 'ascending' ? bound + 1 : bound, (id) => id);
    const page =
      direction === 'ascending'
        ? this.ids.slice(from, from + limit)
        : this.ids.slice(Math.max(0, from - limit), from).reverse();
    const { rows, taken } = await this.messages.pageOf(page);
    const isWhole = taken === page.length;
    const isLast = isWhole && (direction === 'ascending' ? from + limit >= this.ids.length : from <= limit);
    return { rows, isLast, reached: page[taken - 1] ?? bound };
  }
}

/** What was chosen from a page of a source, nearest first. */
export interface Choice<Chosen> {
  readonly chosen: readonly Chosen[];
  /** The answer is full: the rest of the page and of the source are left out. */
  readonly isFull?: boolean;
}

export interface Collected<Chosen> {
  readonly chosen: Chosen[];
  /** There are no more messages beyond. */
  readonly isAll: boolean;
}

/** Collects up to `wanted` messages that `choose` accepts, nearest to `bound` first, within the budget. */
export async function collect<Chosen>(
  source: MessageSource,
  bound: number,
  direction: Direction,
  wanted: number,
  choose: (rows: readonly MessageRow[], missing: number) => Promise<Choice<Chosen>>,
  budget: SearchBudget,
): Promise<Collected<Chosen>> {
  const chosen: Chosen[] = [];
  let from = bound;
  for (let examined = 0; chosen.length < wanted && !budget.isSpent;) {
    const missing = wanted - chosen.length;
    // Few messages are dropped in most searches, so the first page has the wanted size; later ones are larger.
    const limit = examined === 0 ? Math.min(missing, EXAMINED_AT_ONCE) : EXAMINED_AT_ONCE;
    const [start, before] = [from, chosen.length];
    const look = async (): Promise<'on' | 'all' | 'full'> => {
      const { rows, isLast, reached } = await source.page(start, direction, limit);
      examined += Math.max(rows.length, 1);
      const choice = await choose(rows, missing);
      chosen.push(...choice.chosen);
      from = reached;
      return choice.isFull === true ? 'full' : isLast ? 'all' : 'on';
    };
    const looked = await budget.spend(look, () => (chosen.length - before) / limit);
    if (looked === 'full') return { chosen, isAll: false };
    if (looked === 'all') return { chosen, isAll: chosen.length < wanted };
  }
  return { chosen, isAll: false };
}
