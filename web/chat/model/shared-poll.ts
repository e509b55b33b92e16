/** Of the tabs of one account, one polls and tells the others: browsers have six connections to a server, and ten tabs. */
import type { Call, Fields, Outcome, Registered, ServerEvent, Transport } from '#client';

/** A tab that does not answer in this time is taken to be lost, and asked again. */
const ASK_TIMEOUT_MS = 10_000;
/** A tab that is behind by more registers anew. */
const BUFFERED_MAX = 5_000;
const SETTLING_MS = 50;
/** Between two polls of a tab that nobody sees, where tabs cannot choose one that polls. */
const HIDDEN_POLL_MS = 60_000;

interface Queue {
  readonly id: string;
  lastId: number;
}

/** What tabs tell each other. */
type Told =
  /** A tab wants the state of the one that polls. */
  | { readonly kind: 'ask'; readonly by: string }
  | { readonly kind: 'state'; readonly to: string; readonly queue: Queue; readonly state: Fields }
  | { readonly kind: 'registered'; readonly queue: Queue }
  /** Events of a poll that asked for those after an ID. */
  | {
      readonly kind: 'events';
      readonly queueId: string;
      readonly after: number;
      readonly events: readonly ServerEvent[];
    }
  | { readonly kind: 'failed'; readonly outcome: Outcome }
  /** Whoever waits should try again: a tab is visible, or somebody has signed in again. */
  | { readonly kind: 'wake' }
  | { readonly kind: 'resume' };

const isSeen = (): boolean => document.visibilityState === 'visible';

export interface SharedPollParts {
  readonly meId: number;
  readonly transport: Transport;
  /** What this tab knows, as an answer of `POST /register`. */
  readonly state: () => Registered | undefined;
  /** Whether the browser's session is still that of this tab's account. */
  readonly isOwnSession: () => Promise<boolean>;
  readonly wake: () => void;
  readonly resume: () => void;
}

const LOST: Outcome = { kind: 'lost', reason: 'The tab that polls does not answer.' };
const ANOTHER: Outcome = { kind: 'lost', reason: 'Another session has begun in this browser.' };
const GONE: Outcome = { kind: 'refused', status: 400, code: 'BAD_EVENT_QUEUE_ID', message: '', body: {} };
const ENDED: Outcome = { kind: 'refused', status: 401, code: 'UNAUTHORIZED', message: '', body: {} };

/**
 * A transport on which `POST /register` and `GET /events` are done by one tab, chosen by a lock that ends with it: the next one goes on
 * with the same queue. Where there are no locks, on plain http from another host, each tab does them itself; one that nobody sees holds
 * no connection, and asks every minute what is new.
 */
export class SharedPoll implements Transport {
  readonly #name: string;
  readonly #id = crypto.getRandomValues(new Uint32Array(2)).join('-');
  readonly #channel: BroadcastChannel | undefined;
  readonly #decided: Promise<void>;
  #leads = false;
  #queue: Queue | undefined;
  /** Of this tab, as a follower: events that it has not taken yet. */
  #buffer: ServerEvent[] = [];
  #failure: Outcome | undefined;
  /** Called with each change of the above. */
  readonly #waiting = new Set<() => void>();
  #answer: Extract<Told, { readonly kind: 'state' }> | undefined;

  constructor(private readonly parts: SharedPollParts) {
    this.#name = `scrollback-poll-${parts.meId}`;
    const canShare = 'locks' in navigator && 'BroadcastChannel' in globalThis;
    if (!canShare) {
      this.#leads = true;
      this.#decided = Promise.resolve();
      document.addEventListener('visibilitychange', () => {
        if (!isSeen()) parts.wake();
      });
      return;
    }
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }: MessageEvent<Told>) => this.#hear(data);
    this.#decided = this.#stand();
  }

  async send(call: Call): Promise<Outcome> {
    const { method, path } = call;
    const isShared = path === '/events' || (path === '/register' && method === 'POST');
    // What this tab still has to send is not sent by somebody else.
    if (!isShared) return (await this.parts.isOwnSession()) ? this.parts.transport.send(call) : ANOTHER;
    await this.#decided;
    if (!this.#leads) return this.#follow(call);
    return this.#lead(call);
  }

  /** Tells the other tabs that they should try again. */
  tell(kind: 'wake' | 'resume'): void {
    this.#post({ kind });
  }

  /** Resolves when it is known whether another tab polls. */
  async #stand(): Promise<void> {
    const isFirst = await new Promise<boolean>((resolve) => {
      const hold = (lock: Lock | null): Promise<void> => {
        resolve(lock !== null);
        return lock === null ? Promise.resolve() : new Promise(() => undefined);
      };
      navigator.locks.request(this.#name, { ifAvailable: true }, hold).catch(() => resolve(true));
    });
    this.#leads = isFirst;
    if (isFirst) return;
    void navigator.locks.request(this.#name, () => {
      this.#leads = true;
      this.#changed();
      return new Promise(() => undefined);
    });
  }

  async #lead(call: Call): Promise<Outcome> {
    const kept = this.#kept(call);
    if (kept !== undefined) return kept;
    const isPoll = call.path === '/events' && call.method === 'GET';
    const outcome =
      this.#channel === undefined && isPoll ? await this.#pollAlone(call) : await this.parts.transport.send(call);
    if (call.method === 'DELETE') return outcome;
    if (outcome.kind !== 'ok') {
      if (call.signal?.aborted !== true) this.#post({ kind: 'failed', outcome });
      return outcome;
    }
    if (call.path === '/register') return this.#registered(outcome);
    const { events } = outcome.body as { readonly events: readonly ServerEvent[] };
    const after = Number(call.params?.['last_event_id']);
    const queueId = String(call.params?.['queue_id']);
    this.#queue = { id: queueId, lastId: events.at(-1)?.id ?? after };
    this.#post({ kind: 'events', queueId, after, events });
    return outcome;
  }

  /** A tab that is hidden rests before it asks, without a connection of its own, until it is seen. */
  async #pollAlone(call: Call): Promise<Outcome> {
    if (isSeen()) return this.parts.transport.send(call);
    const rest = new Promise<void>((rested) => {
      setTimeout(rested, HIDDEN_POLL_MS);
      document.addEventListener('visibilitychange', () => rested(), { once: true });
      call.signal?.addEventListener('abort', () => rested(), { once: true });
    });
    if (call.signal?.aborted !== true) await rest;
    return this.parts.transport.send(isSeen() ? call : { ...call, params: { ...call.params, dont_block: true } });
  }

  /** What was heard before this tab polls itself: the one before has confirmed it, so the server does not have it any more. */
  #kept({ path, method, params = {} }: Call): Outcome | undefined {
    if (path !== '/events' || method !== 'GET') return undefined;
    const events = this.#buffer.filter(({ id }) => id > Number(params['last_event_id']));
    this.#buffer = [];
    return events.length === 0 ? undefined : { kind: 'ok', body: { events } };
  }

  #registered(outcome: Extract<Outcome, { readonly kind: 'ok' }>): Outcome {
    const { queue_id: id, last_event_id: lastId, user_id: userId } = outcome.body;
    if (typeof id !== 'string' || typeof lastId !== 'number') return outcome;
    // Somebody else has signed in with this browser: what is theirs is not shown here.
    if (userId !== undefined && userId !== this.parts.meId) return ENDED;
    this.#queue = { id, lastId };
    // What was heard of a former queue is in the state that comes with this one.
    this.#buffer = [];
    // The others ask once this tab has taken it.
    setTimeout(() => this.#post({ kind: 'registered', queue: { id, lastId } }));
    return outcome;
  }

  async #follow(call: Call): Promise<Outcome> {
    if (call.method === 'DELETE') return { kind: 'ok', body: {} };
    const outcome = call.path === '/register' ? await this.#ask(call) : await this.#await(call);
    return outcome ?? this.#lead(call);
  }

  /** The state of the tab that polls. Undefined when this one is it meanwhile. */
  async #ask(call: Call): Promise<Outcome | undefined> {
    this.#answer = undefined;
    this.#failure = undefined;
    this.#post({ kind: 'ask', by: this.#id });
    const isThere = await this.#until(
      () => this.#leads || this.#answer !== undefined || this.#failure !== undefined,
      call.signal,
      ASK_TIMEOUT_MS,
    );
    if (this.#leads) return undefined;
    const answer = this.#answer as Extract<Told, { readonly kind: 'state' }> | undefined;
    const failure = this.#failure as Outcome | undefined;
    if (!isThere || answer === undefined) return failure ?? LOST;
    const { queue, state } = answer;
    this.#queue = { ...queue };
    this.#buffer = this.#buffer.filter(({ id }) => id > queue.lastId);
    return { kind: 'ok', body: { ...state, queue_id: queue.id, last_event_id: queue.lastId } };
  }

  /** Events as soon as the tab that polls has some. Undefined when this one is it meanwhile. */
  async #await(call: Call): Promise<Outcome | undefined> {
    const queueId = call.params?.['queue_id'];
    const after = Number(call.params?.['last_event_id']);
    const isAtOnce = call.params?.['dont_block'] === true;
    const news = (): readonly ServerEvent[] => this.#buffer.filter(({ id }) => id > after);
    const isOver = (): boolean => this.#leads || this.#queue?.id !== queueId || news().length > 0;
    if (isAtOnce) {
      // Whether all is well again, the tab that polls knows.
      if (!isOver() && this.#failure !== undefined) this.#post({ kind: 'wake' });
      await this.#until(() => isOver() || this.#failure === undefined, call.signal, ASK_TIMEOUT_MS);
    } else await this.#until(() => isOver() || this.#failure !== undefined, call.signal, call.timeoutMs);
    if (this.#leads) return undefined;
    if (this.#queue?.id !== queueId) return GONE;
    const events = news();
    this.#buffer = [];
    if (events.length > 0 || (isAtOnce && this.#failure === undefined)) return { kind: 'ok', body: { events } };
    return this.#failure ?? LOST;
  }

  #hear(told: Told): void {
    if (told.kind === 'ask') this.#tellState(told.by);
    else if (told.kind === 'resume') this.parts.resume();
    else if (told.kind === 'wake') {
      if (this.#leads) this.parts.wake();
    } else if (!this.#leads) this.#hearLeader(told);
  }

  #hearLeader(told: Exclude<Told, { readonly kind: 'ask' | 'resume' | 'wake' }>): void {
    if (told.kind === 'state') {
      if (told.to === this.#id) this.#answer = told;
    } else if (told.kind === 'failed') this.#failure = told.outcome;
    else {
      this.#failure = undefined;
      if (told.kind === 'events') this.#take(told);
      else if (told.queue.id !== this.#queue?.id) {
        // Another queue is another state, which this tab then asks for.
        this.#queue = undefined;
        this.#buffer = [];
      }
    }
    this.#changed();
  }

  #take({ queueId, after, events }: Extract<Told, { readonly kind: 'events' }>): void {
    // The state that was asked for may be from before or after these.
    if (this.#queue === undefined || this.#queue.id !== queueId) {
      this.#buffer.push(...events);
      if (this.#buffer.length > BUFFERED_MAX) this.#buffer = [];
      return;
    }
    const isGap = after > this.#queue.lastId || this.#buffer.length + events.length > BUFFERED_MAX;
    if (isGap) {
      this.#queue = undefined;
      this.#buffer = [];
      return;
    }
    this.#buffer.push(...events.filter(({ id }) => id > (this.#queue?.lastId ?? after)));
    this.#queue.lastId = Math.max(this.#queue.lastId, events.at(-1)?.id ?? after);
  }

  #tellState(by: string): void {
    // What this tab has not taken yet is not in its state.
    if (this.#buffer.length > 0) {
      setTimeout(() => this.#tellState(by), SETTLING_MS);
      return;
    }
    const state = this.parts.state();
    if (!this.#leads || this.#queue === undefined || state === undefined) return;
    this.#post({ kind: 'state', to: by, queue: { ...this.#queue }, state });
  }

  /** @returns whether it came true, rather than an end of waiting */
  #until(isTrue: () => boolean, signal?: AbortSignal, timeoutMs?: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#waiting.delete(look);
        signal?.removeEventListener('abort', end);
        clearTimeout(timer);
        resolve(isTrue());
      };
      const look = (): void => {
        if (isTrue()) end();
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs);
      this.#waiting.add(look);
      signal?.addEventListener('abort', end);
      if (signal?.aborted === true) end();
      else look();
    });
  }

  #changed(): void {
    for (const look of [...this.#waiting]) look();
  }

  #post(told: Told): void {
    this.#channel?.postMessage(told);
  }
}
