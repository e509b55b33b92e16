import type { EventQueue } from './event-queue.js';

/** Answers a poll with the JSON text of its events, a list. */
export type AnswerPoll = (events: string) => void;

export const NO_EVENTS = '[]';

/** A poll that waits for something to happen. It ends once, with an answer. */
export class HeldPoll {
  #answer: AnswerPoll | undefined;
  /** What it ended with before anybody listened. */
  #early: string | undefined;
  #ended = false;

  constructor(
    readonly queue: EventQueue,
    /** Position up to which the queue had been looked through when the wait began. */
    readonly from: number,
    readonly heartbeatAtMs: number,
    private readonly polls: HeldPolls,
  ) {}

  get ended(): boolean {
    return this.#ended;
  }

  /** Who to tell the answer, at once if it is there already. */
  onAnswer(answer: AnswerPoll): void {
    if (this.#early === undefined) this.#answer = answer;
    else answer(this.#early);
  }

  /** The client is not there any more. */
  abandon(): void {
    this.end(NO_EVENTS);
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
  /** About how long a poll is held before it gets a heartbeat; it varies by a tenth both ways, so that polls spread. */
  readonly heartbeatMs: number;
  readonly nowMs: () => number;
  /** Position up to which every waiting poll has been told what is for it. */
  readonly toldUpTo: () => number;
}

/** Polls that wait, by user; one timer looks after the heartbeats of all. */
export class HeldPolls {
  readonly #byUser = new Map<number, Set<HeldPoll>>();
  /** Those that also hear what was not addressed to their user. */
  readonly #listening = new Set<HeldPoll>();
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: HeldPollsOptions) {}

  get size(): number {
    return this.#size;
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

  /** @param listens whether the queue hears messages that are not for its user */
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
    queue.quietUntil(Math.max(poll.from, this.options.toldUpTo()));
    queue.polls--;
    queue.idleSinceMs = this.options.nowMs();
    if (this.#size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Answers all of them with no events: their clients poll again. */
  releaseAll(): void {
    for (const polls of [...this.#byUser.values()]) for (const poll of [...polls]) poll.end(NO_EVENTS);
  }

  #beat(): void {
    const nowMs = this.options.nowMs();
    const toldUpTo = this.options.toldUpTo();
    for (const polls of this.#byUser.values()) {
      for (const poll of polls) {
        if (nowMs < poll.heartbeatAtMs) continue;
        poll.end(`[{"type":"heartbeat","id":${poll.queue.passingId(Math.max(poll.from, toldUpTo))}}]`);
      }
    }
  }
}

const NOBODY: readonly HeldPoll[] = [];
