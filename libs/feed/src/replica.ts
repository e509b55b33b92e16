import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type Checkpoint, type EventStore, type Recorded, streams, Visibility } from '#event-store';
import type { Directory } from '#organization';
import { notReady, PositionWaiters, type Progress, Turns } from '#read-store';
import type { DirectorySnapshots } from './directory-snapshots.js';
import type { FeedHistory } from './feed-history.js';
import type { FeedRetention } from './feed-retention.js';
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

export interface ReplicaParts {
  readonly store: EventStore;
  readonly progress: Progress;
  readonly directory: Directory;
  readonly snapshots: DirectorySnapshots;
  readonly history: FeedHistory;
  readonly retention: FeedRetention;
  readonly listener: FeedListener;
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
  /** Where the projector stood at the start: nothing before it is told to anybody. */
  #startsAt = 0;
  /** Since when the oldest of `#pending` waits; undefined when there is none. */
  #pendingSinceMs: number | undefined;
  #failingSinceMs: number | undefined;
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

  /** Resolves when this process has come as far as the projector had when it was called. */
  async start(): Promise<void> {
    const { snapshots, directory, retention, progress, listener } = this.parts;
    this.#startsAt = await progress.position();
    await retention.refresh();
    const restored = await snapshots.restore(directory, this.#startsAt);
    this.#position = restored?.at.position ?? 0;
    listener.startAt(this.#startsAt);
    this.#running = Promise.all([this.#follow(restored?.at.checkpoint), this.#run()]);
    this.#unwatch = progress.watch(() => {
      this.#wake();
    });
    // However long the log is: nobody is served before.
    while (this.#position < this.#startsAt && !this.#isEnding()) await pause(5);
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
    const position = await this.parts.progress.position();
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
        this.parts.onError(error);
        await this.#settled();
      }
    }
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
    const { progress, history } = this.parts;
    const before = this.#position;
    const passed = await progress.position();
    while (this.#position < passed && !this.#isEnding()) {
      const known = Math.min(passed, this.#pending.at(-1)?.position ?? 0);
      if (known <= this.#position) break;
      const isStarting = this.#position < this.#startsAt;
      const { records, upTo } = isStarting
        ? { records: [], upTo: Math.min(known, this.#startsAt) }
        : await history.page(this.#position, known);
      await this.#takeIn(upTo, isStarting);
      this.#position = upTo;
      if (isStarting) continue;
      this.parts.listener.publish(records, upTo);
      this.#waiters.advance(upTo);
    }
    return this.#position > before;
  }

  /** Unless it is starting, in one turn of the event loop: nobody may meet a directory that is ahead of its position. */
  async #takeIn(upTo: number, isStarting: boolean): Promise<void> {
    const { directory } = this.parts;
    let count = 0;
    for (const event of this.#pending) {
      if (event.position > upTo) break;
      directory.apply(event);
      if (++count % EVENTS_PER_TURN === 0 && isStarting) await nextTurn();
    }
    this.#pending.splice(0, count);
    this.#pendingSinceMs = this.#pending.length === 0 ? undefined : performance.now();
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
    if (this.#failingSinceMs !== undefined) return 'The read store is not available.';
    if (now - Math.min(this.#pendingSinceMs ?? now, this.#waiters.oldestMs()) > STALL_LIMIT_MS)
      return 'The read side is stuck.';
    return projectorComplaint();
  }
}
