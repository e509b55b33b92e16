import type { EventQueue } from './event-queue.js';

/** Answers a poll with the JSON text of its events, a list. */
export type AnswerPoll = (events: string) => void;

/** Answer to a poll that does not wait. */
export const NO_EVENTS = '[]';

/**
 * Answer to a poll that ends without events: its time is up, or a newer poll of the queue replaces it. It is never an empty
 * list: some clients take the highest ID of each answer as their place, and would ask from 0 afterwards.
 * @param id see `EventQueue.passingId`
 */
export function heartbeat(id: number): string {
  return `[{"type":"heartbeat","id":${id}}]`;
}

/** A waiting poll. It ends once, with an answer. */
export class HeldPoll {
  #answer: AnswerPoll | undefined;
  /** Answer given before a listener was registered. */
  #early: string | undefined;
  #ended = false;

  constructor(
    readonly queue: EventQueue,
    /** Position up to which the queue had been searched when the wait began. */
    readonly from: number,
    readonly heartbeatAtMs: number,
    private readonly polls: HeldPolls,
  ) {}

  get ended(): boolean {
    return this.#ended;
  }

  /** Registers the listener of the answer; calls it at once if the answer exists already. */
  onAnswer(answer: AnswerPoll): void {
    if (this.#early === undefined) this.#answer = answer;
    else answer(this.#early);
  }

  /** Called when the client has disconnected. */
  abandon(): void {
    this.end(NO_EVENTS);
  }

  /** Answers with a heartbeat; the client polls again. */
  release(): void {
    if (!this.#ended) this.end(heartbeat(this.queue.passingId(Math.max(this.from, this.polls.deliveredUpTo))));
  }

  /** @param events the JSON text of the list */
  end(events: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.polls.remove(this);
    const answer = this.#answer;
    this.#answer = undefined;
    if (answer === undefined) this.#early = events;
    else answer(events);
  }
}

export interface HeldPollsOptions {
  /** Approximate time before a held poll gets a heartbeat; it varies by a tenth both ways, so that polls spread. */
  readonly heartbeatMs: number;
  readonly nowMs: () => number;
  /** Position up to which every waiting poll has received its events. */
  readonly deliveredUpTo: () => number;
}

/** Waiting polls by user; one timer serves the heartbeats of all. */
export class HeldPolls {
  readonly #byUser = new Map<number, Set<HeldPoll>>();
  /** Polls that also receive messages not addressed to their user. */
  readonly #listening = new Set<HeldPoll>();
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: HeldPollsOptions) {}

  get size(): number {
    return this.#size;
  }

  /** Position up to which every waiting poll has received its events. */
  get deliveredUpTo(): number {
    return this.options.deliveredUpTo();
  }

  get userIds(): IterableIterator<number> {
    return this.#byUser.keys();
  }

  get userCount(): number {
    return this.#byUser.size;
  }

  get listening(): ReadonlySet<HeldPoll> {
    return this.#listening;
  }

  ofUser(userId: number): Iterable<HeldPoll> {
    return this.#byUser.get(userId) ?? NOBODY;
  }

  /** @param listens whether the queue also receives messages that are not for its user */
  hold(queue: EventQueue, from: number, listens: boolean): HeldPoll {
    const { heartbeatMs, nowMs } = this.options;
    const poll = new HeldPoll(queue, from, nowMs() + heartbeatMs * (0.9 + 0.2 * Math.random()), this);
    const polls = this.#byUser.get(queue.userId);
    if (polls === undefined) this.#byUser.set(queue.userId, new Set([poll]));
    else polls.add(poll);
    if (listens) this.#listening.add(poll);
    this.#size++;
    queue.held = poll;
    this.#timer ??= setInterval(
      () => {
        this.#beat();
      },
      Math.min(1000, heartbeatMs / 10),
    ).unref();
    return poll;
  }

  /** Called by the poll when it ends. */
  remove(poll: HeldPoll): void {
    const { queue } = poll;
    const polls = this.#byUser.get(queue.userId);
    polls?.delete(poll);
    if (polls?.size === 0) this.#byUser.delete(queue.userId);
    this.#listening.delete(poll);
    this.#size--;
    if (queue.held === poll) queue.held = undefined;
    queue.emptyUpTo(Math.max(poll.from, this.options.deliveredUpTo()));
    queue.polls--;
    queue.idleSinceMs = this.options.nowMs();
    if (this.#size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Answers all polls with a heartbeat: their clients poll again. */
  releaseAll(): void {
    for (const polls of [...this.#byUser.values()]) for (const poll of [...polls]) poll.release();
  }

  #beat(): void {
    const nowMs = this.options.nowMs();
    for (const polls of this.#byUser.values()) {
      for (const poll of polls) if (nowMs >= poll.heartbeatAtMs) poll.release();
    }
  }
}

const NOBODY: readonly HeldPoll[] = [];
