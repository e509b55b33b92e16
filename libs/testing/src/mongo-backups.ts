import os from 'node:os';
import type { Document, MongoClient } from 'mongodb';

/** Documents by collection. */
export type MongoBackup = ReadonlyMap<string, readonly Document[]>;

/** Signals are lost at any time, and a lease is somebody's. */
const NOT_BACKED_UP = new Set(['leases', 'signals']);

/** Collection that tells where the read models stand. */
const STATE = 'state';

/** Backs up a database, and puts it back under whoever reads and writes it, as an operator may. */
export class MongoBackups {
  private constructor(private readonly client: MongoClient) {}

  static async on(url: string): Promise<MongoBackups> {
    // Loaded here, because every spec imports this library and few need the driver.
    const { MongoClient } = await import('mongodb');
    return new MongoBackups(await new MongoClient(url, { runtimeAdapters: { os } }).connect());
  }

  /** What tells where the read models stand is read first: documents that are newer than it are written again, as they are. */
  async backUp(): Promise<MongoBackup> {
    const found = new Map<string, readonly Document[]>();
    for (const name of await this.#names()) found.set(name, await this.client.db().collection(name).find().toArray());
    return found;
  }

  /**
   * Removes everything without a backup. What tells where the read models stand goes first, and comes last: documents that vanish
   * before it do so unnoticed (ADR 30).
   */
  async putBack(backup: MongoBackup = new Map()): Promise<void> {
    const database = this.client.db();
    for (const name of await this.#names()) await database.collection(name).deleteMany({});
    for (const name of [...backup.keys()].reverse())
      for (const document of backup.get(name) ?? []) {
        const replace = () =>
          database.collection(name).replaceOne({ _id: document['_id'] }, document, { upsert: true });
        // A writer may begin anew meanwhile, and not every server replaces or inserts in one step.
        await replace().catch(replace);
      }
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  /** `state` first. */
  async #names(): Promise<string[]> {
    const collections = await this.client.db().listCollections({}, { nameOnly: true }).toArray();
    const others = collections.map(({ name }) => name).filter((name) => name !== STATE && !NOT_BACKED_UP.has(name));
    return [STATE, ...others];
  }
}
