import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, excerpt, newId, Refusal, Repetition } from '#kernel';
import { limitsGuests, type Directory } from '#people';
import { ROLE, type User, type UserChanged } from '#users/model';
import { isAddressed, listensToAll } from '../log/audience.js';
import type { EventQueue } from './event-queue.js';
import { idAfter, positionOf, QUEUE_START, type Resumed } from './event-queue.js';
import type { Presentable, QueueSettings, Recipient } from '../log/feed-entry.js';
import type { FeedHistory, FeedPage } from '../log/feed-history.js';
import type { FeedRetention } from '../log/feed-retention.js';
import { TAIL_WEIGHT_MAX, weightOfRecord, type FeedTail } from '../log/feed-tail.js';
import type { HeldPoll, HeldPolls } from './held-polls.js';
import { heartbeat, NO_EVENTS } from './held-polls.js';
import { EVENTS_BYTES_MAX, type Presented, type Presenter } from '../delivery/presenter.js';
import type { QueueRegistry } from './queue-registry.js';
import type { LiveDelivery } from '../delivery/live-delivery.js';
import type { EphemeralDelivery } from '../delivery/ephemeral-delivery.js';

/**
 * A queue expires when it was not polled for this long (register.md §4); a client may ask for up to seven
 * days.
 */
const QUEUE_IDLE_LIMIT_SECONDS = 600;
export const QUEUE_LIFESPAN_SECONDS_MAX = 604_800;
/** Approximate: an event's client events are never split. The client asks for the rest at once. */
const EVENTS_PER_RESPONSE_MAX = 1000;

/** Entries loaded together: some milliseconds of work even when each concerns a message of the largest size. */
const PRESENTED_AT_ONCE = 64;

/** Acknowledgements saved by one sweep. They only save feed reads after a restart; clients know their own. */
const SAVED_PER_SWEEP_MAX = 200;
const TAIL_RECORDS_AT_START = 5_000;
const SWEEP_EVERY_MS = 60_000;
/** Other processes must learn soon which queues this one serves. */
const SHARED_SWEEP_EVERY_MS = 15_000;

/** Outcome of a poll. Events are the JSON text of a list. */
export type Polled =
  | { readonly kind: 'events'; readonly events: string }
  | { readonly kind: 'wait'; readonly held: HeldPoll }
  | { readonly kind: 'gone' };

/** How an event queue fares, for the operator. */
export interface QueueState {
  readonly queueId: string;
  readonly userId: number;
  /** Whether a poll waits for events. */
  readonly isHeld: boolean;
  /** Time since the last poll. */
  readonly idleMs: number;
  readonly lifespanMs: number;
  /** Positions of the log between what the client has and the newest. */
  readonly behind: number;
}

interface Registered {
  readonly queueId: string;
  /** Stands for everything up to the position at which the queue was registered. */
  readonly lastEventId: number;
  /** Lifespan without a poll. */
  readonly lifespanSeconds: number;
}

export interface EventQueuesParts {
  readonly directory: Directory;
  readonly tail: FeedTail;
  readonly history: FeedHistory;
  readonly retention: FeedRetention;
  readonly presenter: Presenter;
  readonly polls: HeldPolls;
  readonly delivery: LiveDelivery;
  readonly table: QueueRegistry;
  readonly transient: EphemeralDelivery;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** Lifespan without a poll, unless registered with a longer one. */
  readonly idleLimitSeconds?: number;
}

const GONE: Polled = { kind: 'gone' };
const NOTHING: Polled = { kind: 'events', events: NO_EVENTS };

/** The event queues of all clients (rules.md §2). */
export class EventQueues {
  readonly #idleLimitMs: number;
  #sweeps: Repetition | undefined;
  #unsubscribe: (() => void)[] = [];
  #closing = false;

  constructor(private readonly parts: EventQueuesParts) {
    this.#idleLimitMs = (parts.idleLimitSeconds ?? QUEUE_IDLE_LIMIT_SECONDS) * 1000;
  }

  get size(): number {
    return this.parts.table.size;
  }

  /** State of each queue that this process serves. */
  *states(): Generator<QueueState> {
    const { table, tail, clock } = this.parts;
    const nowMs = clock.nowMs();
    for (const queue of table.values())
      yield {
        queueId: queue.queueId,
        userId: queue.userId,
        isHeld: queue.held !== undefined,
        idleMs: nowMs - queue.activeAtMs(nowMs),
        lifespanMs: queue.lifespanMs,
        behind: Math.max(tail.head - queue.needsFrom, 0),
      };
  }

  /** Number of held polls. */
  get heldCount(): number {
    return this.parts.polls.size;
  }

  /** Loads this process's queues and starts to maintain them. Must be called when the feed has caught up. */
  async start(): Promise<void> {
    const { directory, table } = this.parts;
    const dropAll = (userId: number): void => {
      this.#dropAll(userId);
    };
    this.#unsubscribe = [
      directory.listenForEnds(dropAll),
      directory.listen(({ type, data, position }) => {
        // The former owner of a bot, who knew its key, must not learn more.
        if (type === 'user.deactivated.v1' || type === 'bot.owner-changed.v1') dropAll(userOf(data as object));
        if (type === 'user.api-key-issued.v1') this.#release(userOf(data as object));
        for (const userId of viewersChanged(directory, type, data as object)) dropAll(userId);
        if (type === 'organization.deactivated.v1') this.parts.delivery.endAt(position);
      }),
    ];
    await table.open(this.parts.tail.head);
    this.parts.transient.start();
    await this.#fillTail();
    await this.sweep();
    const mostMs = this.parts.table.isShared ? SHARED_SWEEP_EVERY_MS : SWEEP_EVERY_MS;
    const everyMs = Math.min(mostMs, Math.max(250, this.#idleLimitMs / 4));
    this.#sweeps = new Repetition(() => this.sweep(), everyMs);
    this.#sweeps.start(this.parts.onError);
  }

  /** Loads the newest records into memory as far as queues need them: after a restart all clients poll at once. */
  async #fillTail(): Promise<void> {
    const { tail, history, retention } = this.parts;
    const until = tail.from;
    const needed = this.#oldestCursor();
    if (needed >= until) return;
    const state = { weightLeft: TAIL_WEIGHT_MAX, isEnough: false };
    const { records, isAll } = await history.newest(until, TAIL_RECORDS_AT_START, (record) => {
      state.isEnough = record.position <= needed;
      state.weightLeft -= weightOfRecord(record);
      return !state.isEnough && state.weightLeft >= 0;
    });
    if (tail.from !== until) return; // So much has happened meanwhile that these are not the newest any more.
    const [first] = records;
    if (isAll) tail.prepend(records, Math.min(retention.floor, until));
    else if (state.isEnough) tail.prepend(records, needed);
    // Else the newest alone is more than the tail holds.
    else if (first !== undefined) tail.prepend(records, first.position - 1);
  }

  /** Position from which some queue needs the feed; 0 when other processes may hand queues over. */
  #oldestCursor(): number {
    const { table } = this.parts;
    if (table.isShared) return 0;
    let oldest = Infinity;
    for (const { ackedId } of table.values()) oldest = Math.min(oldest, positionOf(ackedId));
    return oldest;
  }

  /**
   * Registers a queue that receives everything after the directory's current position. When the promise resolves it is
   * durable, or will be as soon as the disk has room. The position is taken synchronously.
   * @param lifespanSeconds lifespan without a poll; 0 for the default
   * @param session tells the browser's session that registers from the user's others; it has `QUEUES_PER_SESSION_MAX` queues
   */
  async register(user: User, settings: QueueSettings, lifespanSeconds: number, session?: string): Promise<Registered> {
    const startId = idAfter(this.parts.directory.position);
    const lifespanMs =
      lifespanSeconds > 0 ? Math.min(lifespanSeconds, QUEUE_LIFESPAN_SECONDS_MAX) * 1000 : this.#idleLimitMs;
    const queueId = newId();
    await this.parts.table.add(queueId, user.userId, { settings, lifespanMs, startId, session });
    return { queueId, lastEventId: QUEUE_START, lifespanSeconds: lifespanMs / 1000 };
  }

  /**
   * Returns the events after `lastEventId`: at once when there are any, when the client does not want to wait, or when
   * the server is shutting down; otherwise a held poll.
   * @throws Refusal BAD_REQUEST for an ID below one that was acknowledged, or beyond the newest event
   */
  poll(queueId: string, userId: number, lastEventId: number, dontBlock: boolean): Polled | Promise<Polled> {
    const here = this.parts.table.findHere(queueId, userId);
    if (here !== undefined) return this.#poll(here, lastEventId, dontBlock);
    return this.parts.table
      .find(queueId, userId)
      .then((queue) => (queue === undefined ? GONE : this.#poll(queue, lastEventId, dontBlock)));
  }

  #poll(queue: EventQueue, lastEventId: number, dontBlock: boolean): Polled | Promise<Polled> {
    if (this.#hasEnded(queue)) return this.#lose(queue);
    const { tail, retention } = this.parts;
    const resumed = queue.acknowledge(lastEventId, { floor: retention.floor, head: this.#head });
    queue.turn++;
    queue.held?.release();
    if (resumed.kind === 'gone') return this.#lose(queue);
    queue.polls++;
    const { after } = resumed;
    if (after < tail.head || queue.kept !== undefined || dontBlock || !this.#holdsPolls)
      return this.#search(queue, resumed, dontBlock);
    // Most polls come when there is nothing new.
    queue.emptyUpTo(after);
    return this.#hold(queue, after);
  }

  get #holdsPolls(): boolean {
    return !this.#closing && !this.parts.directory.isDeactivated;
  }

  #hold(queue: EventQueue, after: number): Polled {
    return { kind: 'wait', held: this.parts.polls.hold(queue, after, listensToAll(queue)) };
  }

  /** Looks for events that the queue has not been sent. */
  async #search(queue: EventQueue, resumed: Resumed, dontBlock: boolean): Promise<Polled> {
    const { tail, transient } = this.parts;
    const { turn } = queue;
    let isHeld = false;
    try {
      let { after, afterId } = resumed;
      let emptyUpTo = after;
      const texts: string[] = [];
      let bytes = 0;
      for (;;) {
        const place = transient.placeIn(queue);
        const found = await this.#read(queue, after, afterId, place);
        if (found === 'gone' || queue.isGone) return this.#lose(queue);
        // A newer poll of the same queue took over. What the client has may be a part of a position, above `passingId`.
        if (queue.turn !== turn)
          return { kind: 'events', events: heartbeat(Math.max(resumed.afterId, queue.passingId(emptyUpTo))) };
        if (found.kind === 'events') {
          texts.push(...found.texts);
          afterId = found.lastId;
          queue.sent(afterId);
          for (const text of found.texts) bytes += Buffer.byteLength(text);
          const isFull = found.isFull || texts.length >= EVENTS_PER_RESPONSE_MAX || bytes >= EVENTS_BYTES_MAX;
          // Ephemeral events that wait for their place behind these go with them.
          if (place === Infinity || isFull) return answer(texts);
          after = positionOf(afterId);
          continue;
        }
        after = found.upTo;
        if (texts.length === 0) {
          emptyUpTo = after;
          queue.emptyUpTo(after);
        }
        const isAtHead = after >= tail.head;
        // Ephemeral events of a process that is ahead of this one precede log events that have not arrived here.
        if (isAtHead || after >= place) {
          const announced = transient.take(queue, isAtHead ? Infinity : after, after, afterId);
          if (announced !== undefined) {
            texts.push(...announced.texts);
            afterId = announced.lastId;
          }
        }
        if (!isAtHead) continue;
        if (texts.length > 0) return answer(texts);
        if (dontBlock) return NOTHING;
        if (!this.#holdsPolls) return { kind: 'events', events: heartbeat(queue.passingId(after)) };
        isHeld = true;
        return this.#hold(queue, after);
      }
    } finally {
      if (!isHeld) {
        queue.polls--;
        queue.idleSinceMs = this.parts.clock.nowMs();
      }
    }
  }

  /**
   * Removes a queue; a poll that waits on it is answered.
   * @throws Refusal BAD_EVENT_QUEUE_ID
   */
  async remove(queueId: string, userId: number): Promise<void> {
    const queue = await this.parts.table.find(queueId, userId);
    if (queue === undefined) throw badEventQueueId(queueId);
    await this.parts.table.drop(queue);
  }

  /** Answers all held polls with a heartbeat; from now on none is held. */
  release(): void {
    this.#closing = true;
    this.parts.polls.releaseAll();
  }

  async close(): Promise<void> {
    this.release();
    const swept = this.#sweeps?.stop();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.parts.transient.close();
    await swept;
    await this.parts.table.save(SAVED_PER_SWEEP_MAX);
    this.parts.table.close();
  }

  /** Removes expired queues, saves acknowledgements, and prunes the feed that no queue needs. */
  async sweep(): Promise<void> {
    const { table, tail, directory, retention, clock } = this.parts;
    const nowMs = clock.nowMs();
    let needed = Infinity;
    for (const queue of table.values()) {
      if (this.#hasEnded(queue) || directory.user(queue.userId)?.isActive !== true) await table.drop(queue);
      else if (queue.hasExpired(nowMs)) await table.expire(queue);
      // A waiting poll may not have been sent the newest events yet, and its answer may be lost.
      else needed = Math.min(needed, queue.needsFrom);
    }
    await table.save(SAVED_PER_SWEEP_MAX);
    // Only the process that serves all queues knows what none of them needs.
    if (table.isShared) await retention.refresh();
    else await retention.sweep(needed, tail.head, nowMs);
  }

  /** Answers the held polls of a user, who has another key: whoever knows the former one alone cannot poll again. */
  #release(userId: number): void {
    for (const poll of [...this.parts.polls.ofUser(userId)]) poll.release();
  }

  /** Ends the queues of a user at once, in all processes; their held polls are answered. */
  #dropAll(userId: number): void {
    for (const queue of [...this.parts.table.ofUser(userId)]) this.parts.table.drop(queue).catch(this.parts.onError);
  }

  /**
   * Whether the organization or the account has been deactivated, or the bot been given to another owner, since the queue was
   * registered, even if it is active again: a queue that no process was polled for at that time has only its record.
   */
  #hasEnded({ startId, userId }: EventQueue): boolean {
    const { directory } = this.parts;
    const endedAt = Math.max(directory.queuesEndedAt, directory.user(userId)?.queuesEndedAt ?? 0);
    return positionOf(startId) < endedAt;
  }

  /** The newest event that any queue can have received. */
  get #head(): number {
    return Math.max(this.parts.tail.head, this.parts.directory.position);
  }

  /** Reads the first events for the queue after a position and up to another one, or how far there are none. */
  async #read(
    queue: EventQueue,
    after: number,
    afterId: number,
    until: number,
  ): Promise<({ readonly kind: 'events' } & Presented) | { readonly kind: 'quiet'; readonly upTo: number } | 'gone'> {
    const { tail, retention, directory } = this.parts;
    for (;;) {
      if (after >= until) return { kind: 'quiet', upTo: after };
      const page = tail.after(after) ?? (await this.#stored(after));
      if (after + 1 < retention.floor) return 'gone'; // The feed may have been pruned during the read.
      const recipient = this.#recipientOf(queue);
      if (recipient === undefined) return 'gone';
      const wanted: Presentable[] = [];
      let upTo = Math.min(page.upTo, until);
      for (const { position, entries } of page.records) {
        if (position > until) break;
        if (wanted.length >= EVENTS_PER_RESPONSE_MAX) {
          upTo = position - 1;
          break;
        }
        for (const entry of entries) {
          const presentable = { position, entry };
          if (isAddressed(directory, presentable, recipient)) wanted.push(presentable);
        }
      }
      const presented = await this.#present(wanted, queue, afterId);
      if (presented === 'gone') return 'gone';
      if (presented.texts.length > 0) return { kind: 'events', ...presented };
      if (after < tail.from) await nextTurn(); // A long read must not block other requests.
      after = upTo;
      if (after >= tail.head) return { kind: 'quiet', upTo: after };
    }
  }

  /**
   * Loads and presents as many entries as one answer holds, in parts. A client event that cannot be presented would be
   * missing from the client's state, so the client has to fetch its state again.
   */
  async #present(wanted: readonly Presentable[], queue: EventQueue, afterId: number): Promise<Presented | 'gone'> {
    const { presenter, onError } = this.parts;
    const texts: string[] = [];
    let lastId = afterId;
    let bytesLeft = EVENTS_BYTES_MAX;
    const repeated = presenter.repeated(wanted, afterId);
    for (const part of partsOf(wanted)) {
      const prepared = await presenter.prepare(part, new Set([queue.userId]));
      const recipient = this.#recipientOf(queue);
      if (recipient === undefined) return 'gone';
      let presented: Presented;
      try {
        presented = presenter.present(part, recipient, prepared, lastId, bytesLeft, repeated);
      } catch (error) {
        onError(error);
        return 'gone';
      }
      for (const text of presented.texts) {
        texts.push(text);
        bytesLeft -= Buffer.byteLength(text);
      }
      lastId = presented.lastId;
      if (presented.isFull || (bytesLeft <= 0 && texts.length > 0)) return { texts, lastId, isFull: true };
      if (texts.length > 0) await nextTurn();
    }
    return { texts, lastId, isFull: false };
  }

  /** Stored records after a position that is no longer in memory. */
  async #stored(after: number): Promise<FeedPage> {
    const { tail, history, retention, table } = this.parts;
    const page = await history.page(after, tail.from);
    // Another process prunes the feed: pruned records may be missing from the page.
    if (table.isShared) await retention.refresh();
    return page;
  }

  #recipientOf(queue: EventQueue): Recipient | undefined {
    const user = this.parts.directory.user(queue.userId);
    return user === undefined ? undefined : { queueId: queue.queueId, user, settings: queue.settings };
  }

  /** Removes the queue, because the feed lacks events that it needs. */
  #lose(queue: EventQueue): Polled {
    this.parts.table.drop(queue).catch(this.parts.onError);
    return GONE;
  }
}

function userOf(data: object): number {
  return (data as { readonly userId: number }).userId;
}

function answer(texts: readonly string[]): Polled {
  return { kind: 'events', events: `[${texts.join(',')}]` };
}

/** Splits entries into parts of about this size, keeping those of one position together. */
function* partsOf(entries: readonly Presentable[]): Generator<readonly Presentable[], void, void> {
  let part: Presentable[] = [];
  for (const entry of entries) {
    if (part.length >= PRESENTED_AT_ONCE && entry.position !== part.at(-1)?.position) {
      yield part;
      part = [];
    }
    part.push(entry);
  }
  if (part.length > 0) yield part;
}

const ECHOED_LENGTH_MAX = 100;

/** The queue is unknown, another user's, or gone: the client has to register again (rules.md §2). */
export function badEventQueueId(queueId: string): Refusal {
  const echoed = excerpt(queueId, ECHOED_LENGTH_MAX);
  return new Refusal('BAD_EVENT_QUEUE_ID', `Bad event queue id: ${echoed}`, { queue_id: echoed });
}

/**
 * Users who may know so many more or fewer others than before that their clients have to fetch the state again: a limit for guests
 * began or ended (`can_access_all_users_group`), or they became guests or are none any more.
 */
function viewersChanged(directory: Directory, type: string, data: object): readonly number[] {
  if (type === 'organization.settings-changed.v1') {
    const { permissions = {} } = data as { readonly permissions?: object };
    if (!('can_access_all_users_group' in permissions)) return [];
    return [...directory.users()].filter(({ role }) => role >= ROLE.guest).map(({ userId }) => userId);
  }
  if (type !== 'user.changed.v1' || !limitsGuests(directory)) return [];
  const { userId, role } = data as UserChanged['data'];
  return role !== undefined && (role.from >= ROLE.guest || role.to >= ROLE.guest) ? [userId] : [];
}
