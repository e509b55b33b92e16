import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import {
  type Checkpoint,
  type EventStore,
  EventStoreUnavailable,
  type Recorded,
  streams,
  Visibility,
} from '#event-store';
import type { Clock } from '#kernel';
import type { Directory } from '#organization';
import { notReady, PositionWaiters, type Progress, Turns } from '#read-store';
import type { DirectorySnapshots } from './directory-snapshots.js';
import type { FeedHistory } from './feed-history.js';
import { FEED_KEPT_AT_LEAST_MS, type FeedRetention } from './feed-retention.js';
import type { FeedListener } from './live-feed.js';

/** Events of the log that the projector has not passed yet; the subscription waits beyond this many. */
const PENDING_EVENTS_MAX = 20_000;
/** How many events are taken in between two turns of the event loop. */
const EVENTS_PER_TURN = 1_000;
const WATCH_EVERY_MS = 250;
const RETRY_AFTER_MS = 200;

/** How long a request waits to become visible, or to see what others were told. */
const REACHED_TIMEOUT_MS = 10_000;
/** Waiting longer than this, or facts that wait as long, mean that the projector is stuck or gone. */
const STALL_LIMIT_MS = 5_000;
/** The log counts as readable when it has not failed for this long: several tries. */
const READABLE_AFTER_MS = 1_000;

/** What the read store fails at for less than this may be a change of its primary. */
const PASSING_LIMIT_MS = 1_000;

const AWAY = 'The read store is not available.';
const SILENT = 'The read store does not answer.';
const WENT_BACK = 'The read models are being built again.';

export interface ReplicaParts {
  readonly store: EventStore;
  readonly progress: Progress;
  readonly directory: Directory;
  readonly snapshots: DirectorySnapshots;
  readonly history: FeedHistory;
  readonly retention: FeedRetention;
  readonly listener: FeedListener;
  readonly clock: Clock;
  /** Why the projector seems not to be at work, if so: then nothing should be appended that nobody would show. */
  readonly projectorComplaint: () => string | undefined;
  readonly onError: (error: unknown) => void;
}

/**
 * The read side of a process that only reads the read store: a copy of the directory and of the feed's end, kept at the
 * position up to which the projector has written. It takes the directory's facts from the log itself, and lets none of
 * them show before the read models show it too.
 */
export class Replica extends Visibility {
  readonly #waiters = new PositionWaiters();
  readonly #turns = new Turns();
  readonly #ending = new AbortController();
  /** Read from the log, and not passed by the projector. */
  #pending: Recorded[] = [];
  #position = 0;
  /** Where the projector stood when it was last asked in a turn. Behind `#position` when the read models were lost since. */
  #passed = 0;
  /** Since when its answer is awaited; undefined when it is not. */
  #askedSinceMs: number | undefined;
  /** Where the projector stood at the start: nothing before it is told to anybody. */
  #startsAt = 0;
  /** Since when the oldest of `#pending` waits; undefined when there is none. */
  #pendingSinceMs: number | undefined;
  #failingSinceMs: number | undefined;
  /** When the log, which is there, could last not be read, and why. */
  #unreadable: { readonly error: unknown; readonly atMs: number } | undefined;
  #complaint: string | undefined = 'The server is starting.';
  #wake: () => void = () => undefined;
  #unwatch: () => void = () => undefined;
  #running: Promise<unknown> = Promise.resolve();
  #monitor: NodeJS.Timeout | undefined;

  constructor(private readonly parts: ReplicaParts) {
    super();
  }

  /** Up to where everything shows here. */
  get position(): number {
    return this.#position;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  /** Why requests that change anything are refused for now, if they are. */
  get complaint(): string | undefined {
    return this.#complaint;
  }

  /**
   * Resolves when this process has come as far as the projector had when it was called.
   * @throws ReadStoreUnavailable; UnreadableEvent or DamagedRecord when the log cannot be taken in
   */
  async start(): Promise<void> {
    const { snapshots, directory, retention, progress, listener } = this.parts;
    this.#startsAt = this.#passed = await progress.position();
    await retention.refresh();
    const restored = await snapshots.restore(directory, this.#startsAt);
    this.#position = restored?.at.position ?? 0;
    listener.startAt(this.#startsAt);
    this.#running = Promise.all([this.#follow(restored?.at.checkpoint), this.#run()]);
    this.#unwatch = progress.watch(() => {
      this.#wake();
    });
    // However long the log is: nobody is served before.
    while (this.#position < this.#startsAt && !this.#isEnding()) {
      if (this.#unreadable !== undefined) throw this.#unreadable.error;
      await pause(5);
    }
    this.#look();
    this.#monitor = setInterval(this.#look, WATCH_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#unwatch();
    clearInterval(this.#monitor);
    this.#wake();
    await this.#running;
    this.#complaint = 'The server is shutting down.';
    this.#waiters.refuseAll(() => notReady('The server is shutting down.'));
  }

  override assertAccepting(): void {
    if (this.#complaint !== undefined) throw notReady(this.#complaint);
  }

  override reached(position: number): Promise<void> {
    if (position <= this.#position) return Promise.resolve();
    if (this.#isEnding()) return Promise.reject(notReady('The server is shutting down.'));
    return this.#waiters.wait(position, performance.now());
  }

  override async current(): Promise<void> {
    const complaint = this.#readComplaintAt(performance.now());
    if (complaint !== undefined) throw notReady(complaint);
    const shown = this.#position;
    const position = await inTime(this.parts.progress.position());
    // Half-built read models look like a history that has lost its end.
    if (position < shown) throw notReady(WENT_BACK);
    if (position <= this.#position) return;
    this.#wake();
    await this.reached(position);
  }

  /**
   * Runs reads that belong together: the directory and the queues stand still meanwhile, and the read models are not older
   * than they. They may be newer: what happened in between is told to the queue as well, and telling it again changes nothing.
   */
  still<Result>(read: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(async () => {
      await this.#advance();
      if (this.#passed < this.#position) throw notReady(WENT_BACK);
      return read();
    });
  }

  async #follow(after: Checkpoint | undefined): Promise<void> {
    const { signal } = this.#ending;
    let checkpoint = after;
    while (!this.#isEnding()) {
      try {
        const from = checkpoint === undefined ? {} : { after: checkpoint };
        for await (const batch of this.parts.store.subscribe({ streamPrefixes: [streams.prefix], signal, ...from })) {
          for (const event of batch) this.#pending.push(event);
          this.#pendingSinceMs ??= performance.now();
          const last = batch.at(-1);
          if (last !== undefined) checkpoint = this.parts.store.checkpointAfter(last);
          this.#wake();
          while (this.#pending.length > PENDING_EVENTS_MAX && !this.#isEnding()) await this.#settled();
        }
      } catch (error) {
        if (this.#isEnding()) return;
        this.#cannotRead(error);
        await this.#settled();
      }
    }
  }

  /** Nothing is skipped: it is tried again and again, and told once. */
  #cannotRead(error: unknown): void {
    if (messageOf(error) !== messageOf(this.#unreadable?.error)) this.parts.onError(error);
    if (!(error instanceof EventStoreUnavailable)) this.#unreadable = { error, atMs: performance.now() };
  }

  async #run(): Promise<void> {
    while (!this.#isEnding()) {
      const woken = new Promise<void>((wake) => (this.#wake = wake));
      try {
        const moved = await this.#turns.run(() => this.#advance());
        this.#failingSinceMs = undefined;
        if (moved) continue;
        await woken;
      } catch (error) {
        if (this.#failingSinceMs === undefined) this.parts.onError(error);
        this.#failingSinceMs ??= performance.now();
        await this.#settled();
      }
    }
  }

  /** Goes as far as the projector has come and the log has told. @returns whether that was any further */
  async #advance(): Promise<boolean> {
    const before = this.#position;
    const passed = await this.#ask();
    while (this.#position < passed && !this.#isEnding()) {
      const known = Math.min(passed, this.#pending.at(-1)?.position ?? 0);
      if (known <= this.#position) break;
      if (this.#position < this.#startsAt) await this.#catchUp(Math.min(known, this.#startsAt));
      else await this.#goOn(known);
    }
    return this.#position > before;
  }

  async #ask(): Promise<number> {
    this.#askedSinceMs = performance.now();
    try {
      this.#passed = await this.parts.progress.position();
      return this.#passed;
    } finally {
      this.#askedSinceMs = undefined;
    }
  }

  /** Nobody is served yet. */
  async #catchUp(upTo: number): Promise<void> {
    for (let next = this.#pending[0]; next !== undefined && next.position <= upTo; next = this.#pending[0]) {
      this.#takeIn(Math.min(upTo, this.#pending[EVENTS_PER_TURN - 1]?.position ?? upTo));
      await nextTurn();
    }
    this.#position = upTo;
  }

  /** A page further, in one turn of the event loop: nobody may meet a directory that is ahead of its position. */
  async #goOn(known: number): Promise<void> {
    const { history, listener } = this.parts;
    const { records, upTo } = await history.page(this.#position, known);
    const isWhole = await this.#isWhole();
    this.#takeIn(upTo);
    this.#position = upTo;
    if (isWhole) listener.publish(records, upTo);
    else listener.startAt(upTo);
    this.#waiters.advance(upTo);
  }

  /** Of what happened long ago, while this process was held up, the feed may have let go before it was read here. */
  async #isWhole(): Promise<boolean> {
    const { retention, clock } = this.parts;
    const oldestMs = this.#pending[0]?.recordedAtMs ?? Infinity;
    if (clock.nowMs() - oldestMs > FEED_KEPT_AT_LEAST_MS / 2) await retention.refresh();
    return this.#position + 1 >= retention.floor;
  }

  #takeIn(upTo: number): void {
    let count = 0;
    try {
      for (const event of this.#pending) {
        if (event.position > upTo) break;
        this.parts.directory.apply(event);
        count++;
      }
    } finally {
      // What was taken in before something failed is not taken in twice.
      this.#pending.splice(0, count);
      this.#pendingSinceMs = this.#pending.length === 0 ? undefined : performance.now();
    }
  }

  #settled(): Promise<void> {
    return pause(RETRY_AFTER_MS, undefined, { signal: this.#ending.signal }).catch(() => undefined);
  }

  #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  readonly #look = (): void => {
    const now = performance.now();
    this.#complaint = this.#complaintAt(now);
    this.#waiters.expire(now - REACHED_TIMEOUT_MS, () =>
      notReady('The server has recorded this, but cannot show it yet. Look again before you repeat it.'),
    );
    if (this.#waiters.size > 0) this.#wake();
  };

  #complaintAt(now: number): string | undefined {
    const { store, projectorComplaint } = this.parts;
    if (store.failure !== undefined) return 'The event store is not available.';
    if (now - (this.#unreadable?.atMs ?? -Infinity) < READABLE_AFTER_MS) return 'The event log cannot be read.';
    if (this.#failingSinceMs !== undefined) return AWAY;
    if (this.#isSilent(now)) return SILENT;
    if (this.#passed < this.#position) return WENT_BACK;
    if (now - Math.min(this.#pendingSinceMs ?? now, this.#waiters.oldestMs()) > STALL_LIMIT_MS)
      return 'The read side is stuck.';
    return projectorComplaint();
  }

  /** Why nobody need wait to be told what has been shown: this process has been waiting for that already. */
  #readComplaintAt(now: number): string | undefined {
    if (this.#isSilent(now)) return SILENT;
    return now - (this.#failingSinceMs ?? now) > PASSING_LIMIT_MS ? AWAY : undefined;
  }

  #isSilent(now: number): boolean {
    return now - (this.#askedSinceMs ?? now) > STALL_LIMIT_MS;
  }
}

/** A store that holds its answer back must not hold a request up for ever. */
function inTime<Value>(asked: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(notReady(SILENT));
    }, STALL_LIMIT_MS);
    const answered = asked.then(resolve, reject);
    void answered.finally(() => {
      clearTimeout(timer);
    });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
