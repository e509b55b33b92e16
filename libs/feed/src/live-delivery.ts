import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Directory } from '#organization';
import { isAddressed } from './audience.js';
import type { Presentable, Recipient } from './feed-entry.js';
import type { FeedRecord } from './feed-history.js';
import type { HeldPoll, HeldPolls } from './held-polls.js';
import { NO_EVENTS } from './held-polls.js';
import type { Prepared, Presenter } from './presenter.js';

/** More undelivered records than this, and waiting clients are better off polling again. */
const BACKLOG_RECORDS_MAX = 5_000;
/** How many polls are answered between two turns of the event loop, so that requests are not kept waiting. */
const ANSWERS_PER_TURN = 200;

export interface LiveDeliveryParts {
  readonly directory: Directory;
  readonly presenter: Presenter;
  readonly polls: HeldPolls;
  /** Something went wrong while delivering; the clients concerned recover by themselves. */
  readonly onError: (error: unknown) => void;
}

/** Tells waiting polls what was just committed, batch after batch. */
export class LiveDelivery {
  #backlog: FeedRecord[] = [];
  #backlogHead = 0;
  #running = false;
  #toldUpTo = 0;

  constructor(private readonly parts: LiveDeliveryParts) {}

  /** Position up to which every waiting poll has been told what is for it. */
  get toldUpTo(): number {
    return this.#toldUpTo;
  }

  /** The feed goes on from this position. Whoever waits may have missed something, and polls again. */
  startAt(position: number): void {
    this.parts.polls.releaseAll();
    this.#toldUpTo = position;
  }

  publish(records: readonly FeedRecord[], head: number): void {
    if (this.#running) {
      this.#backlog.push(...records);
      this.#backlogHead = head;
      return;
    }
    if (this.parts.polls.size === 0 || records.length === 0) {
      this.#toldUpTo = head;
      return;
    }
    this.#running = true;
    void this.#run(records, head);
  }

  async #run(records: readonly FeedRecord[], head: number): Promise<void> {
    for (;;) {
      try {
        if (records.length > BACKLOG_RECORDS_MAX) this.parts.polls.releaseAll();
        else await this.#deliver(records);
      } catch (error) {
        this.parts.onError(error);
        this.parts.polls.releaseAll(); // Whoever polls again reads what could not be handed over here.
      }
      this.#toldUpTo = head;
      if (this.#backlogHead <= head) break;
      records = this.#backlog;
      head = this.#backlogHead;
      this.#backlog = [];
    }
    this.#running = false;
  }

  async #deliver(records: readonly FeedRecord[]): Promise<void> {
    const wanted = this.#wantedBy(records);
    if (wanted.byPoll.size === 0) return;
    let prepared: Prepared;
    try {
      const userIds = new Set(Array.from(wanted.byPoll.keys(), ({ queue }) => queue.userId));
      prepared = await this.parts.presenter.prepare(wanted.entries, userIds);
    } catch (error) {
      this.parts.onError(error);
      for (const poll of wanted.byPoll.keys()) poll.end(NO_EVENTS); // They poll again, and are told what is wrong.
      return;
    }
    let answers = 0;
    for (const [poll, entries] of wanted.byPoll) {
      if (!poll.ended) this.#answer(poll, entries, prepared);
      if (++answers % ANSWERS_PER_TURN === 0) await nextTurn();
    }
  }

  #answer(poll: HeldPoll, entries: readonly Presentable[], prepared: Prepared): void {
    const recipient = this.#recipientOf(poll);
    if (recipient === undefined) {
      poll.end(NO_EVENTS);
      return;
    }
    try {
      const { texts, lastId } = this.parts.presenter.present(entries, recipient, prepared, -1);
      if (texts.length === 0) return;
      poll.queue.sent(lastId);
      poll.end(`[${texts.join(',')}]`);
    } catch (error) {
      // What cannot be told would be missing from the client's state: it has to fetch that afresh.
      this.parts.onError(error);
      poll.queue.isGone = true;
      poll.end(NO_EVENTS);
    }
  }

  /** Which entries concern which polls, and all entries that concern any. */
  #wantedBy(records: readonly FeedRecord[]) {
    const byPoll = new Map<HeldPoll, Presentable[]>();
    const entries: Presentable[] = [];
    for (const { position, entries: all } of records) {
      for (const entry of all) {
        const presentable = { position, entry };
        let isWanted = false;
        for (const poll of this.#candidates(presentable)) {
          if (position <= poll.from) continue;
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

  /** Polls that the entry may concern, each once; found without looking at all of them where the audience allows it. */
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
