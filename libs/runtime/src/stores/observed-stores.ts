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
import type { Observers } from '../observers.js';

/** Probes for the calls to each store; `side` is what is kept beside the read models: queue registrations, snapshots, orders. */
type StoreProbes = Readonly<Record<'log' | 'read-models' | 'side', CallProbe>>;

interface Stores {
  readonly events: EventStore;
  readonly reads: ReadStores;
}

/** The same stores, whose calls are counted and shown as spans, if anybody asked for that. */
export function observedStores(stores: Stores, { metrics, spans }: Observers): Stores {
  if (metrics === undefined && spans === undefined) return stores;
  const { events, reads } = stores;
  const probeOf = (store: keyof StoreProbes): CallProbe => {
    const counted = metrics?.stores[store].probe;
    if (spans === undefined) return counted ?? ((_kind, call) => call());
    const shown: CallProbe = (kind, call) => spans.runWithin(`${store} ${kind}`, call);
    return counted === undefined ? shown : (kind, call) => counted(kind, () => shown(kind, call));
  };
  const probes: StoreProbes = { log: probeOf('log'), 'read-models': probeOf('read-models'), side: probeOf('side') };
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
