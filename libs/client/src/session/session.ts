import type { Fields, Registered, ServerEvent } from '../wire/types.js';
import { Pauses, type Surroundings } from './pauses.js';
import type { FailedOutcome, Transport } from './transport.js';

/** A server answers a waiting poll with a heartbeat within a minute. */
const POLL_TIMEOUT_MS = 90_000;
/** Events that come together are told together; the server has a floor of its own. */
const BETWEEN_POLLS_MS = 150;
/** Texts that were reported and are remembered: a text may name what was new each time, for as long as a bot runs. */
const REPORTED_MAX = 100;

export type SessionStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Tries again at `untilMs`. The outcome of the last call says whether nobody answered, or what the server refuses. */
  | { readonly kind: 'offline'; readonly untilMs: number; readonly outcome: FailedOutcome }
  /** Nobody is signed in; `resume` after signing in. */
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'stopped' };

/** What a session tells. */
export interface SessionListener {
  /**
   * A state from which the events go on; events between the one before and this one are missing.
   * @throws when it does not fit: the session then registers anew
   */
  registered(state: Registered): void;
  /** @throws when the event does not fit the state: the session then registers anew */
  event(event: ServerEvent): void;
  status(status: SessionStatus): void;
  /** What a developer should know, once for each text until many others were told. */
  report(text: string): void;
}

export interface SessionOptions {
  /** Parameters of `POST /register`. */
  readonly register?: Fields;
  readonly betweenPollsMs?: number | undefined;
  readonly surroundings?: Surroundings | undefined;
}

interface Queue {
  readonly id: string;
  lastEventId: number;
}

/** Registers a queue, polls it, and recovers: whatever happens, what it tells is a state and then each event once, in order. */
export class Session {
  readonly #pauses: Pauses;
  readonly #reported = new Set<string>();
  #queue: Queue | undefined;
  #loop: Promise<void> | undefined;
  #resumed: (() => void) | undefined;
  /** Whether the last call was answered: else the next poll asks for an answer at once, which tells that all is well again. */
  #isReached = true;
  /** Whether the last queue has brought an answer: one that is gone before may be followed by others like it. */
  #isProven = true;

  constructor(
    private readonly transport: Transport,
    private readonly listener: SessionListener,
    private readonly options: SessionOptions = {},
  ) {
    this.#pauses = new Pauses(options.surroundings);
  }

  /** ID of the queue, for the `queue_id` of sends. */
  get queueId(): string | undefined {
    return this.#queue?.id;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Tries again at once: the machine is online again or no longer, or the page is visible. */
  wake(): void {
    this.#pauses.wake();
  }

  /** After signing in. */
  resume(): void {
    const resumed = this.#resumed;
    // From now on a registration is due.
    this.#resumed = undefined;
    resumed?.();
  }

  /** The state is to be had anew: what is here may be wrong. */
  registerAnew(): void {
    const queue = this.#queue;
    this.#queue = undefined;
    this.wake();
    if (queue !== undefined) void this.#end(queue);
  }

  /** Whether the state is that of a queue that is known to be there, or nobody is signed in; also before the start and after the end. */
  get isSettled(): boolean {
    if (this.#loop === undefined || this.#pauses.isEnded || this.#resumed !== undefined) return true;
    return this.#queue !== undefined && this.#isReached;
  }

  /** Ends the queue, as far as the server can be reached; that of a registration on its way once it is answered. */
  async stop(): Promise<void> {
    const queue = this.#queue;
    this.#pauses.end();
    this.resume();
    await this.#loop;
    if (queue !== undefined) await this.#end(queue);
    this.listener.status({ kind: 'stopped' });
  }

  async #run(): Promise<void> {
    this.listener.status({ kind: 'connecting' });
    while (!this.#pauses.isEnded) {
      const queue = this.#queue;
      const isDone = await (queue === undefined
        ? this.#register()
        : this.#pauses.cut((signal) => this.#poll(queue, signal)));
      if (isDone) await this.#pauses.sleep(this.options.betweenPollsMs ?? BETWEEN_POLLS_MS);
    }
  }

  async #register(): Promise<boolean> {
    const outcome = await this.transport.send({
      method: 'POST',
      path: '/register',
      params: this.options.register ?? {},
      // It is not cut off by a stop: its answer names the queue that is to be ended.
    });
    if (outcome.kind !== 'ok') return this.#failed(outcome);
    const { queue_id: id, last_event_id: lastEventId } = outcome.body;
    // Without a queue it is the answer for somebody who is not signed in.
    if (id === null) return this.#signedOut();
    if (typeof id !== 'string' || typeof lastEventId !== 'number') return this.#misfit('No queue.');
    const queue: Queue = { id, lastEventId };
    // Whoever asks for few fields is not told who they are.
    const isTold = outcome.body['user_id'] !== undefined || this.#pauses.isEnded;
    const me = isTold
      ? outcome
      : await this.#pauses.cut((signal) => this.transport.send({ method: 'GET', path: '/users/me', signal }), false);
    if (me.kind !== 'ok' || this.#pauses.isEnded) {
      // Nobody will poll it.
      const ended = this.#end(queue);
      if (this.#pauses.isEnded) await ended;
      return me.kind !== 'ok' && this.#failed(me);
    }
    this.#queue = queue;
    try {
      this.listener.registered({ ...outcome.body, user_id: me.body['user_id'] } as Registered);
    } catch (error) {
      return this.#misfit(error);
    }
    this.#live(false);
    return false;
  }

  async #poll(queue: Queue, signal: AbortSignal): Promise<boolean> {
    const outcome = await this.transport.send({
      method: 'GET',
      path: '/events',
      params: {
        queue_id: queue.id,
        last_event_id: queue.lastEventId,
        dont_block: this.#isReached ? undefined : true,
      },
      timeoutMs: POLL_TIMEOUT_MS,
      signal,
    });
    if (this.#pauses.isEnded || this.#queue !== queue) return false;
    if (outcome.kind === 'ok') {
      try {
        this.#take(queue, outcome.body['events']);
      } catch (error) {
        return this.#misfit(error);
      }
      this.#live(true);
      return true;
    }
    if (signal.aborted) return false;
    if (outcome.kind !== 'refused') return this.#failed(outcome);
    // A poll that is refused once is refused always.
    this.#queue = undefined;
    if (outcome.code !== 'BAD_EVENT_QUEUE_ID') return this.#failed(outcome);
    // The next queue may end in the same way.
    await this.#pauses.sleep(this.#pauses.backoff.next());
    return false;
  }

  /** @throws when the answer does not fit */
  #take(queue: Queue, events: unknown): void {
    let highest = -1;
    for (const event of events as Iterable<ServerEvent>) {
      if (!Number.isSafeInteger(event.id) || event.id <= highest || typeof event.type !== 'string')
        throw new TypeError('Events lack an ID, a type or an order.');
      highest = event.id;
      // An answer that was lost is given again.
      if (event.id <= queue.lastEventId) continue;
      this.listener.event(event);
      queue.lastEventId = event.id;
    }
  }

  /** What the server tells does not fit: it is to be had anew. */
  #misfit(error: unknown): Promise<boolean> {
    const reason = `An answer does not fit: ${String(error)}`;
    this.report(reason);
    this.registerAnew();
    return this.#failed({ kind: 'lost', reason });
  }

  /** Tells the developer, once, as far as it is remembered. */
  report(text: string): void {
    if (this.#reported.has(text)) return;
    if (this.#reported.size >= REPORTED_MAX) this.#reported.clear();
    this.#reported.add(text);
    this.listener.report(text);
  }

  async #failed(outcome: FailedOutcome): Promise<boolean> {
    if (this.#pauses.isEnded) return false;
    if (outcome.kind === 'refused' && outcome.status === 401) return this.#signedOut();
    this.#isReached = false;
    const ms = this.#pauses.backoff.next(outcome.afterMs);
    this.listener.status({ kind: 'offline', untilMs: this.#pauses.surroundings.now() + ms, outcome });
    await this.#pauses.sleep(ms);
    return false;
  }

  async #end({ id }: Queue): Promise<void> {
    await this.transport.send({ method: 'DELETE', path: '/events', params: { queue_id: id } });
  }

  async #signedOut(): Promise<boolean> {
    if (this.#pauses.isEnded) return false;
    this.#queue = undefined;
    this.listener.status({ kind: 'signed-out' });
    await new Promise<void>((resolve) => (this.#resumed = resolve));
    return false;
  }

  #live(isProven: boolean): void {
    if (isProven || this.#isProven) this.#pauses.backoff.reset();
    this.#isProven = isProven;
    this.#isReached = true;
    this.listener.status({ kind: 'live' });
  }
}
