import os from 'node:os';
import { MongoClient } from 'mongodb';
import { openMongo } from './mongo-read-stores.js';
import type { MongoReadStore } from './mongo-read-store.js';
import type { MongoOptions, MongoReadStores } from './mongo-read-stores.js';
import { databaseOf } from './server/mongo-client.js';

/** A busy machine may take longer for a large commit than the usual limits of calls. */
const UNHURRIED = { quickMs: 60_000, usualMs: 60_000 };

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

  /** Opens the stores as another process would. Its calls have time, unless the options limit them. */
  async open(options?: MongoOptions): Promise<MongoReadStores> {
    const stores = await openMongo(this.url, { limits: UNHURRIED, ...options });
    this.#opened.push(stores);
    return stores;
  }

  /** Opens the store for writing under the next term. */
  async write(options?: MongoOptions): Promise<MongoReadStore> {
    const stores = await this.open(options);
    return stores.writing({ name: 'projector', holder: 'test', term: ++this.#term });
  }

  async destroy(): Promise<void> {
    for (const stores of this.#opened) await stores.close();
    await this.client.db(this.database).dropDatabase();
    await this.client.close();
  }
}
