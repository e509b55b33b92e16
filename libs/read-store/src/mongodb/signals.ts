import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ReadConcern } from 'mongodb';
import type { Collection } from 'mongodb';
import { Coalesced } from '#kernel';
import { ReadStoreUnavailable } from '../read-store.js';
import { Listeners } from '../sharing.js';
import { OPERATION_MS } from './mongo-server.js';
import type { MongoServer } from './mongo-server.js';

interface Signal {
  /** The sender's name and a number. */
  readonly _id: string;
  readonly topic: string;
  readonly text?: string;
}

const SIGNALS = 'signals';
const SIZE_BYTES = 4 * 1024 * 1024;
/** Signals that are kept, for those who are away for a moment. Where there is no tailing, all of them are read to find the newest. */
const SIGNALS_MAX = 1_000;
/** So all that there is comes at once, and a server that ends the cursor then is known not to tail. */
const TAIL_BATCH = SIGNALS_MAX + 1;
const TAIL_AWAIT_MS = 1_000;
const POLL_EVERY_MS = 25;
/** A server that takes its time to answer is asked less often: so many times as long as it took, within limits. */
const POLL_PAUSE_RATIO = 4;
const POLL_PAUSE_MAX_MS = 500;
/** Asked for at first; more when the last one seen is not among them. */
const POLLED_MIN = 16;
const PAUSE_AFTER_FAILURE_MS = 250;
/** Whoever cannot tail for this many tries in a row polls from then on: a server that is away for a while is tailed again. */
const FAILED_TAILS_MAX = 480;
/** Who hears nothing for this long, since nobody listens, does not catch up on it. */
const BACKLOG_MAX_MS = 5_000;
const WAITING_MAX = 10_000;

/**
 * Short messages between processes, by way of one capped collection. Each process tails it with one cursor while anybody
 * listens; where a server ends that cursor instead of waiting, the collection's newest are asked for every now and then.
 */
export class Signals {
  readonly #sender = randomUUID();
  readonly #listeners = new Listeners<string>();
  readonly #inserts: Coalesced<void>;
  readonly #ending = new AbortController();
  #waiting: Signal[] = [];
  #sent = 0;
  /** The newest signal that was seen, and when. */
  #last = '';
  #lastAtMs = 0;
  #tails = true;
  /** In a row. */
  #failedTails = 0;
  #following: Promise<void> | undefined;

  private constructor(private readonly server: MongoServer) {
    this.#inserts = new Coalesced(() => this.#insert());
  }

  static async open(server: MongoServer): Promise<Signals> {
    return server.run(async () => {
      await server.create(SIGNALS, { capped: true, size: SIZE_BYTES, max: SIGNALS_MAX });
      const signals = new Signals(server);
      await signals.#mark();
      return signals;
    });
  }

  /** Resolves when the server has it. @throws ReadStoreUnavailable */
  send(topic: string, text?: string): Promise<void> {
    if (this.#waiting.length >= WAITING_MAX) {
      return Promise.reject(new ReadStoreUnavailable('Too many signals wait for the read store.'));
    }
    this.#waiting.push({ _id: this.#nextId(), topic, ...(text !== undefined && { text }) });
    return this.#inserts.run();
  }

  /** Says only that there is something to look for, once for all who have not been told yet. */
  hint(topic: string): void {
    if (this.#waiting.some((signal) => signal.topic === topic)) return;
    // Hints may get lost: who waits for one looks from time to time without it.
    this.send(topic).catch(() => undefined);
  }

  /** Hears a topic. Gives what ends it. */
  listen(topic: string, heard: (text: string) => void): () => void {
    const end = this.#listeners.add(topic, heard);
    this.#following ??= this.#follow().finally(() => (this.#following = undefined));
    return end;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#listeners.clear();
    await this.#following;
  }

  get #isListening(): boolean {
    return this.#listeners.size > 0 && !this.#ending.signal.aborted;
  }

  #collection(): Collection<Signal> {
    return this.server.database.collection<Signal>(SIGNALS, {
      // What gets lost with a primary that steps down may get lost.
      writeConcern: { w: 1 },
      readConcern: new ReadConcern('local'),
    });
  }

  #nextId(): string {
    return `${this.#sender}-${++this.#sent}`;
  }

  /** Puts a signal of no topic: what comes after it is new. */
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
    await this.server.run(() => this.#collection().insertMany(signals, { ordered: true }));
    // Whoever is in the same process hears it now, and not by way of the server.
    for (const { topic, text = '' } of signals) this.#listeners.tell(topic, text);
  }

  async #follow(): Promise<void> {
    while (this.#isListening) {
      try {
        if (performance.now() - this.#lastAtMs > BACKLOG_MAX_MS) await this.#mark();
        if (this.#tails) await this.#tail();
        else await this.#poll();
      } catch {
        // A collection that somebody dropped comes back without its bounds, and cannot be tailed.
        this.#failedTails = this.#tails ? this.#failedTails + 1 : 0;
        if (this.#failedTails > FAILED_TAILS_MAX) this.#tails = false;
        // Whatever it was: whoever is away for a moment misses something, and comes back.
        await this.#pause(PAUSE_AFTER_FAILURE_MS);
      }
    }
  }

  /** Until nobody listens, or the server ends the cursor: it does not tail then. */
  async #tail(): Promise<void> {
    const cursor = this.#collection().find(
      {},
      { tailable: true, awaitData: true, batchSize: TAIL_BATCH, maxAwaitTimeMS: TAIL_AWAIT_MS },
    );
    const stop = (): void => void cursor.close().catch(() => undefined);
    this.#ending.signal.addEventListener('abort', stop);
    try {
      const { deliver, caughtUp } = this.#newOnes();
      while (this.#isListening) {
        const signal = await cursor.tryNext();
        this.#failedTails = 0;
        if (signal !== null) {
          deliver(signal);
          continue;
        }
        caughtUp();
        if (cursor.closed) {
          this.#tails = false;
          return;
        }
      }
    } finally {
      this.#ending.signal.removeEventListener('abort', stop);
      await cursor.close();
    }
  }

  /** Of signals in their order, those after the last that was seen; of a stretch that does not hold it, none. */
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

  async #poll(): Promise<void> {
    const askedMs = performance.now();
    let newest: Signal[] = [];
    let known = -1;
    for (let limit = POLLED_MIN; known === -1; limit *= 8) {
      newest = await this.#collection()
        .find({}, { maxTimeMS: OPERATION_MS })
        .sort({ $natural: -1 })
        .limit(limit)
        .toArray();
      known = newest.findIndex(({ _id }) => _id === this.#last);
      // It is forgotten already: all that there is came later.
      if (newest.length < limit) break;
    }
    const signals = known === -1 ? newest : newest.slice(0, known);
    for (const signal of signals.reverse()) this.#deliver(signal);
    this.#lastAtMs = performance.now();
    const pauseMs = Math.max(POLL_EVERY_MS, (this.#lastAtMs - askedMs) * POLL_PAUSE_RATIO);
    await this.#pause(Math.min(pauseMs, POLL_PAUSE_MAX_MS));
  }

  #deliver({ _id, topic, text = '' }: Signal): void {
    this.#saw(_id);
    if (!_id.startsWith(this.#sender)) this.#listeners.tell(topic, text);
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#ending.signal, ref: false }).catch(() => undefined);
  }
}
