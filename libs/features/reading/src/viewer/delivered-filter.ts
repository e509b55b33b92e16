import { Injectable } from '@nestjs/common';
import { channelConversation, DIRECT, directConversation } from '#messages';
import { Directory } from '#people';
import { mayReadChannel, type SubscriptionSpan } from '#channels/model';
import type { User } from '#users/model';
import { where, type Filter } from '#read-store';
import type { FlagSet } from '../flags/user-flags.projection.js';
import { FlagsReader } from '../flags/flags.reader.js';

const TOUCHING = ['historical', 'unread', 'starred', 'collapsed'] as const satisfies readonly FlagSet[];
/** The newest of these are looked up one by one; older ones are found by a scan. */
const TOUCHED_MAX = 10_000;
/** With more subscription spans than this in one channel, they are not searched one by one. */
const SPANS_MAX = 20;

/**
 * Filters for the messages that a user received: as many index ranges as there are conversations. Only for searching:
 * the result is nearly the user's own messages, and access is decided per message (`ViewerMessages`).
 */
@Injectable()
export class DeliveredFilter {
  constructor(
    private readonly directory: Directory,
    private readonly flags: FlagsReader,
  ) {}

  /**
   * Direct messages, the user's own, those that mention them or did, and messages of every channel that they were ever
   * subscribed to.
   */
  async everywhere(userId: number): Promise<Filter> {
    const channelIds = Array.from(this.directory.subscriptionsOf(userId), ({ channelId }) => channelId);
    return this.#in(userId, channelIds);
  }

  /** Like `everywhere`, without channels that the viewer may not read any more. */
  async readable(viewer: User): Promise<Filter> {
    const channelIds = Array.from(this.directory.subscriptionsOf(viewer.userId), ({ channelId }) => channelId).filter(
      (channelId) => this.#mayRead(viewer, channelId),
    );
    return this.#in(viewer.userId, channelIds);
  }

  /**
   * A condition in few terms, for searches driven by something else: every message that may be the viewer's own, and
   * others.
   */
  async among(viewer: User): Promise<Filter> {
    const { userId } = viewer;
    const channels = Array.from(this.directory.subscriptionsOf(userId), ({ channelId }) => channelId);
    return where.or(
      where.in('conversation', channels.map(channelConversation)),
      DIRECT,
      where.eq('senderId', userId),
      addressed(userId),
      await this.#touched(userId),
    );
  }

  async #in(userId: number, channelIds: readonly number[]): Promise<Filter> {
    return where.or(
      this.direct(userId),
      where.eq('senderId', userId),
      addressed(userId),
      await this.#touched(userId),
      ...this.#deliveredIn(userId, channelIds),
    );
  }

  direct(userId: number): Filter {
    const conversations = [directConversation([userId])];
    for (const participants of this.directory.conversationsOf(userId))
      conversations.push(directConversation(participants));
    return where.in('conversation', conversations);
  }

  /** The user's history of one channel. */
  async inChannel(userId: number, channelId: number): Promise<Filter> {
    return where.or(
      where.and(where.eq('senderId', userId), where.eq('conversation', channelConversation(channelId))),
      where.and(addressed(userId), where.eq('conversation', channelConversation(channelId))),
      where.and(await this.#touched(userId), where.eq('conversation', channelConversation(channelId))),
      ...this.#deliveredIn(userId, [channelId]),
    );
  }

  /** Messages that were never delivered to the user but flagged by them, which makes them theirs (`isOwn`). */
  async #touched(userId: number): Promise<Filter> {
    const ids = new Set<number>();
    // The newest of all are among the newest of each.
    for (const set of TOUCHING)
      for (const id of (await this.flags.newest(userId, set, TOUCHED_MAX + 1)).slice(0, TOUCHED_MAX + 1)) ids.add(id);
    if (ids.size <= TOUCHED_MAX) return where.in('$key', [...ids]);
    const newest = [...ids].sort((a, b) => b - a);
    const older = where.range('$key', { lte: newest[TOUCHED_MAX] ?? 0 });
    return where.or(where.in('$key', newest.slice(0, TOUCHED_MAX)), older);
  }

  /** Messages sent to these channels while the user was subscribed, and all that were moved there. */
  #deliveredIn(userId: number, channelIds: readonly number[]): readonly Filter[] {
    const bySpan = new Map<string, { range: Filter; conversations: string[] }>();
    for (const channelId of channelIds) {
      for (const { fromId, untilId } of searchedSpans(this.directory.subscription(userId, channelId)?.spans ?? [])) {
        const key = `${fromId}-${untilId ?? ''}`;
        const range = where.range('$key', { gte: fromId, ...(untilId === null ? {} : { lte: untilId }) });
        const span = bySpan.get(key) ?? { range, conversations: [] };
        bySpan.set(key, span);
        span.conversations.push(channelConversation(channelId));
      }
    }
    return [
      ...Array.from(bySpan.values(), ({ range, conversations }) =>
        where.and(where.in('conversation', conversations), range),
      ),
      // Messages keep their ID when they move, so these may be older than the subscription.
      ...channelIds.map((channelId) => where.contains('movedInto', channelId)),
    ];
  }

  #mayRead(viewer: User, channelId: number): boolean {
    const channel = this.directory.channel(channelId);
    return channel !== undefined && mayReadChannel(this.directory, viewer, channel);
  }
}

/** Each span is a separate search. A user with many spans is searched in one range, which may find too much. */
function searchedSpans(spans: readonly SubscriptionSpan[]): readonly Pick<SubscriptionSpan, 'fromId' | 'untilId'>[] {
  const [first] = spans;
  if (first === undefined || spans.length <= SPANS_MAX) return spans;
  return [{ fromId: first.fromId, untilId: spans.at(-1)?.untilId ?? null }];
}

/** Messages that mention the user, or did in an earlier version. */
function addressed(userId: number): Filter {
  return where.or(where.contains('singledOut', userId), where.contains('unmentioned', userId));
}
