import { firstAtLeast } from '#kernel';
import type { MessageDocument } from '#messages';
import { where, type Filter } from '#read-store';
import type { SeenRows } from '../recent/seen-rows.js';
import type { SearchQuery } from '../search/search-query.js';
import type { ViewerMessage } from '../viewer/viewer-messages.js';

/** What conditions of places and senders know of a message. */
export interface Placed {
  readonly doc: Pick<MessageDocument, 'conversation' | 'topicKey' | 'topic' | 'senderId'>;
}

/**
 * A resolved narrow: filters for the store, and tests that decide. Every message that passes the filters is tested, so
 * a filter may be too wide, but never too narrow.
 */
export class Narrow {
  /** All filters must hold. */
  readonly filters: Filter[] = [];
  /** The only messages that can match, ascending; undefined when a search is needed. */
  ids: readonly number[] | undefined;
  /** The channel that the narrow names. */
  channelId: number | undefined;
  /** Readers of that channel see only messages that arrived while they were subscribed. */
  isProtected = false;
  /**
   * Includes messages that were never delivered to the viewer: the narrow names channels, and no flags (endpoints.md
   * §3).
   */
  reachesHistory = false;
  /** The filters alone select few messages, so the viewer's conversations need not be searched. */
  isDirected = false;
  /** The filters name the only topics in which messages can match; the tests exclude the few of others. */
  namesTopics = false;
  /** Only direct messages can match. */
  isDirect = false;
  /** What is unread of all, when a term has looked for it. */
  unread: SeenRows | undefined;
  /** The search whose matches are highlighted. */
  search: SearchQuery | undefined;
  readonly #tests: ((message: ViewerMessage) => boolean)[] = [];
  readonly #placeTests: ((message: Placed) => boolean)[] = [];

  matches(message: ViewerMessage): boolean {
    return this.mayMatch(message.doc) && this.#tests.every((test) => test(message));
  }

  /** Whether a message may match, as far as its place and its sender tell. */
  mayMatch(doc: Placed['doc']): boolean {
    return this.#placeTests.every((test) => test({ doc }));
  }

  /** Whether place and sender decide. */
  get namesPlacesOnly(): boolean {
    return this.#tests.length === 0;
  }

  /** Adds a condition of the place or the sender, or its opposite. */
  requirePlace(negated: boolean, test: (message: Placed) => boolean, filter?: Filter): void {
    this.#placeTests.push(negated ? (message) => !test(message) : test);
    if (filter !== undefined) this.filters.push(negated ? where.not(filter) : filter);
  }

  /** Adds such a condition whose filter is selective by itself. */
  directPlace(negated: boolean, test: (message: Placed) => boolean, filter: Filter): void {
    this.requirePlace(negated, test, filter);
    if (!negated) this.isDirected = true;
  }

  /** Adds a condition, or its opposite. */
  require(negated: boolean, test: (message: ViewerMessage) => boolean, filter?: Filter): void {
    this.#tests.push(negated ? (message) => !test(message) : test);
    if (filter !== undefined) this.filters.push(negated ? where.not(filter) : filter);
  }

  /** Adds a condition whose filter is selective by itself: few messages, or the rarest of the narrow. */
  direct(negated: boolean, test: (message: ViewerMessage) => boolean, filter: Filter): void {
    this.require(negated, test, filter);
    if (!negated) this.isDirected = true;
  }

  /** Whether the message is among those that the narrow is limited to, if it is. */
  mayList(messageId: number): boolean {
    if (this.ids === undefined) return true;
    return this.ids[firstAtLeast(this.ids, messageId, (id) => id)] === messageId;
  }

  /** Limits the narrow to these messages. @param ids ascending */
  limitTo(ids: readonly number[]): void {
    const allowed = this.ids === undefined ? undefined : new Set(this.ids);
    this.ids = allowed === undefined ? ids : ids.filter((id) => allowed.has(id));
  }
}
