import type { RecordedEvent } from '#event-store';
import type { Directory } from '#people';
import type { ClientEvents, FeedEntry } from './feed-entry.js';

/** The client events of all features, looked up by event type for deriving and by client event type for presenting. */
export class FeedCatalogue {
  readonly #byEvent = new Map<string, ClientEvents[]>();
  readonly #byType = new Map<string, ClientEvents>();
  readonly #keeping: readonly ClientEvents[];

  constructor(features: readonly ClientEvents[]) {
    this.#keeping = features.filter((feature) => feature.recorded !== undefined);
    for (const feature of features) {
      for (const event of Object.keys(feature.on))
        this.#byEvent.set(event, [...(this.#byEvent.get(event) ?? []), feature]);
      for (const type of feature.types) {
        if (this.#byType.has(type)) throw new Error(`Two features present client events of type ${type}.`);
        this.#byType.set(type, feature);
      }
    }
  }

  /** Hands an event from the log, in order, to the features that keep something of it. */
  recorded(event: RecordedEvent): void {
    for (const feature of this.#keeping) feature.recorded?.(event);
  }

  /** Client events derived from an event, in the order of the features. */
  derive(event: RecordedEvent, directory: Directory): readonly FeedEntry[] {
    const features = this.#byEvent.get(event.type);
    if (features === undefined) return NOTHING;
    const [only] = features;
    if (features.length === 1 && only !== undefined) return only.derive(event, directory);
    return features.flatMap((feature) => feature.derive(event, directory));
  }

  /**
   * The feature that presents client events of this type.
   * @throws Error for an unknown type
   */
  presenterOf(type: string): ClientEvents {
    const feature = this.#byType.get(type);
    if (feature === undefined) throw new Error(`No feature presents client events of type ${type}.`);
    return feature;
  }
}

const NOTHING: readonly FeedEntry[] = [];
