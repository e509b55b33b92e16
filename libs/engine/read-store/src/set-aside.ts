import { Refusal } from '#kernel';
import type { EngineFailure } from './engine/failures.js';
import { ObservedCollection, ObservedReadStore } from './observed-read-store.js';
import type { Collection, CollectionSchema, ReadStore } from './read-store.js';

/**
 * Projections that are set aside, since they failed on an event: their documents end before it, so nobody may read them. Kept by the
 * engine, and on shared stores from what the projector tells.
 */
export class SetAside {
  #failures: ReadonlyMap<string, EngineFailure> = new Map();

  get names(): ReadonlySet<string> {
    return new Set(this.#failures.keys());
  }

  failureOf(name: string): EngineFailure | undefined {
    return this.#failures.get(name);
  }

  replace(failures: ReadonlyMap<string, EngineFailure>): void {
    this.#failures = failures;
  }

  /** @throws Refusal PROJECTION_SET_ASIDE when one of them is */
  assertUsable(...names: readonly string[]): void {
    if (this.#failures.size === 0) return;
    const name = names.find((one) => this.#failures.has(one));
    if (name !== undefined) throw setAsideRefusal(name);
  }
}

function setAsideRefusal(name: string): Refusal {
  return new Refusal(
    'PROJECTION_SET_ASIDE',
    `The read model ${name}, which this needs, failed on an event and is set aside. The operator of the server has to act.`,
    { projection: name },
  );
}

/** Read models for those who answer questions: what is set aside refuses to be read. */
export class UsableReadStore extends ObservedReadStore {
  constructor(
    private readonly stored: ReadStore,
    private readonly setAside: SetAside,
  ) {
    super(stored, (_, call) => call());
  }

  override async collection<Doc extends object>(schema: CollectionSchema): Promise<Collection<Doc>> {
    const collection = await this.stored.collection<Doc>(schema);
    return new ObservedCollection(collection, async (_, call) => {
      this.setAside.assertUsable(schema.name);
      const answer = await call();
      // It may have been set aside meanwhile.
      this.setAside.assertUsable(schema.name);
      return answer;
    });
  }
}
