import { ReadStoreUnavailable } from '../read-store.js';
import type { SavedCheckpoint } from '../read-store.js';
import { encodeName } from './document-codec.js';
import type { Whereabouts } from './mongo-collection.js';
import { OPERATION_MS } from './mongo-server.js';
import type { MongoServer } from './mongo-server.js';
import { StateDocument } from './state-document.js';
import { STATE_ID, stateCollection } from './store-state.js';
import type { StoreState } from './store-state.js';

/** Readers that ask nobody about progress notice a moved collection this much later. */
const TRUSTED_MS = 500;

interface Known {
  readonly state: StoreState;
  /** When it was asked for, by the steady clock. */
  readonly askedAtMs: number;
}

/** What this process knows of where the writer has put the collections. */
export class Catalog {
  readonly #document: StateDocument;
  #known: Known | undefined;
  #asking: Promise<Known> | undefined;

  constructor(private readonly server: MongoServer) {
    this.#document = new StateDocument(server);
  }

  /**
   * The writer's progress, by a read that begins now. Whoever has waited for it reads the collections where they were at
   * that time or later.
   */
  async progress(): Promise<number> {
    return this.server.run(async () => {
      const askedAtMs = performance.now();
      const found = await stateCollection(this.server).findOne(
        { _id: STATE_ID },
        { projection: { passed: 1, revision: 1, writer: 1 }, maxTimeMS: OPERATION_MS },
      );
      if (found === null) return 0;
      const state = this.#known?.state;
      // A database that was dropped counts its revisions afresh, and never for the same writer.
      if (state?.revision === found.revision && state.writer === found.writer) this.#know({ state, askedAtMs });
      else await this.#ask();
      return found.passed;
    });
  }

  async checkpoint(name: string): Promise<SavedCheckpoint | undefined> {
    const { state } = await this.server.run(() => this.#ask());
    return state.checkpoints[encodeName(name)];
  }

  /** @throws ReadStoreUnavailable when the writer keeps documents of another schema. */
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

  /** Many readers at once need one answer. */
  #askOnce(): Promise<Known> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #ask(): Promise<Known> {
    const askedAtMs = performance.now();
    const known = { state: await this.#document.read(), askedAtMs };
    this.#know(known);
    return known;
  }

  /** Answers may overtake each other. */
  #know(known: Known): void {
    if (this.#known === undefined || this.#known.askedAtMs < known.askedAtMs) this.#known = known;
  }
}
