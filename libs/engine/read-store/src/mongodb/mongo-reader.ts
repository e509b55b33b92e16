import { ReadStore } from '../read-store.js';
import type { Collection, CollectionSchema, SavedCheckpoint, Standing } from '../read-store.js';
import type { Catalog } from './catalog.js';
import { MongoCollection } from './mongo-collection.js';
import type { MongoServer } from './server/mongo-server.js';
import { fingerprintOf } from './commit/store-state.js';

/** Read-only access to read models in MongoDB. A collection that the writer has not created yet is empty. */
export class MongoReader extends ReadStore {
  constructor(
    private readonly server: MongoServer,
    private readonly catalog: Catalog,
  ) {
    super();
  }

  override async collection<Doc extends object>(schema: CollectionSchema): Promise<Collection<Doc>> {
    const fingerprint = fingerprintOf(schema);
    return new MongoCollection<Doc>(schema, this.server, { find: () => this.catalog.find(schema.name, fingerprint) });
  }

  override async checkpoint(name: string): Promise<SavedCheckpoint | undefined> {
    return this.catalog.checkpoint(name);
  }

  override standing(): Promise<Standing> {
    return this.catalog.standing();
  }

  override commit(): Promise<never> {
    return readOnly();
  }

  override startRebuild(): Promise<never> {
    return readOnly();
  }

  override shadow(): never {
    throw new Error(READ_ONLY);
  }

  override indexRebuild(): Promise<never> {
    return readOnly();
  }

  override abandonRebuild(): Promise<never> {
    return readOnly();
  }

  override finishRebuild(): Promise<never> {
    return readOnly();
  }

  override formers(): Promise<never> {
    return readOnly();
  }

  override exchangeFormer(): Promise<never> {
    return readOnly();
  }

  override dropFormer(): Promise<never> {
    return readOnly();
  }

  override leftOvers(): Promise<never> {
    return readOnly();
  }

  override dropLeftOver(): Promise<never> {
    return readOnly();
  }

  override product(): Promise<string> {
    return this.server.run(() => this.server.product());
  }

  override sizes(): Promise<ReadonlyMap<string, number>> {
    return this.catalog.sizes();
  }

  override async close(): Promise<void> {
    // The server connection is closed by the code that opened it.
  }
}

const READ_ONLY = 'This read store was opened for reading only.';

function readOnly(): Promise<never> {
  return Promise.reject(new Error(READ_ONLY));
}
