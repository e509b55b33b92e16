import { SingleFlight } from '#kernel';
import { ReadStoreUnavailable } from '../read-store.js';
import type { SavedCheckpoint, Standing } from '../read-store.js';
import { encodeName } from './document-codec.js';
import type { Whereabouts } from './mongo-collection.js';
import type { MongoServer } from './server/mongo-server.js';
import { StateDocument } from './commit/state-document.js';
import { standingOf, STATE_ID, stateCollection } from './commit/store-state.js';
import type { StoreState } from './commit/store-state.js';

/** Readers that do not ask for progress notice a moved collection this much later. */
const TRUSTED_MS = 500;
/**
 * Readers share one pending answer up to this age. An overdue one may never come, while a new question may be answered
 * at once.
 */
const SHARED_MS = 1_000;

interface Known {
  readonly state: StoreState;
  /** Time of the question, by the monotonic clock. */
  readonly askedAtMs: number;
}

/** Caches where the writer has put the collections. */
export class Catalog {
  readonly #document: StateDocument;
  /** Those who act on it side by side share a read that began after their questions. */
  readonly #standings = new SingleFlight(() => this.server.run(() => this.#ask()));
  #known: Known | undefined;
  #asking: { readonly answer: Promise<Known>; readonly sinceMs: number } | undefined;

  constructor(private readonly server: MongoServer) {
    this.#document = new StateDocument(server);
  }

  /**
   * Reads the writer's progress, starting now. A reader that has awaited it finds the collections where they were at
   * that time or later.
   */
  async progress(): Promise<number> {
    return this.server.run(async () => {
      const askedAtMs = performance.now();
      const found = await stateCollection(this.server).findOne(
        { _id: STATE_ID },
        { projection: { passed: 1, revision: 1, writer: 1 } },
      );
      if (found === null) return 0;
      const state = this.#known?.state;
      // A dropped database counts its revisions from the start, and never for the same writer.
      if (state?.revision === found.revision && state.writer === found.writer) this.#know({ state, askedAtMs });
      else await this.#ask();
      return found.passed;
    });
  }

  async checkpoint(name: string): Promise<SavedCheckpoint | undefined> {
    const { state } = await this.server.run(() => this.#ask());
    return state.checkpoints[encodeName(name)];
  }

  /** Asks the server: readers that awaited it find the collections where they were at that time or later. */
  async standing(): Promise<Standing> {
    return standingOf((await this.#standings.run()).state);
  }

  /** @throws ReadStoreUnavailable when the writer uses another schema */
  async find(name: string, fingerprint: string): Promise<Whereabouts> {
    const known = this.#known;
    const isTrusted = known !== undefined && performance.now() - known.askedAtMs < TRUSTED_MS;
    const { state, askedAtMs } = isTrusted ? known : await this.#askOnce();
    const located = state.collections[encodeName(name)];
    if (located !== undefined && located.schema !== fingerprint) {
      throw new ReadStoreUnavailable(
        `The read model ${name} is kept by another version of the program and does not fit this one.`,
      );
    }
    return { physical: located?.physical, askedAtMs };
  }

  #askOnce(): Promise<Known> {
    const sinceMs = performance.now();
    if (this.#asking !== undefined && sinceMs - this.#asking.sinceMs < SHARED_MS) return this.#asking.answer;
    const asking = {
      sinceMs,
      answer: this.#ask().finally(() => {
        if (this.#asking === asking) this.#asking = undefined;
      }),
    };
    this.#asking = asking;
    return asking.answer;
  }

  async #ask(): Promise<Known> {
    const askedAtMs = performance.now();
    const known = { state: await this.#document.read(), askedAtMs };
    this.#know(known);
    return known;
  }

  /** Answers may arrive out of order. */
  #know(known: Known): void {
    if (this.#known === undefined || this.#known.askedAtMs < known.askedAtMs) this.#known = known;
  }
}
