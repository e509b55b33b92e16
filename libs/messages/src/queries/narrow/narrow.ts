import { where, type Filter } from '#read-store';
import type { SearchQuery } from '../../search/search-query.js';
import type { SeenMessage } from '../seen-messages.js';

/**
 * A narrow, looked up and ready to find messages: what the store searches by, and what decides. Whatever the filters let
 * pass is tested again, so a filter may be too wide, and never too narrow.
 */
export class Narrow {
  /** All must hold. */
  readonly filters: Filter[] = [];
  /** The only messages that can match, ascending; undefined when only a search can tell. */
  ids: readonly number[] | undefined;
  /** The channel that the narrow names. */
  channelId: number | undefined;
  /** Who reads that channel reads only what came while they were subscribed. */
  isProtected = false;
  /** Messages count that the viewer never received: the narrow names channels, and asks nothing of flags (endpoints.md §3). */
  reachesHistory = false;
  /** The filters lead to few messages by themselves, so the viewer's conversations need not be gone through. */
  isDirected = false;
  /** Only direct messages can match. */
  isDirect = false;
  /** What is searched for, to be highlighted. */
  search: SearchQuery | undefined;
  readonly #tests: ((message: SeenMessage) => boolean)[] = [];

  matches(message: SeenMessage): boolean {
    return this.#tests.every((test) => test(message));
  }

  /** Adds a condition, or its opposite. */
  require(negated: boolean, test: (message: SeenMessage) => boolean, filter?: Filter): void {
    this.#tests.push(negated ? (message) => !test(message) : test);
    if (filter !== undefined) this.filters.push(negated ? where.not(filter) : filter);
  }

  /** The same, where the filter finds by itself: few messages, or the rarest that the narrow speaks of. */
  direct(negated: boolean, test: (message: SeenMessage) => boolean, filter: Filter): void {
    this.require(negated, test, filter);
    if (!negated) this.isDirected = true;
  }

  /** Only these messages can match. */
  limitTo(ids: readonly number[]): void {
    const allowed = this.ids === undefined ? undefined : new Set(this.ids);
    this.ids = allowed === undefined ? ids : ids.filter((id) => allowed.has(id));
  }
}
