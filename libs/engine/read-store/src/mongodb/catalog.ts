import { setTimeout as pause } from 'node:timers/promises';
import { SingleFlight } from '#kernel';
import { PositionWaiters } from '../engine/position-waiters.js';
import { ReadStoreUnavailable } from '../read-store.js';
import type { SavedCheckpoint, Standing } from '../read-store.js';
import { type EntryHead, type Followed, follows, type Journal } from './commit/journal.js';
import type { News } from './commit/news.js';
import type { StateDocument } from './commit/state-document.js';
import { sizesOf, standingOf } from './commit/store-state.js';
import type { StoreState } from './commit/store-state.js';
import type { Takeover } from './commit/takeover.js';
import { encodeName } from './document-codec.js';
import type { Whereabouts } from './mongo-collection.js';
import type { MongoServer } from './server/mongo-server.js';

/** Readers that do not ask for progress notice a moved collection this much later. */
const TRUSTED_MS = 500;
/**
 * Readers share one pending answer up to this age. An overdue one may never come, while a new question may be answered
 * at once.
 */
const SHARED_MS = 1_000;
/** Questions whose entries were removed between two reads are asked again so often. */
const ATTEMPTS_MAX = 5;
/** Pauses between two looks at what is written: they grow while nothing moves. */
const LOOK_FIRST_MS = 2;
const LOOK_LAST_MS = 50;
/** When nothing was written for so long, a reader that waits writes the documents itself: the writer may have died. */
const OWN_WORK_AFTER_MS = 1_000;
/** On a server that answers slowly it waits for as long as so many looks take: there the writer is slow, and doing its work twice makes it slower. */
const OWN_WORK_AFTER_LOOKS = 10;
/** Readers give up when nothing was written for so long, or not what they wait for although others were. */
const APPLIED_WITHIN_MS = 5_000;
const APPLIED_AT_MOST_MS = 10_000;
/** Leaves half of that time to write the documents, however slow the looks are: readers that are refused first help no dead writer. */
const OWN_WORK_AFTER_AT_MOST_MS = APPLIED_WITHIN_MS / 2;
/** A look at the server may itself take longer than readers wait. */
const EXPIRE_EVERY_MS = 250;

export interface CatalogParts {
  readonly server: MongoServer;
  readonly document: StateDocument;
  readonly journal: Journal;
  readonly takeover: Takeover;
}

/** Knows for readers what the writer has decided, what of it is written, and where the collections are. */
export class Catalog {
  /** The newest entry that this process knows. */
  #newest: EntryHead | undefined;
  /** Since when it is known. */
  #newestAtMs = -Infinity;
  /** When the last question began whose answer was whole. */
  #provedAtMs = -Infinity;
  #places: StoreState | undefined;
  /** Number of an entry up to which all documents are written. */
  #applied = 0;
  /** Number of the last state that was read: `state` counts entries some time after their documents are written. */
  #counted = 0;
  #asking: { readonly answer: Promise<void>; readonly sinceMs: number } | undefined;
  /** Reads that wait for the documents of the entries up to a number. */
  readonly #waiters = new PositionWaiters();
  #isLooking = false;

  /** Those who act on it side by side share a read that began after their questions. */
  readonly #standings = new SingleFlight(() => this.#folded());

  constructor(private readonly parts: CatalogParts) {}

  /**
   * Reads the writer's position, starting now. A reader that has awaited it finds the collections where they were at
   * that time or later, with everything that was decided.
   */
  async position(): Promise<number> {
    await this.parts.server.run(() => this.#ask());
    return this.#newest?.passed ?? 0;
  }

  /** Takes in what the writer told. @returns whether it is the writer that is known here */
  learn({ number, writer, passed, revision, applied }: News): boolean {
    const newest = this.#newest;
    if (newest?.writer !== writer) return false;
    this.#wrote(applied);
    if (number <= newest.number) return true;
    this.#newest = { number, writer, passed, revision };
    this.#newestAtMs = performance.now();
    return true;
  }

  async checkpoint(name: string): Promise<SavedCheckpoint | undefined> {
    return (await this.#standings.run()).checkpoints[encodeName(name)];
  }

  /** Asks the server: readers that awaited it find the collections where they were at that time or later. */
  async standing(): Promise<Standing> {
    return standingOf(await this.#standings.run());
  }

  /** Bytes that the collections take, by name. */
  async sizes(): Promise<ReadonlyMap<string, number>> {
    return sizesOf(await this.#standings.run(), this.parts.server);
  }

  /**
   * Finds a collection, once the documents of the newest known entry are written, and of that which placed it there.
   * @throws ReadStoreUnavailable when the writer uses another schema
   */
  async find(name: string, fingerprint: string): Promise<Whereabouts> {
    if (performance.now() - this.#provedAtMs > TRUSTED_MS) await this.#askOnce();
    await this.#reached(this.#newest?.number ?? 0);
    let askedAtMs = this.#provedAtMs;
    let places = await this.#located();
    while (this.#applied < places.number) {
      await this.#reached(places.number);
      askedAtMs = this.#provedAtMs;
      places = await this.#located();
    }
    const located = places.collections[encodeName(name)];
    if (located !== undefined && located.schema !== fingerprint) {
      throw new ReadStoreUnavailable(
        `The read model ${name} is kept by another version of the program and does not fit this one.`,
      );
    }
    return { physical: located?.physical, askedAtMs };
  }

  #askOnce(): Promise<void> {
    const sinceMs = performance.now();
    if (this.#asking !== undefined && sinceMs - this.#asking.sinceMs < SHARED_MS) return this.#asking.answer;
    const answer = this.parts.server
      .run(() => this.#ask())
      .finally(() => {
        if (this.#asking === asking) this.#asking = undefined;
      });
    const asking = (this.#asking = { answer, sinceMs });
    return answer;
  }

  /** Asks for the newest known entry and those after it: an answer without that one is about another history, or too old. */
  async #ask(): Promise<void> {
    const askedAtMs = performance.now();
    const known = this.#newest;
    // A writer of a former release numbers its entries in another way.
    if (known !== undefined && this.#places?.keyed === true) {
      const newest = await this.#after(known);
      if (newest !== undefined) {
        this.#know(newest, askedAtMs);
        return;
      }
    }
    await this.#start(askedAtMs);
  }

  /** The newest entry, found from one that is there still; undefined when that one or one between them is not. */
  async #after(known: EntryHead): Promise<EntryHead | undefined> {
    for (let newest = known; ;) {
      const page = await this.parts.journal.headsFrom(newest.number);
      const [first] = page.heads;
      if (first?.number !== newest.number || first.writer !== newest.writer) return undefined;
      for (const head of page.heads.slice(1)) {
        if (!follows(head, newest)) return undefined;
        newest = head;
      }
      if (page.isLast) return newest;
    }
  }

  /** Reads the state, and what was decided after it. */
  async #start(askedAtMs: number): Promise<void> {
    const { state, newest } = await this.#read((found) => this.parts.journal.newestHead(found));
    if (!this.#know(newest, askedAtMs)) return;
    this.#places = state;
    this.#applied = this.#counted = state.number;
    this.#waiters.advance(state.number);
  }

  /**
   * Answers may arrive out of order: one that is asked earlier and has less is too old. One that was asked later and has less
   * is about another history.
   * @returns whether it counts
   */
  #know({ number, writer, passed, revision }: EntryHead, askedAtMs: number): boolean {
    const newest = this.#newest;
    if (newest !== undefined && number < newest.number && askedAtMs < this.#newestAtMs) return false;
    this.#newest = { number, writer, passed, revision };
    // Another question may have been answered earlier and arrive later.
    this.#newestAtMs = performance.now();
    this.#provedAtMs = Math.max(this.#provedAtMs, askedAtMs);
    return true;
  }

  /** The state with the places of all collections, as the newest entry leaves them. */
  async #located(): Promise<StoreState> {
    const newest = this.#newest;
    const places = this.#places;
    // A dropped database counts its revisions from the start, and never for the same writer.
    if (places !== undefined && places.revision === newest?.revision && places.writer === newest.writer) return places;
    return (this.#places = await this.#folded());
  }

  /** The state that the server has, and what was decided since. */
  #folded(): Promise<StoreState> {
    const { journal, server } = this.parts;
    return server.run(async () => {
      const { newest } = await this.#read((state) =>
        state.keyed === true ? journal.newest(state) : Promise.resolve({ newest: state, isWhole: true }),
      );
      return newest;
    });
  }

  /** Reads the state and what follows it, again while entries between the two may have been removed meanwhile. */
  async #read<Last>(
    follow: (state: StoreState) => Promise<Followed<Last>>,
  ): Promise<{ readonly state: StoreState; readonly newest: Last }> {
    let before: StoreState | undefined;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const state = await this.parts.document.read();
      const { newest, isWhole } = await follow(state);
      if (isWhole || !hasMoved(before, state)) return { state, newest };
      before = state;
    }
    throw new ReadStoreUnavailable('The read store moves faster than it can be read.');
  }

  /** Resolves when the documents of the entries up to a number are written. */
  #reached(number: number): Promise<void> {
    if (this.#applied >= number) return Promise.resolve();
    const written = this.#waiters.wait(number, performance.now());
    if (!this.#isLooking) void this.#look();
    return written;
  }

  #wrote(number: number): void {
    if (number <= this.#applied) return;
    this.#applied = number;
    this.#waiters.advance(number);
  }

  /** One look for all that wait, for as long as somebody does. */
  async #look(): Promise<void> {
    this.#isLooking = true;
    let [movedAtMs, pauseMs] = [performance.now(), LOOK_FIRST_MS];
    const expiring = setInterval(() => {
      const nowMs = performance.now();
      const isMoving = nowMs - movedAtMs < APPLIED_WITHIN_MS;
      this.#waiters.expire(nowMs - (isMoving ? APPLIED_AT_MOST_MS : APPLIED_WITHIN_MS), notWritten);
    }, EXPIRE_EVERY_MS);
    try {
      while (this.#waiters.size > 0) {
        const [before, counted] = [this.#applied, this.#counted];
        const askedAtMs = performance.now();
        const number = await this.parts.server.run(() => this.parts.document.number());
        // Dropped, or put back: what is awaited may never come.
        if (number < counted) throw new ReadStoreUnavailable('The read models are not what they were.');
        this.#counted = Math.max(this.#counted, number);
        this.#wrote(number);
        const nowMs = performance.now();
        if (this.#applied > before) [movedAtMs, pauseMs] = [nowMs, LOOK_FIRST_MS];
        const slowMs = Math.min(OWN_WORK_AFTER_LOOKS * (nowMs - askedAtMs), OWN_WORK_AFTER_AT_MOST_MS);
        const afterMs = Math.max(OWN_WORK_AFTER_MS, slowMs);
        if (nowMs - movedAtMs > afterMs) {
          const newest = Math.max(this.#newest?.number ?? 0, this.#places?.number ?? 0);
          await this.parts.server.run(() => this.parts.takeover.settleUpTo(newest));
          movedAtMs = performance.now();
        } else if (this.#waiters.size > 0) {
          await pause(pauseMs);
          pauseMs = Math.min(2 * pauseMs, LOOK_LAST_MS);
        }
      }
    } catch (error) {
      this.#waiters.refuseAll(() => error);
    } finally {
      clearInterval(expiring);
      this.#isLooking = false;
    }
  }
}

function notWritten(): ReadStoreUnavailable {
  return new ReadStoreUnavailable('The read models are not written yet.');
}

/**
 * Whether a gap after a state may come from entries that were applied and removed meanwhile. Otherwise what is behind it was made for a
 * state that is gone.
 */
function hasMoved(before: StoreState | undefined, state: StoreState): boolean {
  return before?.number !== state.number || before.writer !== state.writer;
}
