import { setTimeout as pause } from 'node:timers/promises';
import { SingleFlight } from '#kernel';
import { ReadStoreUnavailable } from '../read-store.js';
import type { SavedCheckpoint, Standing } from '../read-store.js';
import type { EntryHead, Journal } from './commit/journal.js';
import type { News } from './commit/news.js';
import type { StateDocument } from './commit/state-document.js';
import { standingOf, STATE_ID, stateCollection } from './commit/store-state.js';
import type { StoreState } from './commit/store-state.js';
import type { Takeover } from './commit/takeover.js';
import { encodeName } from './document-codec.js';
import type { Whereabouts } from './mongo-collection.js';
import type { MongoServer } from './server/mongo-server.js';

/** Readers that do not ask for progress notice a moved collection this much later. */
const TRUSTED_MS = 500;
/** The newest known entry is looked for when nothing was heard of it for this long: the database may have been dropped. */
const PROVED_MS = 250;
/**
 * Readers share one pending answer up to this age. An overdue one may never come, while a new question may be answered
 * at once.
 */
const SHARED_MS = 1_000;
/** Pauses between two looks at what is written. */
const APPLIED_LOOK_MS = 3;
/** A reader that has waited for this long writes the documents itself: the writer may have died. */
const OWN_WORK_AFTER_MS = 300;
const APPLIED_WITHIN_MS = 5_000;

/** The newest entry that this process knows. */
type Newest = Pick<EntryHead, 'number' | 'writer' | 'passed' | 'revision'>;

export interface CatalogParts {
  readonly server: MongoServer;
  readonly document: StateDocument;
  readonly journal: Journal;
  readonly takeover: Takeover;
}

/** Knows for readers what the writer has decided, what of it is written, and where the collections are. */
export class Catalog {
  #newest: Newest | undefined;
  /** Time of the last question whose answer included the newest entry, by the monotonic clock. */
  #provedAtMs = -Infinity;
  #places: StoreState | undefined;
  /** Number of an entry up to which all documents are written. */
  #applied = 0;
  #asking: { readonly answer: Promise<void>; readonly sinceMs: number } | undefined;
  #applying: { readonly number: number; readonly done: Promise<void> } | undefined;

  /** Those who act on it side by side share a read that began after their questions. */
  readonly #standings = new SingleFlight(() => this.parts.server.run(() => this.#newestState()));

  constructor(private readonly parts: CatalogParts) {}

  /**
   * Reads the writer's progress, starting now. A reader that has awaited it finds the collections where they were at
   * that time or later, with everything that was decided.
   * @returns the position, and the entries that were not known before
   */
  progress(): Promise<{ readonly passed: number; readonly entries: readonly EntryHead[] }> {
    return this.parts.server.run(async () => {
      const entries = await this.#ask();
      return { passed: this.#newest?.passed ?? 0, entries };
    });
  }

  /** Takes in what the writer told. @returns whether it was not known */
  learn({ number, writer, passed, revision, applied }: News): boolean {
    const newest = this.#newest;
    if (newest?.writer !== writer || number < newest.number) return false;
    this.#applied = Math.max(this.#applied, applied);
    this.#provedAtMs = performance.now();
    if (number === newest.number) return false;
    this.#newest = { number, writer, passed, revision };
    return true;
  }

  async checkpoint(name: string): Promise<SavedCheckpoint | undefined> {
    return (await this.#standings.run()).checkpoints[encodeName(name)];
  }

  /** Asks the server: readers that awaited it find the collections where they were at that time or later. */
  async standing(): Promise<Standing> {
    return standingOf(await this.#standings.run());
  }

  /**
   * Finds a collection, once the documents of the newest known entry are written.
   * @throws ReadStoreUnavailable when the writer uses another schema
   */
  async find(name: string, fingerprint: string): Promise<Whereabouts> {
    if (performance.now() - this.#provedAtMs > TRUSTED_MS) await this.#askOnce();
    const { number } = this.#newest ?? { number: 0 };
    if (this.#applied < number) await this.#reached(number);
    const askedAtMs = this.#provedAtMs;
    const { collections } = await this.#located();
    const located = collections[encodeName(name)];
    if (located !== undefined && located.schema !== fingerprint) {
      throw new ReadStoreUnavailable(
        `The read model ${name} is kept by another version of the program and does not fit this one.`,
      );
    }
    return { physical: located?.physical, askedAtMs };
  }

  /** The state after the newest entry, which is there now. */
  async #newestState(): Promise<StoreState> {
    this.#provedAtMs = -Infinity;
    await this.#ask();
    return this.#folded();
  }

  #askOnce(): Promise<void> {
    const sinceMs = performance.now();
    if (this.#asking !== undefined && sinceMs - this.#asking.sinceMs < SHARED_MS) return this.#asking.answer;
    const asking = {
      sinceMs,
      answer: this.#ask().then(
        () => {
          if (this.#asking === asking) this.#asking = undefined;
        },
        (error: unknown) => {
          if (this.#asking === asking) this.#asking = undefined;
          throw error;
        },
      ),
    };
    this.#asking = asking;
    return asking.answer;
  }

  /**
   * Asks for the entry after the newest known one, which mostly is not there yet; and for that one itself when it was not
   * heard of for a while.
   * @returns the entries that were not known
   */
  async #ask(): Promise<readonly EntryHead[]> {
    const { journal } = this.parts;
    const askedAtMs = performance.now();
    const newest = this.#newest;
    if (newest === undefined) return this.#start(askedAtMs);
    // A writer of a former release numbers its entries in another way.
    const isProved = askedAtMs - this.#provedAtMs < PROVED_MS && this.#places?.keyed === true;
    const [next, known] = await Promise.all([
      journal.head(newest.number + 1),
      isProved ? newest : journal.head(newest.number),
    ]);
    // It was removed long after it was applied, or with the whole database.
    if (known?.writer !== newest.writer) return this.#start(askedAtMs);
    if (next === undefined) {
      this.#know(newest, askedAtMs);
      return NONE;
    }
    const entries = await this.#following(next);
    const last = entries.at(-1) ?? next;
    // A reader that is so far behind begins anew.
    if (last.number !== next.number + entries.length - 1) return this.#start(askedAtMs);
    this.#know(last, askedAtMs);
    return entries;
  }

  /** An entry and those after it: mostly there is none, and a single key is the smallest question. */
  async #following(first: EntryHead): Promise<readonly EntryHead[]> {
    const { journal } = this.parts;
    const second = await journal.head(first.number + 1);
    if (second === undefined) return [first];
    return [first, second, ...(await journal.headsAfter(second.number))];
  }

  /** Reads the state, and what was decided after it. */
  async #start(askedAtMs: number): Promise<readonly EntryHead[]> {
    const state = await this.parts.document.read();
    this.#applied = state.number;
    this.#places = state;
    const { number, writer, passed, revision } = state;
    const after = await this.parts.journal.headsAfter(number);
    this.#newest = undefined;
    this.#know(after.at(-1) ?? { number, writer, passed, revision }, askedAtMs);
    // Their predecessors may be missing, so that nobody goes on from them.
    return NONE;
  }

  /** Answers may arrive out of order. */
  #know({ number, writer, passed, revision }: Newest, askedAtMs: number): void {
    if (this.#newest !== undefined && this.#newest.number > number) return;
    this.#newest = { number, writer, passed, revision };
    this.#provedAtMs = Math.max(this.#provedAtMs, askedAtMs);
  }

  /** The state with the places of all collections, as the newest entry leaves them. */
  async #located(): Promise<StoreState> {
    const newest = this.#newest;
    const places = this.#places;
    if (newest === undefined) return this.parts.document.read();
    // A dropped database counts its revisions from the start, and never for the same writer.
    if (places?.revision === newest.revision && places.writer === newest.writer) return places;
    return (this.#places = await this.parts.server.run(() => this.#folded()));
  }

  /** The state that the server has, and what was decided since. */
  async #folded(): Promise<StoreState> {
    const { document, journal } = this.parts;
    const state = await document.read();
    return state.keyed === true ? journal.newest(state) : state;
  }

  /** Resolves when the documents of the entries up to a number are written. */
  async #reached(number: number): Promise<void> {
    while (this.#applied < number) {
      if (this.#applying === undefined || this.#applying.number < number) {
        const applying = { number, done: this.#look(number) };
        this.#applying = applying;
        applying.done
          .catch(() => undefined)
          .finally(() => {
            if (this.#applying === applying) this.#applying = undefined;
          });
      }
      await this.#applying.done;
    }
  }

  async #look(number: number): Promise<void> {
    const sinceMs = performance.now();
    const { server, takeover } = this.parts;
    while (this.#applied < number) {
      const found = await server.run(() =>
        stateCollection(server).findOne({ _id: STATE_ID }, { projection: { number: 1 } }),
      );
      this.#applied = Math.max(this.#applied, found?.number ?? 0);
      if (this.#applied >= number) return;
      const waitedMs = performance.now() - sinceMs;
      if (waitedMs > APPLIED_WITHIN_MS) throw new ReadStoreUnavailable('The read models are not written yet.');
      if (waitedMs > OWN_WORK_AFTER_MS) await server.run(() => takeover.settleUpTo(number));
      else await pause(APPLIED_LOOK_MS);
    }
  }
}

const NONE: readonly EntryHead[] = [];
