import { Backoff } from '#kernel';
import { ReadStoreUnavailable } from '../../read-store.js';
import type { BeforeStep, GuardedWrites, PlacedOperations } from './guarded-writes.js';
import type { Entry } from './journal.js';
import { merged, placedGroups } from './placed-operations.js';
import type { ExistsBefore } from './placed-operations.js';
import { StateMoved } from './state-document.js';
import type { StateDocument } from './state-document.js';
import type { StoreState } from './store-state.js';

/** Decided entries that may wait for their documents. More would be work that a successor has to do first. */
const WAITING_MAX = 16;
/**
 * Applied entries that `state` may not count yet, and for how long while others are being applied: readers wait for it, and
 * do the work once more when that takes too long.
 */
const UNCOUNTED_MAX = 8;
const UNCOUNTED_MS = 50;
/** `state` counts them anyway when nothing follows for this long, so that readers learn of it. */
const COUNT_AFTER_MS = 5;
/** How long it counts on being the writer without another sign of it. A process that was suspended may have a successor. */
const TRUSTED_MS = 2_000;
const RETRY_FIRST_MS = 50;
const RETRY_LONGEST_MS = 1_000;

interface Waiting {
  readonly entry: Entry;
  readonly groups: readonly PlacedOperations[];
}

interface Waiter {
  readonly isDone: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface EntryApplierParts {
  readonly writes: GuardedWrites;
  /** Operations of several entries that are written together; one entry may have more. */
  readonly operationsMax: number;
  readonly document: StateDocument;
  readonly beforeStep: BeforeStep;
  /** Maps errors of the server. */
  readonly run: (work: () => Promise<void>) => Promise<void>;
  /** As `Takeover.pruneAgain`. */
  readonly pruneAgain: (from: number) => Promise<void>;
  /** Called when the documents of all entries up to a number are written. */
  readonly applied: (number: number) => void;
}

/**
 * Writes the documents of decided entries, in order, while later ones are being decided. Entries that wait together are
 * written together. After a failure it tries again by itself, and at once for whoever waits.
 */
export class EntryApplier {
  readonly #backoff = new Backoff(RETRY_FIRST_MS, RETRY_LONGEST_MS);
  #waiting: Waiting[] = [];
  /** The state that the server has. */
  #counted: StoreState;
  /** The state after the last applied entry. */
  #applied: StoreState;
  /** Since when there are applied entries that `state` does not count. */
  #uncountedMs = 0;
  /** Time of the last question whose answer says that this is the writer. */
  #provedMs: number;
  #failure: unknown;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waiters: Waiter[] = [];
  #isStopped = false;

  /** @param askedMs when the server was asked for the state */
  constructor(
    private readonly parts: EntryApplierParts,
    state: StoreState,
    askedMs: number,
  ) {
    this.#counted = this.#applied = state;
    this.#provedMs = askedMs;
  }

  get applied(): number {
    return this.#applied.number;
  }

  /** Number of the state that the server has. */
  get counted(): number {
    return this.#counted.number;
  }

  /** It was stopped, or another process has written the state. */
  get hasEnded(): boolean {
    return this.#isStopped || this.#failure instanceof StateMoved;
  }

  /**
   * Adds the next entry, which is decided.
   * @param askedMs when the server was asked to decide it
   */
  push(entry: Entry, existsBefore: ExistsBefore, askedMs: number): void {
    this.#waiting.push({ entry, groups: placedGroups(entry, existsBefore) });
    this.#provedMs = Math.max(this.#provedMs, askedMs);
    if (this.#failure === undefined) this.#start();
  }

  /**
   * Resolves when another entry may be decided: none as long as documents cannot be written, so that whoever commits
   * reports it.
   * @throws ReadStoreUnavailable
   */
  room(): Promise<void> {
    return this.#until(() => this.#waiting.length < (this.#failure === undefined ? WAITING_MAX : 1));
  }

  /**
   * Resolves when the documents of all entries up to a number are written.
   * @throws ReadStoreUnavailable
   */
  reached(number: number): Promise<void> {
    return this.#until(() => this.#applied.number >= number);
  }

  /**
   * Resolves when all entries are applied, and `state` counts them.
   * @throws ReadStoreUnavailable
   */
  settled(): Promise<void> {
    return this.#until(() => this.#waiting.length === 0 && !this.#isUncounted);
  }

  /** Ends after the step in progress. What is left is applied by whoever takes over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    this.#fail(new ReadStoreUnavailable('The read store is taken over again.'));
  }

  get #isUncounted(): boolean {
    return this.#counted.number < this.#applied.number;
  }

  #until(isDone: () => boolean): Promise<void> {
    if (isDone()) return Promise.resolve();
    if (this.#isStopped) return Promise.reject(new ReadStoreUnavailable('The read store is taken over again.'));
    if (this.#failure instanceof StateMoved) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ isDone, resolve, reject });
      this.#start();
    });
  }

  #start(): void {
    if (this.hasEnded) return;
    clearTimeout(this.#timer);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      this.#next();
    });
  }

  /** What a waiter asks for after the run had looked is done in another one. */
  #next(): void {
    if (this.hasEnded) return;
    if (this.#failure !== undefined) this.#later(this.#backoff.next());
    else if (this.#waiting.length > 0) this.#start();
    else if (this.#isUncounted && this.#waiters.length > 0) this.#start();
    else if (this.#isUncounted) this.#later(COUNT_AFTER_MS);
    else if (this.#waiters.length > 0) this.#reject(new ReadStoreUnavailable('Nobody has decided what is waited for.'));
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start(), ms).unref();
  }

  async #run(): Promise<void> {
    try {
      await this.parts.run(() => this.#work());
      this.#failure = undefined;
      this.#backoff.reset();
      this.#settle();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #work(): Promise<void> {
    const isIdle = this.#waiting.length === 0;
    while (this.#waiting.length > 0 && !this.#isStopped) {
      await this.#apply();
      if (this.#isCountDue()) await this.#count();
    }
    const isAwaited = this.#waiters.length > 0;
    if ((isIdle || isAwaited) && !this.#isStopped) await this.#count();
  }

  async #apply(): Promise<void> {
    await this.#proveToBeWriter();
    const batch = this.#batch();
    const last = batch.at(-1);
    if (last === undefined) return;
    const isAgain = this.#failure !== undefined;
    await this.parts.writes.apply(merged(batch.map(({ groups }) => groups)), isAgain);
    for (const prune of last.entry.prunes) await this.parts.writes.prune(prune);
    // A process that was suspended in between ends here.
    await this.#proveToBeWriter();
    this.#waiting.splice(0, batch.length);
    if (!this.#isUncounted) this.#uncountedMs = performance.now();
    this.#become(last.entry.state);
  }

  #become(applied: StoreState): void {
    this.#applied = applied;
    this.parts.applied(applied.number);
    this.#settle();
  }

  /** Prunes come after the writes of their entry, and before those of the next. */
  #batch(): readonly Waiting[] {
    const batch: Waiting[] = [];
    let operations = 0;
    for (const waiting of this.#waiting) {
      for (const group of waiting.groups) operations += group.operations.length;
      if (batch.length > 0 && operations > this.parts.operationsMax) break;
      batch.push(waiting);
      if (waiting.entry.prunes.length > 0) break;
    }
    return batch;
  }

  /** @throws StateMoved when another process is the writer */
  async #proveToBeWriter(): Promise<void> {
    const askedMs = performance.now();
    if (askedMs - this.#provedMs < TRUSTED_MS) return;
    const { writer } = await this.parts.document.read();
    if (writer !== this.#counted.writer) {
      await this.parts.pruneAgain(this.#counted.number + 1);
      throw new StateMoved();
    }
    this.#provedMs = askedMs;
  }

  #isCountDue(): boolean {
    if (!this.#isUncounted) return false;
    const isMany = this.#applied.number - this.#counted.number >= UNCOUNTED_MAX;
    return isMany || performance.now() - this.#uncountedMs >= UNCOUNTED_MS;
  }

  async #count(): Promise<void> {
    while (this.#isUncounted) {
      const next = this.#applied;
      await this.parts.beforeStep('state');
      const askedMs = performance.now();
      try {
        await this.parts.document.replace(this.#counted, next);
        this.#counted = next;
        this.#provedMs = askedMs;
      } catch (error) {
        if (!(error instanceof StateMoved)) throw error;
        await this.#adopt(error);
      }
    }
  }

  /** Goes on from a state that a reader has counted: it had waited for documents, and written them. */
  async #adopt(moved: StateMoved): Promise<void> {
    const found = await this.parts.document.read();
    // One of the two may have inserted what the other had removed with a range.
    await this.parts.pruneAgain(this.#counted.number + 1);
    if (found.writer !== this.#counted.writer || found.number <= this.#counted.number) throw moved;
    this.#counted = found;
    this.#waiting = this.#waiting.filter(({ entry }) => entry.number > found.number);
    if (found.number > this.#applied.number) this.#become(found);
  }

  #settle(): void {
    const done = this.#waiters.filter(({ isDone }) => isDone());
    if (done.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !done.includes(waiter));
    for (const { resolve } of done) resolve();
  }

  #fail(error: unknown): void {
    this.#failure = error;
    this.#settle();
    this.#reject(error);
  }

  #reject(error: unknown): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(error);
  }
}
