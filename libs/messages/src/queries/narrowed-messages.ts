import { Injectable } from '@nestjs/common';
import { Directory, isTopicMuted, TOPIC_POLICY, type User } from '#organization';
import { where, type Filter } from '#read-store';
import { parseConversation } from '../place.js';
import { NEWEST_ANCHOR, type Anchor } from './anchor.js';
import { isOwn } from './message-flags.js';
import { collect, FoundMessages, ListedMessages, NearMessages, type MessageSource } from './message-window.js';
import { MessagesReader, type MessageRow } from './messages.reader.js';
import type { Narrow } from './narrow/narrow.js';
import { NarrowReader } from './narrow/narrow-reader.js';
import type { NarrowTerm } from './narrow/narrow-terms.js';
import { OwnMessages } from './own-messages.js';
import { SeenMessages, type SeenMessage } from './seen-messages.js';
import { UnreadReader } from './unread.reader.js';

/** So many messages one request may ask for. */
export const FETCHED_MAX = 5000;
/** No message has this ID or a greater one, and stores can compare with it. */
const BEYOND = Number.MAX_SAFE_INTEGER;

/** So many messages before and after a place. */
export interface MessageWindow {
  readonly anchor: Anchor;
  readonly includeAnchor: boolean;
  readonly before: number;
  readonly after: number;
}

export interface FoundWindow {
  /** Ascending. */
  readonly messages: readonly SeenMessage[];
  readonly anchor: number;
  readonly foundAnchor: boolean;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

type Choose = (rows: readonly MessageRow[]) => Promise<readonly SeenMessage[]>;

/** The messages of a narrow, as one user sees them (endpoints.md §3, GET /messages). */
@Injectable()
export class NarrowedMessages {
  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
    private readonly own: OwnMessages,
    private readonly seen: SeenMessages,
    private readonly narrows: NarrowReader,
    private readonly unread: UnreadReader,
  ) {}

  /** @throws Refusal BAD_NARROW */
  narrow(viewer: User, terms: readonly NarrowTerm[]): Promise<Narrow> {
    return this.narrows.read(viewer, terms);
  }

  async around(viewer: User, narrow: Narrow, window: MessageWindow): Promise<FoundWindow> {
    const choose: Choose = async (rows) => this.#matching(narrow, await this.seen.of(viewer, rows));
    const anchor = window.anchor === 'first_unread' ? await this.#firstUnread(viewer, narrow) : window.anchor;
    const source = await this.#source(viewer, narrow);
    // At an end of the history there is nothing beyond, whatever was asked for.
    const wantedBefore = anchor === 0 ? 0 : window.before;
    const wantedAfter = anchor === NEWEST_ANCHOR ? 0 : window.after;
    const before = await collect(source, Math.min(anchor, BEYOND), 'descending', wantedBefore, choose);
    const at = window.includeAnchor ? await this.#at(anchor, choose) : [];
    const after = await collect(source, Math.min(anchor, BEYOND), 'ascending', wantedAfter, choose);
    return {
      messages: [...before.reverse(), ...at, ...after],
      anchor,
      foundAnchor: at.length > 0,
      foundOldest: anchor === 0 || before.length < wantedBefore,
      foundNewest: anchor === NEWEST_ANCHOR || after.length < wantedAfter,
    };
  }

  /** Those of a list that the viewer may read and that match, ascending, whether they were delivered or not. */
  async listed(viewer: User, narrow: Narrow, messageIds: readonly number[]): Promise<SeenMessage[]> {
    const docs = await this.messages.getMany([...new Set(messageIds)].sort((a, b) => a - b));
    const rows = Array.from(docs, ([id, doc]): MessageRow => ({ id, doc })).sort((a, b) => a.id - b.id);
    return (await this.seen.of(viewer, rows)).filter((message) => narrow.matches(message));
  }

  #matching(narrow: Narrow, messages: readonly SeenMessage[]): SeenMessage[] {
    return messages.filter((message) => (narrow.reachesHistory || isOwn(message)) && narrow.matches(message));
  }

  async #at(anchor: number, choose: Choose): Promise<readonly SeenMessage[]> {
    if (anchor === 0 || anchor > BEYOND) return [];
    const doc = await this.messages.get(anchor);
    return doc === undefined ? [] : choose([{ id: anchor, doc }]);
  }

  /** Where to look: the fewest index ranges that hold everything that can match. */
  async #source(viewer: User, narrow: Narrow): Promise<MessageSource> {
    if (narrow.ids !== undefined) return new ListedMessages(this.messages, narrow.ids);
    const { channelId, isProtected, isDirected, isDirect, reachesHistory } = narrow;
    if (channelId !== undefined && !isDirected && (isProtected || !reachesHistory))
      return this.#found(narrow, await this.own.inChannel(viewer.userId, channelId));
    if (reachesHistory) return this.#found(narrow);
    if (isDirect) return this.#found(narrow, await this.own.direct(viewer.userId));
    if (isDirected) return this.#found(narrow, await this.own.among(viewer));
    const filter = async (): Promise<Filter> => where.and(...narrow.filters, await this.own.readable(viewer));
    const onlyLeavesOut = narrow.filters.every(({ op }) => op === 'not');
    return onlyLeavesOut ? new NearMessages(this.messages, filter) : new FoundMessages(this.messages, await filter());
  }

  #found(narrow: Narrow, ...places: readonly Filter[]): MessageSource {
    return new FoundMessages(this.messages, where.and(...narrow.filters, ...places));
  }

  /**
   * The lowest unread message of the narrow that is not muted; a muted channel is not, when the narrow names a channel
   * (endpoints.md §3).
   */
  async #firstUnread(viewer: User, narrow: Narrow): Promise<number> {
    const { unread } = await this.unread.look(viewer);
    const allowed = narrow.ids === undefined ? undefined : new Set(narrow.ids);
    const first = unread.find((message) => {
      if (allowed !== undefined && !allowed.has(message.id)) return false;
      return narrow.matches(message) && !this.#isMuted(viewer, narrow, message);
    });
    return first?.id ?? NEWEST_ANCHOR;
  }

  #isMuted({ userId }: User, narrow: Narrow, { doc }: SeenMessage): boolean {
    const place = parseConversation(doc.conversation);
    if (!('channelId' in place)) return false;
    const topic = doc.topic ?? '';
    if (narrow.channelId === undefined) return isTopicMuted(this.directory, userId, place.channelId, topic);
    return this.directory.preferences.topicPolicy(userId, place.channelId, topic) === TOPIC_POLICY.muted;
  }
}
