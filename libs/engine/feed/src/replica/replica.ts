import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import {
  type Checkpoint,
  type EventStore,
  EventStoreUnavailable,
  type RecordedEvent,
  streams,
  ReadBarrier,
} from '#event-store';
import { type Clock, Mutex, sleep, Watch } from '#kernel';
import type { Directory } from '#people';
import { type Advance, atEvent, notReady, PositionWaiters, type Progress, type Stored } from '#read-store';
import type { DirectorySnapshots } from '../directory/directory-snapshots.js';
import type { FeedDocument, FeedHistory, FeedPage } from '../log/feed-history.js';
import { FEED_KEPT_AT_LEAST_MS, type FeedRetention } from '../log/feed-retention.js';
import type { FeedListener } from '../delivery/live-feed.js';

/** Maximum events of the log that the projector has not passed yet; the subscription pauses beyond it. */
const PENDING_EVENTS_MAX = 20_000;
/** Maximum events applied between two turns of the event loop. */
const EVENTS_PER_TURN = 1_000;
const LOOK_EVERY_MS = 250;
/** While nothing is pending. */
const LOOK_IDLE_EVERY_MS = 1_000;
const RETRY_AFTER_MS = 200;
/** Steps of the projector that wait for the log's subscription. */
const ADVANCES_MAX = 256;
/** Events that the projector has not told for this long after they were read from the log are asked for. */
const ASK_AFTER_MS = 15;
/** Where it has told the last ones, a busy projector is waited for. */
const ASK_TELLING_AFTER_MS = 200;
/** The pause grows up to this while nothing moves. */
const ASK_EVERY_MAX_MS = 250;

/** Timeout of a request that waits to become visible, or to see what others were told. */
const REACHED_TIMEOUT_MS = 10_000;
/** When nothing moves for longer while a request or events wait, the projector is stuck or gone. */
const STALL_LIMIT_MS = 5_000;
/** A longer wait of a request is late, although the projector moves, and commands are refused after this has lasted. */
const LATE_MS = 5_000;
const LATE_GRACE_MS = 5_000;
/** The log counts as readable when it has not failed for this long: several attempts. */
const READABLE_AFTER_MS = 1_000;

/** A shorter failure of the read store may be a change of its primary. */
const PASSING_LIMIT_MS = 1_000;

const AWAY = 'The read store is not available.';
const SILENT = 'The read store does not answer.';
const WENT_BACK = 'The read models are being built again.';

export interface ReplicaParts {
  readonly store: EventStore;
  readonly progress: Progress;
  readonly directory: Directory;
  /** Takes in each event of the log, in order, before it becomes visible. */
  readonly recorded: (event: RecordedEvent) => void;
  /** Takes in each event of the log, in order, when it becomes visible. */
  readonly shown: (event: RecordedEvent) => void;
  readonly snapshots: DirectorySnapshots;
  readonly history: FeedHistory;
  readonly retention: FeedRetention;
  readonly listener: FeedListener;
  readonly clock: Clock;
  /** Why the projector seems not to be running, if so: commands are refused then, since their events would not become visible. */
  readonly projectorComplaint: () => string | undefined;
  readonly onError: (error: unknown) => void;
}

/**
 * Read side of a process that only reads the read store: a copy of the directory and of the feed's end, kept at the
 * position up to which the projector has written. It applies the directory's events from the log itself, and makes none
 * of them visible before the read models have them.
 */
export class Replica extends ReadBarrier {
  readonly #waiters = new PositionWaiters();
  readonly #mutex = new Mutex();
  readonly #ending = new AbortController();
  /** Events read from the log that the projector has not passed. */
  #pending: RecordedEvent[] = [];
  #position = 0;
  /** Last known position of the projector. Less than `#position` when the read models were lost since. */
  #passed = 0;
  /** Steps of the projector that were told and not taken yet, in order. */
  #advances: Advance[] = [];
  /** Set while a page is read that the projector may tell as well. */
  #whenTold: (() => void) | undefined;
  /** Whether the projector was heard to tell the last steps that are known here. */
  #isTelling = false;
  /** The projector's position has to be asked for: nothing was told for a while. */
  #mustAsk = true;
  /** Start of the pending question for it; undefined without one. */
  #askedSinceMs: number | undefined;
  /** Position of the projector at the start: earlier client events are not delivered. */
  #startsAt = 0;
  /** Since when the oldest of `#pending` waits; undefined when there is none. */
  #pendingSinceMs: number | undefined;
  /** When the last events became visible here. */
  #movedMs = -Infinity;
  /** Since when requests are late. */
  #lateSinceMs: number | undefined;
  #failingSinceMs: number | undefined;
  /** Last failure to read the log, and its time. */
  #unreadable: { readonly error: unknown; readonly atMs: number } | undefined;
  #complaint: string | undefined = 'The server is starting.';
  #trouble: { readonly complaint: string | undefined; readonly sinceMs: number } = { complaint: undefined, sinceMs: 0 };
  #wake: () => void = () => undefined;
  #unwatch: () => void = () => undefined;
  #running: Promise<unknown> = Promise.resolve();
  #asking: NodeJS.Timeout | undefined;
  readonly #watch = new Watch(() => this.#look(), LOOK_EVERY_MS, LOOK_IDLE_EVERY_MS);

  constructor(private readonly parts: ReplicaParts) {
    super();
  }

  /** Position up to which everything is visible here. */
  get position(): number {
    return this.#position;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  /** Why commands are refused at the moment, if they are. */
  get complaint(): string | undefined {
    // Between two looks, something may have failed.
    return this.#complaint ?? this.#brokenAt(performance.now()) ?? this.parts.projectorComplaint();
  }

  /**
   * Resolves when this process has reached the projector's position at the call.
   * @throws ReadStoreUnavailable; UnreadableEvent or DamagedRecord when the log cannot be applied
   */
  async start(): Promise<void> {
    const { snapshots, retention, progress, listener } = this.parts;
    this.#startsAt = this.#passed = await progress.position();
    await retention.refresh();
    const restored = await snapshots.restore(this.#startsAt);
    this.#position = restored?.at.position ?? 0;
    listener.startAt(this.#startsAt);
    this.#running = Promise.all([this.#follow(restored?.at.checkpoint), this.#run()]);
    this.#unwatch = progress.watch((advance) => {
      if (advance === undefined) this.#mustAsk = true;
      else this.#told(advance);
      this.#wake();
    });
    // Requests are served only after the catch-up, however long the log is.
    while (this.#position < this.#startsAt && !this.#isEnding()) {
      if (this.#unreadable !== undefined) throw this.#unreadable.error;
      await pause(5);
    }
    this.#look();
    this.#watch.start();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#unwatch();
    this.#watch.stop();
    clearTimeout(this.#asking);
    this.#wake();
    await this.#running;
    this.#complaint = 'The server is shutting down.';
    this.#waiters.refuseAll(() => notReady('The server is shutting down.'));
  }

  override assertAccepting(): void {
    const { complaint } = this;
    if (complaint !== undefined) throw notReady(complaint);
  }

  override waitFor(position: number): Promise<void> {
    if (position <= this.#position) return Promise.resolve();
    if (this.#isEnding()) return Promise.reject(notReady('The server is shutting down.'));
    this.#watch.wake();
    return this.#waiters.wait(position, performance.now());
  }

  override async sync(): Promise<void> {
    const complaint = this.#readComplaintAt(performance.now());
    if (complaint !== undefined) throw notReady(complaint);
    const shown = this.#position;
    const position = await inTime(this.parts.progress.position());
    // Half-built read models look like a history that has lost its end.
    if (position < shown) throw notReady(WENT_BACK);
    if (position <= this.#position) return;
    this.#passed = position;
    this.#wake();
    await this.waitFor(position);
  }

  /**
   * Runs reads that belong together: the directory and the queues do not move meanwhile, and the read models are not
   * older than they. They may be newer: the queue receives the events in between as well, and receiving them twice
   * changes nothing.
   */
  still<Result>(read: () => Promise<Result>): Promise<Result> {
    return this.#mutex.run(async () => {
      this.#mustAsk = true;
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
          try {
            for (const event of batch) {
              this.#read(event);
              // When a later event of the batch fails, the log is read again from there.
              checkpoint = this.parts.store.checkpointAfter(event);
            }
          } finally {
            this.parts.progress.expect();
            this.#askSoon();
            this.#wake();
          }
          while (this.#pending.length > PENDING_EVENTS_MAX && !this.#isEnding()) await this.#settled();
        }
      } catch (error) {
        if (this.#isEnding()) return;
        this.#cannotRead(error);
        await this.#settled();
      }
    }
  }

  #read(event: RecordedEvent): void {
    atEvent('replica', event, () => {
      this.parts.directory.foresee(event);
      this.parts.recorded(event);
    });
    this.#pending.push(event);
    this.#pendingSinceMs ??= performance.now();
    this.#watch.wake();
  }

  /** Nothing is skipped: the read is retried, and reported once. */
  #cannotRead(error: unknown): void {
    if (messageOf(error) !== messageOf(this.#unreadable?.error)) this.parts.onError(error);
    if (!(error instanceof EventStoreUnavailable)) this.#unreadable = { error, atMs: performance.now() };
  }

  async #run(): Promise<void> {
    while (!this.#isEnding()) {
      const woken = new Promise<void>((wake) => (this.#wake = wake));
      try {
        const moved = await this.#mutex.run(() => this.#advance());
        this.#failingSinceMs = undefined;
        if (moved) continue;
        await woken;
      } catch (error) {
        this.#mustAsk = true;
        if (this.#failingSinceMs === undefined) this.parts.onError(error);
        this.#failingSinceMs ??= performance.now();
        this.#watch.wake();
        await this.#settled();
      }
    }
  }

  /**
   * Advances to the position of the projector, as far as the log has been read.
   * @returns whether it moved
   */
  async #advance(): Promise<boolean> {
    const before = this.#position;
    if (this.#mustAsk) {
      this.#mustAsk = false;
      await this.#ask();
    }
    while (this.#position < this.#passed && !this.#isEnding()) {
      const known = Math.min(this.#passed, this.#pending.at(-1)?.position ?? 0);
      if (known <= this.#position) break;
      if (this.#position < this.#startsAt) await this.#catchUp(Math.min(known, this.#startsAt));
      else await this.#goOn(known);
    }
    return this.#position > before;
  }

  #told(advance: Advance): void {
    this.#isTelling = true;
    this.#passed = Math.max(this.#passed, advance.passed);
    if (advance.told === undefined) return;
    this.#advances.push(advance);
    // What is dropped is read.
    if (this.#advances.length > ADVANCES_MAX) this.#advances.shift();
    this.#whenTold?.();
  }

  /** The projector tells as a rule; where it cannot, or the word was lost, it is asked. */
  #askSoon(pauseMs = this.#isTelling ? ASK_TELLING_AFTER_MS : ASK_AFTER_MS): void {
    this.#asking ??= setTimeout(() => {
      this.#asking = undefined;
      if (this.#pending.length === 0 || this.#isEnding()) return;
      const before = this.#passed;
      // The loop goes on meanwhile.
      this.parts.progress
        .position()
        .then((passed) => {
          if (passed > this.#passed) this.#isTelling = false;
          this.#passed = Math.max(this.#passed, passed);
          this.#wake();
        })
        .catch(() => (this.#mustAsk = true))
        .finally(() => {
          this.#askSoon(this.#passed > before ? ASK_AFTER_MS : Math.min(2 * pauseMs, ASK_EVERY_MAX_MS));
        });
    }, pauseMs).unref();
  }

  async #ask(): Promise<void> {
    this.#askedSinceMs = performance.now();
    try {
      this.#passed = await this.parts.progress.position();
    } finally {
      this.#askedSinceMs = undefined;
    }
  }

  /** No requests are served yet. */
  async #catchUp(upTo: number): Promise<void> {
    for (let next = this.#pending[0]; next !== undefined && next.position <= upTo; next = this.#pending[0]) {
      this.#takeIn(Math.min(upTo, this.#pending[EVENTS_PER_TURN - 1]?.position ?? upTo));
      await nextTurn();
    }
    this.#position = upTo;
  }

  /** Applies one page in one turn of the event loop: no request may see a directory that is ahead of its position. */
  async #goOn(known: number): Promise<void> {
    const { listener } = this.parts;
    const { records, upTo } = this.#next(known) ?? (await this.#page(known));
    const isWhole = await this.#isWhole();
    this.#takeIn(upTo);
    this.#position = upTo;
    this.#movedMs = performance.now();
    if (isWhole) listener.publish(records, upTo);
    else listener.startAt(upTo);
    this.#waiters.advance(upTo);
  }

  /** Reads the page, unless the projector tells it meanwhile: its documents may not be written yet. */
  #page(known: number): Promise<FeedPage> {
    return new Promise<FeedPage>((resolve, reject) => {
      this.parts.history.page(this.#position, known).then(resolve, reject);
      this.#whenTold = () => {
        const page = this.#next(known);
        if (page !== undefined) resolve(page);
      };
    }).finally(() => (this.#whenTold = undefined));
  }

  /** The page that the projector told, as far as the log has been read, when it begins where this process is. */
  #next(known: number): FeedPage | undefined {
    const first = this.#advances.findIndex(({ passed }) => passed > this.#position);
    this.#advances.splice(0, first === -1 ? this.#advances.length : first);
    const [advance] = this.#advances;
    if (advance?.told === undefined || advance.after > this.#position) return undefined;
    const upTo = Math.min(advance.passed, known);
    const records = (advance.told as readonly Stored<FeedDocument>[])
      .map(({ key, doc }) => ({ position: key as number, at: doc.at, entries: doc.entries }))
      .filter(({ position }) => position > this.#position && position <= upTo);
    return { records, upTo };
  }

  /** After a long pause of this process, the feed may have been pruned before it was read here. */
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
        atEvent('replica', event, () => {
          this.parts.directory.apply(event);
          this.parts.shown(event);
        });
        count++;
      }
    } finally {
      // Events applied before the failure are not applied again.
      this.#pending.splice(0, count);
      this.#pendingSinceMs = this.#pending.length === 0 ? undefined : performance.now();
    }
  }

  #settled(): Promise<void> {
    return sleep(RETRY_AFTER_MS, this.#ending.signal);
  }

  #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  /** @returns whether nothing happens */
  #look(): boolean {
    const now = performance.now();
    if (now - this.#waiters.oldestMs() > LATE_MS) this.#lateSinceMs ??= now;
    else this.#lateSinceMs = undefined;
    this.#complaint = this.#withDuration(this.#complaintAt(now), now);
    this.#waiters.expire(now - REACHED_TIMEOUT_MS, () =>
      notReady('The server has recorded this, but cannot show it yet. Look again before you repeat it.'),
    );
    if (this.#waiters.size > 0) this.#wake();
    return this.#waiters.size === 0 && this.#pending.length === 0 && this.#complaint === undefined;
  }

  #complaintAt(now: number): string | undefined {
    const broken = this.#brokenAt(now);
    if (broken !== undefined) return broken;
    const waitingSinceMs = Math.min(this.#pendingSinceMs ?? now, this.#waiters.oldestMs());
    if (now - Math.max(waitingSinceMs, this.#movedMs) > STALL_LIMIT_MS) return 'The read side is stuck.';
    if (now - (this.#lateSinceMs ?? now) > LATE_GRACE_MS) return 'The read side has fallen behind.';
    return this.parts.projectorComplaint();
  }

  /** What is known without a look at those who wait. */
  #brokenAt(now: number): string | undefined {
    const { store } = this.parts;
    if (store.failure !== undefined) return 'The event store is not available.';
    if (now - (this.#unreadable?.atMs ?? -Infinity) < READABLE_AFTER_MS) return 'The event log cannot be read.';
    if (this.#failingSinceMs !== undefined) return AWAY;
    if (this.#isSilent(now)) return SILENT;
    return this.#passed < this.#position ? WENT_BACK : undefined;
  }

  /** The complaint, and for how long it has been the same one. */
  #withDuration(complaint: string | undefined, now: number): string | undefined {
    if (complaint !== this.#trouble.complaint) this.#trouble = { complaint, sinceMs: now };
    const seconds = Math.floor((now - this.#trouble.sinceMs) / 1000);
    return complaint === undefined || seconds === 0 ? complaint : `${complaint.slice(0, -1)} (for ${seconds} s).`;
  }

  /**
   * Why requests that wait for visible events are refused at once: this process is waiting for the projector already.
   */
  #readComplaintAt(now: number): string | undefined {
    if (this.#isSilent(now)) return SILENT;
    return now - (this.#failingSinceMs ?? now) > PASSING_LIMIT_MS ? AWAY : undefined;
  }

  #isSilent(now: number): boolean {
    return now - (this.#askedSinceMs ?? now) > STALL_LIMIT_MS;
  }
}

/** Timeout for the store, so that a delayed answer does not hold up a request for ever. */
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
