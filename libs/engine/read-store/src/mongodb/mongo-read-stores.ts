import type { ReadStore } from '../read-store.js';
import type { SharedReadStores } from '../read-stores.js';
import type { Lease } from '../sharing.js';
import { Catalog } from './catalog.js';
import { GuardedWrites } from './commit/guarded-writes.js';
import type { BeforeStep } from './commit/guarded-writes.js';
import { Journal } from './commit/journal.js';
import { StateDocument } from './commit/state-document.js';
import { Takeover } from './commit/takeover.js';
import { MongoBroadcast } from './sharing/mongo-broadcast.js';
import { MongoLeases } from './sharing/mongo-leases.js';
import { MongoProgress, publishNews } from './sharing/mongo-progress.js';
import { MongoReader } from './mongo-reader.js';
import { MongoReadStore } from './mongo-read-store.js';
import { MongoServer } from './server/mongo-server.js';
import type { Capabilities, ServerOptions } from './server/mongo-server.js';
import { MongoKeyValueStore } from './sharing/mongo-key-value-store.js';
import { Signals } from './server/signals.js';
import { STATE_COLLECTION } from './commit/store-state.js';

export interface MongoOptions extends ServerOptions {
  readonly beforeStep?: BeforeStep;
}

/** All stores that processes share in one MongoDB database. */
export class MongoReadStores implements SharedReadStores {
  readonly kind = 'shared';
  readonly #writers = new Set<MongoReadStore>();

  private constructor(
    private readonly server: MongoServer,
    private readonly catalog: Catalog,
    private readonly signals: Signals,
    readonly side: MongoKeyValueStore,
    readonly leases: MongoLeases,
    readonly progress: MongoProgress,
    readonly broadcast: MongoBroadcast,
    private readonly options: MongoOptions,
  ) {}

  static async open(url: string, options: MongoOptions = {}): Promise<MongoReadStores> {
    const server = await MongoServer.connect(url, options);
    try {
      await server.run(() => server.create(STATE_COLLECTION));
      const side = await MongoKeyValueStore.open(server);
      const leases = await MongoLeases.open(server);
      const signals = await Signals.open(server);
      const document = new StateDocument(server);
      const idle = (): Promise<void> => Promise.resolve();
      const journal = new Journal(server, idle);
      const takeover = new Takeover(journal, document, new GuardedWrites(server, idle), idle);
      const catalog = new Catalog({ server, document, journal, takeover });
      const progress = new MongoProgress(catalog, signals);
      const broadcast = new MongoBroadcast(signals);
      return new MongoReadStores(server, catalog, signals, side, leases, progress, broadcast, options);
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  get capabilities(): Capabilities {
    return this.server.capabilities;
  }

  reading(): ReadStore {
    return new MongoReader(this.server, this.catalog);
  }

  async writing({ term }: Lease): Promise<MongoReadStore> {
    const store = await MongoReadStore.open(this.server, term, {
      ...this.options,
      decided: (news) => publishNews(this.signals, news),
    });
    this.#writers.add(store);
    return store;
  }

  async close(): Promise<void> {
    for (const store of this.#writers) await store.close();
    await this.signals.close();
    await this.server.close();
  }
}

export function openMongo(url: string, options: MongoOptions = {}): Promise<MongoReadStores> {
  return MongoReadStores.open(url, options);
}
