import { type EventStore, ObservedEventStore } from '#event-store';
import type { CallProbe } from '#kernel';
import {
  type Advance,
  type EmbeddedReadStores,
  ObservedKeyValueStore,
  ObservedReadStore,
  Progress,
  type ReadStores,
  type SharedReadStores,
} from '#read-store';

/** Probes for the calls to each store. */
export interface StoreProbes {
  readonly log: CallProbe;
  readonly 'read-models': CallProbe;
  /** What is kept beside the read models: queue registrations, snapshots, orders. */
  readonly side: CallProbe;
}

interface Stores {
  readonly events: EventStore;
  readonly reads: ReadStores;
}

/** The same stores, whose calls pass the probes. */
export function observedStores({ events, reads }: Stores, probes: StoreProbes): Stores {
  return {
    events: new ObservedEventStore(events, probes.log),
    reads: reads.kind === 'shared' ? observedShared(reads, probes) : observedEmbedded(reads, probes),
  };
}

function observedEmbedded(reads: EmbeddedReadStores, probes: StoreProbes): EmbeddedReadStores {
  return {
    ...reads,
    readStore: new ObservedReadStore(reads.readStore, probes['read-models']),
    side: new ObservedKeyValueStore(reads.side, probes.side),
  };
}

function observedShared(reads: SharedReadStores, probes: StoreProbes): SharedReadStores {
  const { kind, leases, broadcast } = reads;
  const probe = probes['read-models'];
  return {
    kind,
    leases,
    broadcast,
    side: new ObservedKeyValueStore(reads.side, probes.side),
    progress: new ObservedProgress(reads.progress, probe),
    reading: () => new ObservedReadStore(reads.reading(), probe),
    writing: async (lease) => new ObservedReadStore(await reads.writing(lease), probe),
    close: () => reads.close(),
  };
}

class ObservedProgress extends Progress {
  constructor(
    private readonly inner: Progress,
    private readonly probe: CallProbe,
  ) {
    super();
  }

  override position(): Promise<number> {
    return this.probe('position', () => this.inner.position());
  }

  override expect(): void {
    this.inner.expect();
  }

  override watch(moved: (advance?: Advance) => void): () => void {
    return this.inner.watch(moved);
  }
}
