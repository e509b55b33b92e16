import { randomUUID } from 'node:crypto';
import { ReadConcern } from 'mongodb';
import { SingleFlight, sleep } from '#kernel';
import { ReadStoreUnavailable } from '../../read-store.js';
import { Listeners, type Subscribing } from '../../sharing.js';
import type { BoundedCollection } from '../bounded-collection.js';
import type { MongoServer } from './mongo-server.js';

interface Signal {
  /** Name of the sender and a number. */
  readonly _id: string;
  readonly topic: string;
  readonly text?: string;
}

const SIGNALS = 'signals';
const SIZE_BYTES = 4 * 1024 * 1024;
/**
 * Signals that are kept for processes that are away for a moment. Without tailing, all of them are read to find the
 * newest.
 */
const SIGNALS_MAX = 1_000;
/** Returns everything at once, so a server that ends the cursor then is known not to support tailing. */
const TAIL_BATCH = SIGNALS_MAX + 1;
const TAIL_AWAIT_MS = 2_000;
const POLL_EVERY_MS = 25;
/** After this long without a sign that there is something to hear, the pause doubles with each poll. */
const POLL_OFTEN_MS = 1_000;
/** Also how late the first message after a rest may come to another api. */
const POLL_IDLE_MS = 400;
/** How long to sleep where nobody waits for a poll; a listener that does ends it. */
const POLL_SPARED_MS = 60_000;
/** A slow server is polled less often: the pause is this many times its answer time, within limits. */
const POLL_PAUSE_RATIO = 4;
const POLL_PAUSE_MAX_MS = 500;
/** Number of signals polled at first; more when the last one seen is not among them. */
const POLLED_MIN = 16;
const POLLED_IDLE_MIN = 2;
const PAUSE_AFTER_FAILURE_MS = 250;
/**
 * A process that fails to tail this often in a row polls from then on: a server that was only unavailable is tailed
 * again.
 */
const FAILED_TAILS_MAX = 480;
/** After this long without a listener, missed signals are not delivered later. */
const BACKLOG_MAX_MS = 5_000;
/** Signals, and characters of them, that wait to be stored. */
const WAITING_MAX = 10_000;
const WAITING_LENGTH_MAX = 4_000_000;

/**
 * Short messages between processes, through one capped collection. Each process tails it with one cursor while it has
 * listeners; on a server that ends the cursor instead of waiting, it polls for the newest signals.
 */
export class Signals {
  readonly #sender = randomUUID();
  readonly #listeners = new Listeners<string>();
  /** One for each listener that hears of nothing unless it is polled for. */
  readonly #waitingFor = new Set<object>();
  readonly #inserts: SingleFlight<void>;
  readonly #ending = new AbortController();
  #waiting: Signal[] = [];
  #waitingLength = 0;
  #sent = 0;
  /** The newest signal seen, and when. */
  #last = '';
  #lastAtMs = 0;
  #tails = true;
  /** Consecutive failed attempts to tail. */
  #failedTails = 0;
  #following: Promise<void> | undefined;
  /** When there was last a sign that there is something to hear. */
  #expectedMs = 0;
  #pollPauseMs = POLL_EVERY_MS;
  #wake: () => void = () => undefined;

  private constructor(private readonly server: MongoServer) {
    this.#inserts = new SingleFlight(() => this.#insert());
  }

  static async open(server: MongoServer): Promise<Signals> {
    return server.run(async () => {
      await server.create(SIGNALS, { capped: true, size: SIZE_BYTES, max: SIGNALS_MAX });
      const signals = new Signals(server);
      await signals.#mark();
      return signals;
    });
  }

  /**
   * Resolves when the server has stored the signal.
   * @throws ReadStoreUnavailable
   */
  send(topic: string, text?: string): Promise<void> {
    const length = this.#waitingLength + (text?.length ?? 0);
    if (this.#waiting.length >= WAITING_MAX || length > WAITING_LENGTH_MAX) {
      return Promise.reject(new ReadStoreUnavailable('Too many signals wait for the read store.'));
    }
    this.expect();
    this.#waitingLength = length;
    this.#waiting.push({ _id: this.#nextId(), topic, ...(text !== undefined && { text }) });
    return this.#inserts.run();
  }

  /**
   * Subscribes to a topic.
   * @returns a function that unsubscribes
   */
  listen(topic: string, heard: (text: string) => void, { isSpared = false }: Subscribing = {}): () => void {
    const remove = this.#listeners.add(topic, heard);
    const waiting = {};
    if (!isSpared) this.#waitingFor.add(waiting);
    this.#wake();
    this.#following ??= this.#follow().finally(() => (this.#following = undefined));
    return () => {
      remove();
      this.#waitingFor.delete(waiting);
      this.#wake();
    };
  }

  /** Tells that others are likely to send something now: where it is polled for, that begins at once. */
  expect(): void {
    this.#expectedMs = performance.now();
    if (this.#pollPauseMs > POLL_EVERY_MS) this.#wake();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#wake();
    this.#listeners.clear();
    await this.#following;
  }

  get #isListening(): boolean {
    return this.#listeners.size > 0 && !this.#ending.signal.aborted;
  }

  #collection(): BoundedCollection<Signal> {
    return this.server.quickCollection<Signal>(SIGNALS, {
      // A signal may be lost together with a primary that steps down.
      writeConcern: { w: 1 },
      readConcern: new ReadConcern('local'),
    });
  }

  #nextId(): string {
    return `${this.#sender}-${++this.#sent}`;
  }

  /** Inserts a signal without a topic: signals after it are new. */
  async #mark(): Promise<void> {
    const _id = this.#nextId();
    await this.#collection().insertOne({ _id, topic: '' });
    this.#saw(_id);
  }

  #saw(id: string): void {
    this.#last = id;
    this.#lastAtMs = performance.now();
  }

  async #insert(): Promise<void> {
    const signals = this.#waiting;
    this.#waiting = [];
    this.#waitingLength = 0;
    await this.server.run(() => this.#collection().insertMany(signals, true));
    // Listeners in the same process are called directly, not through the server.
    for (const { topic, text = '' } of signals) this.#listeners.tell(topic, text);
  }

  async #follow(): Promise<void> {
    while (this.#isListening) {
      try {
        if (!this.#tails) await this.#untilWaitedFor();
        if (performance.now() - this.#lastAtMs > BACKLOG_MAX_MS) await this.#mark();
        if (this.#tails) await this.#tail();
        else await this.#poll();
      } catch {
        // A collection that was dropped from outside is created again without bounds, and cannot be tailed.
        this.#failedTails = this.#tails ? this.#failedTails + 1 : 0;
        if (this.#failedTails > FAILED_TAILS_MAX) this.#tails = false;
        // After any error: signals may be missed during the pause, and listening resumes after it.
        await this.#pause(PAUSE_AFTER_FAILURE_MS);
      }
    }
  }

  /** Runs until there are no listeners, or the server ends the cursor because it does not support tailing. */
  async #tail(): Promise<void> {
    const tail = this.server.tail<Signal>(SIGNALS, TAIL_BATCH, TAIL_AWAIT_MS);
    const stop = (): void => void tail.close().catch(() => undefined);
    this.#ending.signal.addEventListener('abort', stop);
    try {
      const { deliver, caughtUp } = this.#newOnes();
      while (this.#isListening) {
        const signal = await tail.next();
        this.#failedTails = 0;
        if (signal !== null) {
          deliver(signal);
          continue;
        }
        caughtUp();
        if (tail.isOver) {
          this.#tails = false;
          return;
        }
      }
    } finally {
      this.#ending.signal.removeEventListener('abort', stop);
      await tail.close();
    }
  }

  /** Filters ordered signals to those after the last one seen; none from a page that does not contain it. */
  #newOnes(): { readonly deliver: (signal: Signal) => void; readonly caughtUp: () => void } {
    const known = this.#last;
    let isNew = false;
    let newest = known;
    return {
      deliver: (signal) => {
        newest = signal._id;
        if (isNew) this.#deliver(signal);
        else isNew = signal._id === known;
      },
      caughtUp: () => {
        isNew = true;
        this.#saw(newest);
      },
    };
  }

  /** A projector listens for an operator's orders alone, which it finds by itself: forty polls a second beside its work are spared. */
  async #untilWaitedFor(): Promise<void> {
    while (this.#isListening && this.#waitingFor.size === 0) await this.#sleep(POLL_SPARED_MS);
  }

  async #poll(): Promise<void> {
    const askedMs = performance.now();
    let newest: Signal[] = [];
    let known = -1;
    const isIdle = this.#pollPauseMs > POLL_EVERY_MS;
    for (let limit = isIdle ? POLLED_IDLE_MIN : POLLED_MIN; known === -1; limit *= 8) {
      newest = await this.#collection().findAll({}, { sort: { $natural: -1 }, limit });
      known = newest.findIndex(({ _id }) => _id === this.#last);
      // The last one seen is forgotten already: all stored signals are newer.
      if (newest.length < limit) break;
    }
    const signals = known === -1 ? newest : newest.slice(0, known);
    for (const signal of signals.reverse()) this.#deliver(signal);
    this.#lastAtMs = performance.now();
    if (signals.length > 0) this.#expectedMs = this.#lastAtMs;
    await this.#untilNextPoll(this.#lastAtMs - askedMs);
  }

  async #untilNextPoll(answeredMs: number): Promise<void> {
    const isIdle = performance.now() - this.#expectedMs > POLL_OFTEN_MS;
    this.#pollPauseMs = isIdle ? Math.min(2 * this.#pollPauseMs, POLL_IDLE_MS) : POLL_EVERY_MS;
    await this.#sleep(Math.max(this.#pollPauseMs, Math.min(answeredMs * POLL_PAUSE_RATIO, POLL_PAUSE_MAX_MS)));
  }

  /** Until the time is over, or `#wake` is called. */
  async #sleep(ms: number): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => {
      woken.abort();
    };
    if (!this.#ending.signal.aborted) await sleep(ms, woken.signal, { ref: false });
  }

  #deliver({ _id, topic, text = '' }: Signal): void {
    this.#saw(_id);
    if (!_id.startsWith(this.#sender)) this.#listeners.tell(topic, text);
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, this.#ending.signal, { ref: false });
  }
}
