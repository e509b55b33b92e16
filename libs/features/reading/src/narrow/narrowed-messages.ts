import { Injectable } from '@nestjs/common';
import { Slices } from '#kernel';
import { type MessageRow, MessagesReader } from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import { TOPIC_POLICY, preferencesPart } from '#preferences/model';
import { where, type Filter } from '#read-store';
import { NEWEST_ANCHOR, type Anchor } from './anchor.js';
import { isOwn } from '../flags/message-flags.js';
import { BoundedSearch } from './bounded-search.js';
import {
  collect,
  EXAMINED_AT_ONCE,
  ListedMessages,
  NearMessages,
  type Choice,
  type Collected,
  type MessageSource,
} from './message-window.js';
import type { Narrow } from './narrow.js';
import { NarrowReader } from './narrow-reader.js';
import type { NarrowTerm } from './narrow-terms.js';
import { DeliveredFilter } from '../viewer/delivered-filter.js';
import { SearchBudget } from './search-budget.js';
import { ViewerMessages, type ViewerMessage } from '../viewer/viewer-messages.js';
import { UnreadReader } from '../unread/unread.reader.js';
import type { SeenRow } from '../recent/seen-rows.js';

/** Maximum messages per request. */
export const FETCHED_MAX = 5000;
/** Greater than every message ID, and stores can compare with it. */
const BEYOND = Number.MAX_SAFE_INTEGER;

/** Number of messages before and after an anchor. */
export interface MessageWindow {
  readonly anchor: Anchor;
  readonly includeAnchor: boolean;
  readonly before: number;
  readonly after: number;
}

/** Chooses messages for an answer, in the given order; those nearest to the anchor come first. */
export type Take<Taken> = (messages: readonly ViewerMessage[], side: Side) => Promise<Choice<Taken>>;
export type Side = 'at' | 'before' | 'after';

export interface FoundWindow<Taken> {
  /** Ascending. */
  readonly messages: readonly Taken[];
  readonly anchor: number;
  readonly foundAnchor: boolean;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

/** Finds the messages of a narrow, as one user sees them (endpoints.md §3, GET /messages). */
@Injectable()
export class NarrowedMessages {
  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
    private readonly own: DeliveredFilter,
    private readonly seen: ViewerMessages,
    private readonly narrows: NarrowReader,
    private readonly unread: UnreadReader,
  ) {}

  /** @throws Refusal BAD_NARROW */
  narrow(viewer: User, terms: readonly NarrowTerm[]): Promise<Narrow> {
    return this.narrows.read(viewer, terms);
  }

  /**
   * Messages around an anchor, as chosen by `take`. A side has not reached its end when `take` or the search budget
   * cuts it.
   * @throws Refusal BAD_NARROW when nothing was found within the budget
   */
  async around<Taken>(
    viewer: User,
    narrow: Narrow,
    window: MessageWindow,
    take: Take<Taken>,
    budget = new SearchBudget(),
  ): Promise<FoundWindow<Taken>> {
    const anchor = window.anchor === 'first_unread' ? await this.#firstUnread(viewer, narrow, budget) : window.anchor;
    const source = await this.#source(viewer, narrow);
    // Nothing lies beyond an end of the history, even when more messages were requested.
    const wanted = { before: anchor === 0 ? 0 : window.before, after: anchor === NEWEST_ANCHOR ? 0 : window.after };
    const look = (side: 'before' | 'after') =>
      collect(
        source,
        Math.min(anchor, BEYOND),
        side === 'before' ? 'descending' : 'ascending',
        wanted[side],
        async (rows, missing) => take(this.#matching(narrow, await this.seen.of(viewer, rows)).slice(0, missing), side),
        budget,
      );
    const at = window.includeAnchor ? await this.#at(viewer, narrow, anchor, take) : [];
    const before = await look('before');
    const after = await look('after');
    const isFound = before.chosen.length + at.length + after.chosen.length > 0;
    const isWhole = (wanted.before === 0 || before.isAll) && (wanted.after === 0 || after.isAll);
    if (!isFound && !isWhole) budget.assertLeft();
    return {
      messages: [...before.chosen.reverse(), ...at, ...after.chosen],
      anchor,
      foundAnchor: at.length > 0,
      foundOldest: anchor === 0 || before.isAll,
      foundNewest: anchor === NEWEST_ANCHOR || after.isAll,
    };
  }

  /**
   * Messages of a list that the viewer may read and that match, ascending, whether they were delivered or not.
   * @throws Refusal BAD_NARROW when the budget does not suffice for all
   */
  async listed<Taken>(
    viewer: User,
    narrow: Narrow,
    messageIds: readonly number[],
    take: Take<Taken>,
  ): Promise<Collected<Taken>> {
    const source = new ListedMessages(
      this.messages,
      [...new Set(messageIds)].sort((a, b) => a - b),
    );
    const budget = new SearchBudget();
    const choose = async (rows: readonly MessageRow[]): Promise<Choice<Taken>> => {
      const seen = await this.seen.of(viewer, rows);
      const matching = seen.filter((message) => narrow.matches(message));
      return take(matching, 'after');
    };
    const found = await collect(source, 0, 'ascending', messageIds.length + 1, choose, budget);
    if (!found.isAll) budget.assertLeft();
    return found;
  }

  #matching(narrow: Narrow, messages: readonly ViewerMessage[]): ViewerMessage[] {
    return messages.filter((message) => (narrow.reachesHistory || isOwn(message)) && narrow.matches(message));
  }

  async #at<Taken>(viewer: User, narrow: Narrow, anchor: number, take: Take<Taken>): Promise<readonly Taken[]> {
    if (anchor === 0 || anchor > BEYOND) return [];
    const doc = await this.messages.get(anchor);
    if (doc === undefined) return [];
    return (await take(this.#matching(narrow, await this.seen.of(viewer, [{ id: anchor, doc }])), 'at')).chosen;
  }

  /** The source with the fewest index ranges that contain all matches. */
  async #source(viewer: User, narrow: Narrow): Promise<MessageSource> {
    if (narrow.ids !== undefined) return new ListedMessages(this.messages, narrow.ids);
    const { channelId, isProtected, isDirected, isDirect, namesTopics, reachesHistory } = narrow;
    if (channelId !== undefined && !isDirected && (isProtected || !reachesHistory))
      return this.#found(narrow, await this.own.inChannel(viewer.userId, channelId));
    if (reachesHistory || namesTopics) return this.#found(narrow);
    if (isDirect) return this.#found(narrow, this.own.direct(viewer.userId));
    if (isDirected) return this.#found(narrow, await this.own.among(viewer));
    const search = async (): Promise<MessageSource> => this.#found(narrow, await this.own.readable(viewer));
    const onlyLeavesOut = narrow.filters.every(({ op }) => op === 'not');
    return onlyLeavesOut ? new NearMessages(this.messages, search) : search();
  }

  #found(narrow: Narrow, ...places: readonly Filter[]): MessageSource {
    return new BoundedSearch(this.messages, where.and(...narrow.filters, ...places));
  }

  /**
   * The lowest unread message of the narrow that is not muted; when the narrow names a channel, muting of channels is
   * ignored (endpoints.md §3).
   */
  async #firstUnread(viewer: User, narrow: Narrow, budget: SearchBudget): Promise<number> {
    const unread = narrow.unread ?? (await this.unread.look(viewer)).unread;
    let candidates: number[] = [];
    const slices = new Slices();
    for (const message of unread) {
      if (slices.isOver) await slices.next();
      const { id, place, senderId } = message;
      if (!narrow.mayList(id) || this.#isMuted(viewer, narrow, message)) continue;
      if (!narrow.mayMatch({ ...place, senderId })) continue;
      if (narrow.namesPlacesOnly) return id;
      // Mostly one of the first matches, so the others are not even gathered.
      if (candidates.push(id) < EXAMINED_AT_ONCE) continue;
      const found = await this.#firstMatching(viewer, narrow, candidates, budget);
      if (found !== undefined) return found;
      if (budget.isSpent) break;
      candidates = [];
    }
    const found = await this.#firstMatching(viewer, narrow, candidates, budget);
    if (found === undefined) budget.assertLeft();
    return found ?? NEWEST_ANCHOR;
  }

  /** The first of some messages that the viewer may read and that matches. @param ids ascending */
  async #firstMatching(
    viewer: User,
    narrow: Narrow,
    ids: readonly number[],
    budget: SearchBudget,
  ): Promise<number | undefined> {
    const source = new ListedMessages(this.messages, ids);
    const choose = async (rows: readonly MessageRow[], missing: number): Promise<Choice<ViewerMessage>> => {
      const seen = await this.seen.of(viewer, rows);
      return { chosen: seen.filter((message) => narrow.matches(message)).slice(0, missing) };
    };
    const { chosen } = await collect(source, 0, 'ascending', 1, choose, budget);
    return chosen[0]?.id;
  }

  #isMuted({ userId }: User, narrow: Narrow, { place }: SeenRow): boolean {
    const { channelId, topic = '' } = place;
    if (channelId === undefined) return false;
    if (narrow.channelId === undefined) return place.isMuted;
    return this.directory.of(preferencesPart).topicPolicy(userId, channelId, topic) === TOPIC_POLICY.muted;
  }
}
