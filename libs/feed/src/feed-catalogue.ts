import type { Recorded } from '#event-store';
import type { Directory } from '#organization';
import type { ClientEvents, FeedEntry } from './feed-entry.js';

/** What all features say to clients, found by fact type on the way in and by client event type on the way out. */
export class FeedCatalogue {
  readonly #byFact = new Map<string, ClientEvents[]>();
  readonly #byType = new Map<string, ClientEvents>();

  constructor(features: readonly ClientEvents[]) {
    for (const feature of features) {
      for (const fact of feature.facts) this.#byFact.set(fact, [...(this.#byFact.get(fact) ?? []), feature]);
      for (const type of feature.types) {
        if (this.#byType.has(type)) throw new Error(`Two features present client events of type ${type}.`);
        this.#byType.set(type, feature);
      }
    }
  }

  /** What the fact says to clients, in the features' order. */
  derive(fact: Recorded, directory: Directory): readonly FeedEntry[] {
    const features = this.#byFact.get(fact.type);
    if (features === undefined) return NOTHING;
    const [only] = features;
    if (features.length === 1 && only !== undefined) return only.derive(fact, directory);
    return features.flatMap((feature) => feature.derive(fact, directory));
  }

  /** The feature that presents client events of this type. @throws Error for a type that nobody knows any more */
  presenterOf(type: string): ClientEvents {
    const feature = this.#byType.get(type);
    if (feature === undefined) throw new Error(`No feature presents client events of type ${type}.`);
    return feature;
  }
}

const NOTHING: readonly FeedEntry[] = [];
