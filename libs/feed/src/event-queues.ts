import { setImmediate as nextTurn } from 'node:timers/promises';
import { newId, Refusal } from '#kernel';
import type { Clock } from '#kernel';
import type { Directory, User } from '#organization';
import { isAddressed, listensToAll } from './audience.js';
import type { EventQueue } from './event-queue.js';
import { idAfter } from './event-queue.js';
import type { Presentable, QueueSettings, Recipient } from './feed-entry.js';
import type { FeedHistory, FeedPage } from './feed-history.js';
import type { FeedRetention } from './feed-retention.js';
import type { FeedTail } from './feed-tail.js';
import type { HeldPoll, HeldPolls } from './held-polls.js';
import { NO_EVENTS } from './held-polls.js';
import type { Prepared, Presented, Presenter } from './presenter.js';
import type { QueueTable } from './queue-table.js';
import type { TransientEvents } from './transient-events.js';

/** A queue dies when nobody polled it for this long (specification, "Limits"); a client may ask for up to seven days. */
const QUEUE_IDLE_LIMIT_SECONDS = 600;
export const QUEUE_LIFESPAN_SECONDS_MAX = 604_800;
/** About; a fact's events are never torn apart. The client asks for the rest at once. */
export const EVENTS_PER_RESPONSE_MAX = 1000;

/** How many acknowledgements one sweep writes down. They only spare the feed after a restart; clients know their own. */
const SAVED_PER_SWEEP_MAX = 200;
const TAIL_RECORDS_AT_START = 5_000;
const SWEEP_EVERY_MS = 60_000;
/** Other processes are to know soon which queues live here. */
const SHARED_SWEEP_EVERY_MS = 15_000;

/** What a poll comes to. Events are the JSON text of a list. */
export type Polled =
  | { readonly kind: 'events'; readonly events: string }
  | { readonly kind: 'wait'; readonly held: HeldPoll }
  | { readonly kind: 'gone' };

interface Registered {
  readonly queueId: string;
  /** Everything up to the position at which the queue was registered, and no event after it. */
  readonly lastEventId: number;
  /** How long it lives unpolled. */
  readonly lifespanSeconds: number;
}

export interface EventQueuesParts {
  readonly directory: Directory;
  readonly tail: FeedTail;
  readonly history: FeedHistory;
  readonly retention: FeedRetention;
  readonly presenter: Presenter;
  readonly polls: HeldPolls;
  readonly table: QueueTable;
  readonly transient: TransientEvents;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** How long a queue lives unpolled unless it was registered for longer. */
  readonly idleLimitSeconds?: number;
}

const GONE: Polled = { kind: 'gone' };
const NOTHING: Polled = { kind: 'events', events: NO_EVENTS };

/** The event queues of all clients (specification, "Event queue"; supplement, rules.md §2). */
export class EventQueues {
  readonly #idleLimitMs: number;
  #sweeping: NodeJS.Timeout | undefined;
  #sweep: Promise<void> = Promise.resolve();
  #closing = false;

  constructor(private readonly parts: EventQueuesParts) {
    this.#idleLimitMs = (parts.idleLimitSeconds ?? QUEUE_IDLE_LIMIT_SECONDS) * 1000;
  }

  get size(): number {
    return this.parts.table.size;
  }

  /** Polls that are being held. */
  get heldCount(): number {
    return this.parts.polls.size;
  }

  /** Takes up the queues that are this process's, and begins to look after them. To be called when the feed has caught up. */
  async start(): Promise<void> {
    await this.parts.table.open(this.parts.tail.head);
    this.parts.transient.start();
    await this.#fillTail();
    await this.sweep();
    const mostMs = this.parts.table.isShared ? SHARED_SWEEP_EVERY_MS : SWEEP_EVERY_MS;
    const everyMs = Math.min(mostMs, Math.max(250, this.#idleLimitMs / 4));
    this.#sweeping = setInterval(() => {
      this.#sweep = this.#sweep.then(() => this.sweep()).catch(this.parts.onError);
    }, everyMs).unref();
  }

  /** Brings the newest records back to memory: after a restart all clients come back at once, and none is far behind. */
  async #fillTail(): Promise<void> {
    const { tail, history, retention } = this.parts;
    const until = tail.from;
    const records = await history.newest(until, TAIL_RECORDS_AT_START);
    if (tail.from !== until) return; // So much has happened meanwhile that these are not the newest any more.
    const oldest = records.length < TAIL_RECORDS_AT_START ? undefined : records[0];
    tail.prepend(records, oldest === undefined ? Math.min(retention.floor, until) : oldest.position - 1);
  }

  /**
   * A new queue that gets everything after the directory's present position; durable when the promise resolves. The
   * position is taken synchronously.
   * @param lifespanSeconds how long it lives unpolled; 0 for the default
   */
  async register(user: User, settings: QueueSettings, lifespanSeconds: number): Promise<Registered> {
    const startId = idAfter(this.parts.directory.position);
    const lifespanMs =
      lifespanSeconds > 0 ? Math.min(lifespanSeconds, QUEUE_LIFESPAN_SECONDS_MAX) * 1000 : this.#idleLimitMs;
    const queueId = newId();
    await this.parts.table.add(queueId, user.userId, settings, lifespanMs, startId);
    return { queueId, lastEventId: startId, lifespanSeconds: lifespanMs / 1000 };
  }

  /**
   * The events after `lastEventId`: at once when there are any, when the client does not want to wait, or when the server
   * is ending; otherwise a held poll.
   * @throws Refusal BAD_REQUEST for an ID that cannot be acknowledged
   */
  async poll(queueId: string, userId: number, lastEventId: number, dontBlock: boolean): Promise<Polled> {
    const queue = await this.parts.table.find(queueId, userId);
    if (queue === undefined) return GONE;
    const { tail, retention } = this.parts;
    const resumed = queue.acknowledge(lastEventId, { floor: retention.floor, head: this.#head });
    const turn = ++queue.turn;
    queue.held?.end(NO_EVENTS);
    if (resumed.kind === 'gone') return this.#lose(queue);
    queue.polls++;
    let isHeld = false;
    try {
      let { after } = resumed;
      for (;;) {
        const found = await this.#read(queue, after, resumed.afterId);
        if (found === 'gone' || queue.isGone) return this.#lose(queue);
        if (queue.turn !== turn) return NOTHING; // A newer poll of the same queue took over.
        if (found.kind === 'events') {
          queue.sent(found.lastId);
          return { kind: 'events', events: `[${found.texts.join(',')}]` };
        }
        after = found.upTo;
        queue.quietUntil(after);
        if (after < tail.head) continue;
        const passing = this.parts.transient.take(queue, after);
        if (passing !== undefined) return { kind: 'events', events: passing };
        if (dontBlock || this.#closing) return NOTHING;
        isHeld = true;
        return { kind: 'wait', held: this.parts.polls.hold(queue, after, listensToAll(queue)) };
      }
    } finally {
      if (!isHeld) {
        queue.polls--;
        queue.idleSinceMs = this.parts.clock.nowMs();
      }
    }
  }

  /** Ends a queue; a poll that waits on it is answered. @throws Refusal BAD_EVENT_QUEUE_ID */
  async remove(queueId: string, userId: number): Promise<void> {
    const queue = await this.parts.table.find(queueId, userId);
    if (queue === undefined) throw badEventQueueId(queueId);
    await this.parts.table.drop(queue);
  }

  /** Answers all held polls with no events; from now on none is held. */
  release(): void {
    this.#closing = true;
    this.parts.polls.releaseAll();
  }

  async close(): Promise<void> {
    this.release();
    clearInterval(this.#sweeping);
    this.parts.transient.close();
    await this.#sweep;
    await this.parts.table.save(SAVED_PER_SWEEP_MAX);
    this.parts.table.close();
  }

  /** Ends expired queues, writes down acknowledgements, and lets the feed go that nobody needs any more. */
  async sweep(): Promise<void> {
    const { table, tail, directory, retention, clock } = this.parts;
    const nowMs = clock.nowMs();
    let needed = Infinity;
    for (const queue of table.values()) {
      if (directory.user(queue.userId)?.isActive !== true) await table.drop(queue);
      else if (queue.hasExpired(nowMs)) await table.expire(queue);
      // A poll that waits may not have been told yet what was recorded since, and its answer may get lost.
      else needed = Math.min(needed, queue.needsFrom);
    }
    await table.save(SAVED_PER_SWEEP_MAX);
    // Only who serves all queues knows what none of them needs.
    if (table.isShared) await retention.refresh();
    else await retention.sweep(needed, tail.head, nowMs);
  }

  /** The newest event that any queue can have been told of. */
  get #head(): number {
    return Math.max(this.parts.tail.head, this.parts.directory.position);
  }

  /** The first events after a position, or how far there are none. */
  async #read(
    queue: EventQueue,
    after: number,
    afterId: number,
  ): Promise<({ readonly kind: 'events' } & Presented) | { readonly kind: 'quiet'; readonly upTo: number } | 'gone'> {
    const { tail, retention, presenter, directory } = this.parts;
    for (;;) {
      const page = tail.after(after) ?? (await this.#stored(after));
      if (after + 1 < retention.floor) return 'gone'; // It may have been cut away while it was being read.
      const recipient = this.#recipientOf(queue);
      if (recipient === undefined) return 'gone';
      const wanted: Presentable[] = [];
      let { upTo } = page;
      for (const { position, entries } of page.records) {
        if (wanted.length >= EVENTS_PER_RESPONSE_MAX) {
          upTo = position - 1;
          break;
        }
        for (const entry of entries) {
          const presentable = { position, entry };
          if (isAddressed(directory, presentable, recipient)) wanted.push(presentable);
        }
      }
      if (wanted.length > 0) {
        const prepared = await presenter.prepare(wanted, new Set([queue.userId]));
        const presented = this.#present(wanted, this.#recipientOf(queue) ?? recipient, prepared, afterId);
        if (presented === 'gone') return 'gone';
        if (presented.texts.length > 0) return { kind: 'events', ...presented };
      }
      if (after < tail.from) await nextTurn(); // A long way through the database must not keep others waiting.
      after = upTo;
      if (after >= tail.head) return { kind: 'quiet', upTo: after };
    }
  }

  /** What cannot be told would be missing from the client's state: then it has to fetch that afresh. */
  #present(
    wanted: readonly Presentable[],
    recipient: Recipient,
    prepared: Prepared,
    afterId: number,
  ): Presented | 'gone' {
    try {
      return this.parts.presenter.present(wanted, recipient, prepared, afterId);
    } catch (error) {
      this.parts.onError(error);
      return 'gone';
    }
  }

  /** What follows a position that memory does not reach back to. */
  async #stored(after: number): Promise<FeedPage> {
    const { tail, history, retention, table } = this.parts;
    const page = await history.page(after, tail.from);
    // Another process cuts the feed: what is gone by now may be missing from the page.
    if (table.isShared) await retention.refresh();
    return page;
  }

  #recipientOf(queue: EventQueue): Recipient | undefined {
    const user = this.parts.directory.user(queue.userId);
    return user === undefined ? undefined : { queueId: queue.queueId, user, settings: queue.settings };
  }

  /** The feed lacks what the queue would need: it is of no use any more. */
  #lose(queue: EventQueue): Polled {
    this.parts.table.drop(queue).catch(this.parts.onError);
    return GONE;
  }
}

const ECHOED_LENGTH_MAX = 100;

/** The queue is unknown, somebody else's or not there any more: the client has to register again (rules.md §2). */
export function badEventQueueId(queueId: string): Refusal {
  const echoed = queueId.slice(0, ECHOED_LENGTH_MAX);
  return new Refusal('BAD_EVENT_QUEUE_ID', `Bad event queue id: ${echoed}`, { queue_id: echoed });
}
