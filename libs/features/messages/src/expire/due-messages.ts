import { Injectable } from '@nestjs/common';
import { EventStore, streams } from '#event-store';
import { Clock, Slices } from '#kernel';
import type { Channel } from '#channels/model';
import { Directory } from '#people';
import { type Filter, where } from '#read-store';
import { type MessageRow, MessagesReader, sizeOf } from '../existing/messages.reader.js';
import { DIRECT } from '../existing/place-filters.js';
import type { MessageSent, RetentionPolicy } from '../model/messages.events.js';
import { channelConversation } from '../model/place.js';
import { expiredUntil, retentionPolicy } from './retention-policy.js';

/**
 * Maximum messages that are removed together: all effects of an append are one commit, for which other writes wait. Clients
 * without bulk deletion get one client event per message, within the limit per event.
 */
const EXPIRED_AT_ONCE_MAX = 200;
const EXPIRED_BYTES_MAX = 100_000;
/** A count that goes on would read the index for seconds. */
const COUNTED_MAX = 1_000_000;

/** A page of counts ends after this time, with as many as there are then. */
const COUNTS_MS_MAX = 2_000;

/** Times for which the newest message is kept. */
const NEWEST_KEPT_MAX = 64;

/** Messages for which one policy decides: those of a channel, or all direct ones. */
export interface Kept {
  /** Undefined for direct messages. */
  readonly channel: Channel | undefined;
  readonly policy: RetentionPolicy;
}

/** Some of the messages whose time is over. */
export interface DuePortion {
  /** Ascending. */
  readonly rows: readonly MessageRow[];
  /** Looked through up to this ID; undefined when there are no more. */
  readonly reached: number | undefined;
}

/** How many messages' time is over, counted up to a limit. */
export interface DueCount {
  readonly messages: number;
  readonly withFiles: number;
}

/** Policies with what is due by each, by channel ID, direct messages last. */
export interface CountsPage {
  readonly rows: readonly (Kept & DueCount)[];
  readonly isLast: boolean;
}

/** Finds messages whose time is over, by the settings of now. Whatever has no policy is kept, and is not looked at. */
@Injectable()
export class DueMessages {
  /** By time, in the past: nothing is sent then any more. */
  readonly #newest = new Map<number, number>();

  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** What has a policy: channels by ID, archived ones among them, then direct messages. */
  kept(): readonly Kept[] {
    const { directory } = this;
    const kept: Kept[] = [];
    for (const channel of directory.channels()) {
      const policy = this.policyOf(channel);
      if (policy !== undefined) kept.push({ channel, policy });
    }
    const policy = this.policyOf(undefined);
    return policy === undefined ? kept : [...kept, { channel: undefined, policy }];
  }

  /** @param channel undefined for direct messages */
  policyOf(channel: Channel | undefined): RetentionPolicy | undefined {
    return retentionPolicy(this.directory.settings.message_retention_days, channel?.messageRetentionDays ?? null);
  }

  /** The oldest messages after an ID whose time is over, as many as may be removed together. */
  async next({ channel, policy }: Kept, after: number): Promise<DuePortion> {
    const until = expiredUntil(policy, this.clock.nowSeconds());
    const newest = await this.#newestUntil(until);
    const page = await this.reader.page(between(channel, after, newest), 'ascending', EXPIRED_AT_ONCE_MAX);
    const rows: MessageRow[] = [];
    let [bytes, reached] = [0, after];
    for (const row of page.rows) {
      bytes += sizeOf(row.doc);
      if (bytes > EXPIRED_BYTES_MAX && rows.length > 0) return { rows, reached };
      reached = row.id;
      // Clocks may have stood wrong: an ID alone does not say when the message was sent.
      if (row.doc.at <= until) rows.push(row);
    }
    return { rows, reached: page.isLast ? undefined : page.reached };
  }

  /** How many messages' time is over, by their IDs. */
  async count({ channel, policy }: Kept): Promise<DueCount> {
    const newest = await this.#newestUntil(expiredUntil(policy, this.clock.nowSeconds()));
    const due = between(channel, 0, newest);
    return {
      messages: await this.reader.count(due, COUNTED_MAX),
      withFiles: await this.reader.count(where.and(due, where.contains('has', 'attachment')), COUNTED_MAX),
    };
  }

  /** What is due by the policies of channels after an ID; others are served in between. */
  async counts({ after, limit }: { readonly after: number; readonly limit: number }): Promise<CountsPage> {
    const kept = this.kept().filter(({ channel }) => channel === undefined || channel.channelId > after);
    const endsMs = performance.now() + COUNTS_MS_MAX;
    const slices = new Slices();
    const rows: (Kept & DueCount)[] = [];
    for (const each of kept) {
      if (rows.length === limit || (rows.length > 0 && performance.now() > endsMs)) return { rows, isLast: false };
      rows.push({ ...each, ...(await this.count(each)) });
      // An embedded store answers at once: without pauses nobody else would be served until the end.
      if (slices.isOver) await slices.next();
    }
    return { rows, isLast: true };
  }

  /** The newest message sent at that time or before; 0 for none. Channels with the same number of days ask together. */
  async #newestUntil(at: number): Promise<number> {
    const known = this.#newest.get(at);
    if (known !== undefined) return known;
    const newest = await this.#searchUntil(at);
    if (this.#newest.size >= NEWEST_KEPT_MAX) this.#newest.clear();
    this.#newest.set(at, newest);
    return newest;
  }

  /** Sends are in the order of time, and their IDs are revisions: some twenty reads. */
  async #searchUntil(at: number): Promise<number> {
    let [first, last] = [0, await this.reader.newestId()];
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      const [sent] = await this.store.readStream(streams.messages, { from: middle - 1, limit: 1 });
      if (sent === undefined) throw new Error(`The log has no send of the message ${middle}.`);
      if ((sent.data as MessageSent['data']).at <= at) first = middle;
      else last = middle - 1;
    }
    return first;
  }
}

function between(channel: Channel | undefined, after: number, until: number): Filter {
  const place = channel === undefined ? DIRECT : where.eq('conversation', channelConversation(channel.channelId));
  return where.and(place, where.range('$key', { gt: after, lte: until }));
}
