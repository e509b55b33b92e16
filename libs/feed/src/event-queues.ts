import { setImmediate as nextTurn } from 'node:timers/promises';
import { newId, Refusal } from '#kernel';
import type { Clock } from '#kernel';
import type { Directory, User } from '#organization';
import type { SideStore } from '#read-store';
import { isAddressed, listensToAll } from './audience.js';
import { EventQueue, idAfter, positionOf } from './event-queue.js';
import type { Presentable, QueueSettings, Recipient } from './feed-entry.js';
import type { FeedHistory, FeedPage } from './feed-history.js';
import type { FeedRetention } from './feed-retention.js';
import type { FeedTail } from './feed-tail.js';
import type { HeldPoll, HeldPolls } from './held-polls.js';
import { NO_EVENTS } from './held-polls.js';
import type { Prepared, Presented, Presenter } from './presenter.js';
import { readSavedQueue, savedQueue, SharedSettings } from './queue-settings.js';

/** A queue dies when nobody polled it for this long (specification, "Limits"); a client may ask for up to seven days. */
export const QUEUE_IDLE_LIMIT_SECONDS = 600;
export const QUEUE_LIFESPAN_SECONDS_MAX = 604_800;
/** A client that registers over and over loses its oldest idle queues, not the server its memory. */
export const QUEUES_PER_USER_MAX = 1000;
/** About; a fact's events are never torn apart. The client asks for the rest at once. */
export const EVENTS_PER_RESPONSE_MAX = 1000;

/** How many acknowledgements one sweep writes down. They only spare the feed after a restart; clients know their own. */
const SAVED_PER_SWEEP_MAX = 200;
const TAIL_RECORDS_AT_START = 5_000;

const QUEUES = 'queues';

/** What a poll comes to. Events are the JSON text of a list. */
export type Polled =
  | { readonly kind: 'events'; readonly events: string }
  | { readonly kind: 'wait'; readonly held: HeldPoll }
  | { readonly kind: 'gone' };

export interface Registered {
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
  readonly side: SideStore;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** How long a queue lives unpolled unless it was registered for longer. */
  readonly idleLimitSeconds?: number;
}

const GONE: Polled = { kind: 'gone' };
const NOTHING: Polled = { kind: 'events', events: NO_EVENTS };

/** The event queues of all clients (specification, "Event queue"; supplement, rules.md §2). */
export class EventQueues {
  readonly #queues = new Map<string, EventQueue>();
  readonly #byUser = new Map<number, Set<EventQueue>>();
  readonly #shared = new SharedSettings();
  readonly #idleLimitMs: number;
  #sweeping: NodeJS.Timeout | undefined;
  #sweep: Promise<void> = Promise.resolve();
  #closing = false;

  constructor(private readonly parts: EventQueuesParts) {
    this.#idleLimitMs = (parts.idleLimitSeconds ?? QUEUE_IDLE_LIMIT_SECONDS) * 1000;
  }

  get size(): number {
    return this.#queues.size;
  }

  /** Polls that are being held. */
  get heldCount(): number {
    return this.parts.polls.size;
  }

  /**
   * Takes up the queues that outlived the last run, each with a fresh idle time, and begins to look after them. To be
   * called when the feed has caught up with the log.
   */
  async start(): Promise<void> {
    const { side, tail } = this.parts;
    const nowMs = this.parts.clock.nowMs();
    for (const { id, value } of await side.list(QUEUES)) {
      const saved = readSavedQueue(value);
      // A queue that is ahead of the log belongs to a log that is not there any more.
      if (saved === undefined || positionOf(saved.ackedId) > tail.head) {
        await side.remove(QUEUES, id);
        continue;
      }
      const { userId, settings, lifespanMs, startId, ackedId } = saved;
      this.#add(new EventQueue(id, userId, this.#shared.share(settings), lifespanMs, startId, ackedId, nowMs));
    }
    await this.#fillTail();
    await this.sweep();
    const everyMs = Math.min(60_000, Math.max(250, this.#idleLimitMs / 4));
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
    const shared = this.#shared.share(settings);
    const nowMs = this.parts.clock.nowMs();
    const queue = new EventQueue(queueId, user.userId, shared, lifespanMs, startId, startId, nowMs);
    this.#makeRoom(user.userId);
    this.#add(queue);
    await this.#save(queue);
    return { queueId, lastEventId: startId, lifespanSeconds: lifespanMs / 1000 };
  }

  /**
   * The events after `lastEventId`: at once when there are any, when the client does not want to wait, or when the server
   * is ending; otherwise a held poll.
   * @throws Refusal BAD_REQUEST for an ID that cannot be acknowledged
   */
  async poll(queueId: string, userId: number, lastEventId: number, dontBlock: boolean): Promise<Polled> {
    const queue = this.#queues.get(queueId);
    if (queue?.userId !== userId) return GONE;
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
    const queue = this.#queues.get(queueId);
    if (queue?.userId !== userId) throw badEventQueueId(queueId);
    await this.#drop(queue);
  }

  /** Answers all held polls with no events; from now on none is held. */
  release(): void {
    this.#closing = true;
    this.parts.polls.releaseAll();
  }

  async close(): Promise<void> {
    this.release();
    clearInterval(this.#sweeping);
    await this.#sweep;
  }

  /** Ends expired queues, writes down acknowledgements, and lets the feed go that nobody needs any more. */
  async sweep(): Promise<void> {
    const nowMs = this.parts.clock.nowMs();
    let needed = Infinity;
    let saves = 0;
    for (const queue of this.#queues.values()) {
      const user = this.parts.directory.user(queue.userId);
      if (user?.isActive !== true || queue.hasExpired(nowMs)) {
        await this.#drop(queue);
        continue;
      }
      needed = Math.min(needed, queue.held === undefined ? queue.needsFrom : this.parts.tail.head);
      if (queue.savedId === queue.ackedId || ++saves > SAVED_PER_SWEEP_MAX) continue;
      await this.#save(queue);
    }
    await this.parts.retention.sweep(needed, this.parts.tail.head, nowMs);
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
      const page = await this.#page(after);
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

  /** What follows a position, from memory where it is there. */
  #page(after: number): FeedPage | Promise<FeedPage> {
    const { tail, history } = this.parts;
    return tail.after(after) ?? history.page(after, tail.from);
  }

  #recipientOf(queue: EventQueue): Recipient | undefined {
    const user = this.parts.directory.user(queue.userId);
    return user === undefined ? undefined : { queueId: queue.queueId, user, settings: queue.settings };
  }

  #makeRoom(userId: number): void {
    const queues = this.#byUser.get(userId);
    if (queues === undefined || queues.size < QUEUES_PER_USER_MAX) return;
    let oldest: EventQueue | undefined;
    for (const queue of queues) {
      if (oldest === undefined || idleRank(queue) < idleRank(oldest)) oldest = queue;
    }
    if (oldest !== undefined) this.#drop(oldest).catch(this.parts.onError);
  }

  #add(queue: EventQueue): void {
    this.#queues.set(queue.queueId, queue);
    const queues = this.#byUser.get(queue.userId);
    if (queues === undefined) this.#byUser.set(queue.userId, new Set([queue]));
    else queues.add(queue);
  }

  /** The feed lacks what the queue would need: it is of no use any more. */
  #lose(queue: EventQueue): Polled {
    this.#drop(queue).catch(this.parts.onError);
    return GONE;
  }

  async #drop(queue: EventQueue): Promise<void> {
    queue.isGone = true;
    queue.held?.end(NO_EVENTS);
    if (!this.#queues.delete(queue.queueId)) return;
    this.#shared.release(queue.settings);
    const queues = this.#byUser.get(queue.userId);
    queues?.delete(queue);
    if (queues?.size === 0) this.#byUser.delete(queue.userId);
    await this.parts.side.remove(QUEUES, queue.queueId);
  }

  async #save(queue: EventQueue): Promise<void> {
    const { queueId, userId, settings, lifespanMs, startId, ackedId } = queue;
    queue.savedId = ackedId;
    await this.parts.side.put(QUEUES, queueId, savedQueue({ userId, settings, lifespanMs, startId, ackedId }));
  }
}

/** A queue that is polled right now goes last. */
function idleRank(queue: EventQueue): number {
  return queue.polls > 0 ? Infinity : queue.idleSinceMs;
}

const ECHOED_LENGTH_MAX = 100;

/** The queue is unknown, somebody else's or not there any more: the client has to register again (rules.md §2). */
export function badEventQueueId(queueId: string): Refusal {
  const echoed = queueId.slice(0, ECHOED_LENGTH_MAX);
  return new Refusal('BAD_EVENT_QUEUE_ID', `Bad event queue id: ${echoed}`, { queue_id: echoed });
}
