import os from 'node:os';
import { type Document, MongoClient } from 'mongodb';
import { openMongo } from './mongo-read-stores.js';
import type { MongoReadStore } from './mongo-read-store.js';
import type { MongoOptions, MongoReadStores } from './mongo-read-stores.js';
import { databaseOf } from './server/mongo-client.js';

/** Documents by collection. */
export type Backup = ReadonlyMap<string, readonly Document[]>;

/** Signals are lost at any time, and a lease is somebody's. */
const NOT_BACKED_UP = new Set(['leases', 'signals']);

/** A fresh database, and the stores that tests open on it. */
export class MongoHarness {
  readonly #opened: MongoReadStores[] = [];
  #term = 0;

  private constructor(
    readonly url: string,
    readonly client: MongoClient,
  ) {}

  static async on(url: string): Promise<MongoHarness> {
    return new MongoHarness(url, await new MongoClient(url, { runtimeAdapters: { os } }).connect());
  }

  get database(): string {
    return databaseOf(this.url);
  }

  /** Opens the stores as another process would. */
  async open(options?: MongoOptions): Promise<MongoReadStores> {
    const stores = await openMongo(this.url, options);
    this.#opened.push(stores);
    return stores;
  }

  /** Opens the store for writing under the next term. */
  async write(options?: MongoOptions): Promise<MongoReadStore> {
    const stores = await this.open(options);
    return stores.writing({ name: 'projector', holder: 'test', term: ++this.#term });
  }

  /** Everything in the database, as an operator's backup has it. */
  async backUp(): Promise<Backup> {
    const database = this.client.db(this.database);
    const collections = await database.listCollections({}, { nameOnly: true }).toArray();
    const kept = collections.map(({ name }) => name).filter((name) => !NOT_BACKED_UP.has(name));
    return new Map(
      await Promise.all(kept.map(async (name) => [name, await database.collection(name).find().toArray()] as const)),
    );
  }

  /** Puts the read models back to what they were, under whoever reads and writes them; nothing at all for an empty backup. */
  async putBack(backup: Backup): Promise<void> {
    const database = this.client.db(this.database);
    const present = await database.listCollections({}, { nameOnly: true }).toArray();
    for (const { name } of present) if (!NOT_BACKED_UP.has(name)) await database.collection(name).deleteMany({});
    for (const [name, documents] of backup)
      if (documents.length > 0) await database.collection(name).insertMany([...documents]);
  }

  async destroy(): Promise<void> {
    for (const stores of this.#opened) await stores.close();
    await this.client.db(this.database).dropDatabase();
    await this.client.close();
  }
}
