import { setImmediate as nextTurn } from 'node:timers/promises';
import { NO_SPANS, Slices, type Spans } from '#kernel';
import type { Directory } from '#people';
import { isAddressed } from '../log/audience.js';
import type { Presentable, Recipient } from '../log/feed-entry.js';
import type { FeedRecord } from '../log/feed-history.js';
import type { HeldPoll, HeldPolls } from '../queues/held-polls.js';
import type { Prepared, Presenter } from './presenter.js';

/** With more undelivered records than this, waiting clients are better off polling again. */
const BACKLOG_RECORDS_MAX = 5_000;
/**
 * Records whose messages are loaded together. With more, polls get the first, and their clients ask for the rest: 64 of
 * the largest messages take 6 MB.
 */
const RECORDS_AT_ONCE = 64;
/**
 * Time for which answers to polls are made between two turns of the event loop, which bounds the delay of requests. Some 200
 * polls fit: Node's work after each answer then comes after all of them.
 */
const SLICE_MS = 20;

export interface LiveDeliveryParts {
  readonly directory: Directory;
  readonly presenter: Presenter;
  readonly polls: HeldPolls;
  /** Called when delivery failed; the affected clients recover by themselves. */
  readonly onError: (error: unknown) => void;
  /** Called after each answer to a held poll, with the time at which its first event was recorded, in ms since the epoch. */
  readonly onDelivered?: (recordedAtMs: number) => void;
  readonly spans?: Spans;
}

/**
 * Delivers committed records to waiting polls, batch after batch. It begins in a separate turn, so that the request
 * that recorded the events is answered first, and continues in slices.
 */
export class LiveDelivery {
  #backlog: FeedRecord[] = [];
  #backlogHead = 0;
  #running = false;
  #deliveredUpTo = 0;
  #endsAt = Infinity;

  readonly #spans: Spans;

  constructor(private readonly parts: LiveDeliveryParts) {
    this.#spans = parts.spans ?? NO_SPANS;
  }

  /** Position up to which every waiting poll has received its events. */
  get deliveredUpTo(): number {
    return this.#deliveredUpTo;
  }

  /**
   * The feed restarts at this position. Waiting polls may have missed something, so they are released and poll again.
   */
  startAt(position: number): void {
    this.parts.polls.releaseAll();
    this.#deliveredUpTo = position;
  }

  /** Releases all waiting polls once they have been told of the event at this position. */
  endAt(position: number): void {
    this.#endsAt = position;
  }

  publish(records: readonly FeedRecord[], head: number): void {
    if (this.#running) {
      this.#backlog.push(...records);
      this.#backlogHead = head;
      return;
    }
    if (this.parts.polls.size === 0 || records.length === 0) {
      this.#deliveredUpTo = head;
      return;
    }
    this.#running = true;
    void this.#run(records, head);
  }

  async #run(records: readonly FeedRecord[], head: number): Promise<void> {
    for (;;) {
      try {
        await nextTurn();
        if (records.length > BACKLOG_RECORDS_MAX) this.parts.polls.releaseAll();
        else
          for (let from = 0; from < records.length; from += RECORDS_AT_ONCE)
            await this.#spans.run('deliver', () => this.#deliver(records.slice(from, from + RECORDS_AT_ONCE)));
      } catch (error) {
        this.parts.onError(error);
        this.parts.polls.releaseAll(); // The next poll reads what could not be delivered here.
      }
      this.#deliveredUpTo = head;
      if (head >= this.#endsAt) this.parts.polls.releaseAll();
      if (this.#backlogHead <= head) break;
      records = this.#backlog;
      head = this.#backlogHead;
      this.#backlog = [];
    }
    this.#running = false;
  }

  async #deliver(records: readonly FeedRecord[]): Promise<void> {
    const slices = new Slices(SLICE_MS, nextTurn);
    const wanted = await this.#wantedBy(records, slices);
    if (wanted.byPoll.size === 0) return;
    let prepared: Prepared;
    try {
      const userIds = new Set(Array.from(wanted.byPoll.keys(), ({ queue }) => queue.userId));
      prepared = await this.parts.presenter.prepare(wanted.entries, userIds);
    } catch (error) {
      this.parts.onError(error);
      for (const poll of wanted.byPoll.keys()) poll.release(); // They poll again and get the error.
      return;
    }
    // Written one right after the other: to wake a receiver that has gone to sleep meanwhile costs more than to write to one
    // that is still reading.
    const answers: (() => void)[] = [];
    const { onDelivered } = this.parts;
    const times = onDelivered && new Map(records.map(({ position, at }) => [position, at]));
    for (const [poll, entries] of wanted.byPoll) {
      const answer = poll.ended ? undefined : this.#answer(poll, entries, prepared);
      if (answer !== undefined) answers.push(answer);
      const at = answer && times?.get(entries[0]?.position ?? 0);
      if (at !== undefined) answers.push(() => onDelivered?.(at));
      if (!slices.isOver) continue;
      for (const write of answers.splice(0)) write();
      await slices.next();
    }
    for (const write of answers) write();
  }

  /** @returns what writes the answer; nothing when there is none to write */
  #answer(poll: HeldPoll, entries: readonly Presentable[], prepared: Prepared): (() => void) | undefined {
    const recipient = this.#recipientOf(poll);
    if (recipient === undefined) {
      poll.release();
      return;
    }
    try {
      const { texts, lastId } = this.parts.presenter.present(entries, recipient, prepared, -1);
      if (texts.length === 0) return;
      const text = `[${texts.join(',')}]`;
      return () => {
        poll.queue.sent(lastId);
        poll.end(text);
      };
    } catch (error) {
      // A client event that cannot be presented would be missing from the client's state: it has to fetch that again.
      this.parts.onError(error);
      poll.queue.isGone = true;
      poll.release();
    }
  }

  /**
   * Matches entries with polls.
   * @returns the entries of each poll, and all entries of any
   */
  async #wantedBy(records: readonly FeedRecord[], slices: Slices) {
    const byPoll = new Map<HeldPoll, Presentable[]>();
    const entries: Presentable[] = [];
    for (const { position, entries: all } of records) {
      for (const entry of all) {
        const presentable = { position, entry };
        let isWanted = false;
        for (const poll of this.#candidates(presentable)) {
          if (slices.isOver) await slices.next();
          if (poll.ended || position <= poll.from) continue;
          const recipient = this.#recipientOf(poll);
          if (recipient === undefined || !isAddressed(this.parts.directory, presentable, recipient)) continue;
          isWanted = true;
          const wanted = byPoll.get(poll);
          if (wanted === undefined) byPoll.set(poll, [presentable]);
          else wanted.push(presentable);
        }
        if (isWanted) entries.push(presentable);
      }
    }
    return { byPoll, entries };
  }

  /** Polls that the entry may concern, each once, without iterating over all polls when the audience allows it. */
  *#candidates({ position, entry }: Presentable): Iterable<HeldPoll> {
    const { directory, polls } = this.parts;
    const { audience } = entry;
    if (audience.to === 'users') {
      for (const userId of new Set(audience.ids)) yield* polls.ofUser(userId);
      return;
    }
    if (audience.to !== 'subscribers' || polls.userCount <= directory.subscriberCount(audience.channelId)) {
      for (const userId of polls.userIds) yield* polls.ofUser(userId);
      return;
    }
    const subscriberIds = directory.subscriberIdsAt(audience.channelId, position);
    const userIds = new Set([...subscriberIds, ...(audience.and ?? [])]);
    for (const userId of userIds) yield* polls.ofUser(userId);
    for (const poll of polls.listening) if (!userIds.has(poll.queue.userId)) yield poll;
  }

  #recipientOf({ queue }: HeldPoll): Recipient | undefined {
    const user = this.parts.directory.user(queue.userId);
    return user?.isActive === true ? { queueId: queue.queueId, user, settings: queue.settings } : undefined;
  }
}
