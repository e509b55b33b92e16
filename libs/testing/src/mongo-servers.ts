import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { SpawnedServer } from './spawned-server.js';

const ROOT = resolve(__dirname, '../../..');
const FERRETDB_DEFAULT = join(ROOT, 'node_modules/.cache/scrollback/ferretdb');

/** A server with MongoDB's protocol, for a suite. */
export interface MongoForTests {
  /** Address of a new database. */
  freshUrl(): string;
}

/**
 * Runs a suite on the server that `READ_STORE_URL` names, when it is a mongodb:// address, or else on its own FerretDB,
 * whose binary is at `FERRETDB_BIN` (test/ferretdb explains how to build it). Without either it is reported as skipped.
 */
export function describeOnMongo(name: string, suite: (server: MongoForTests) => void): void {
  if (GivenMongo.url !== undefined) {
    const given = new GivenMongo(GivenMongo.url);
    describe(name, () => {
      afterAll(() => given.dropAll());
      suite(given);
    });
    return;
  }
  if (!FerretDb.isBuilt) {
    describe.skip(`${name} (needs FERRETDB_BIN, or READ_STORE_URL=mongodb://…)`, () => suite({ freshUrl: () => '' }));
    return;
  }
  describe(name, () => {
    const ferretDb = new FerretDb();
    beforeAll(() => ferretDb.start());
    afterAll(() => ferretDb.stop());
    suite({ freshUrl: () => withDatabase(ferretDb.url, freshName()) });
  });
}

/** The server that `READ_STORE_URL` names: creates databases with random names, which `dropAll` removes. */
export class GivenMongo implements MongoForTests {
  readonly #databases: string[] = [];

  constructor(private readonly url: string) {}

  /** Undefined when the tests start their own server. */
  static get url(): string | undefined {
    const given = process.env['READ_STORE_URL'];
    return given !== undefined && /^mongodb(?:\+srv)?:/.test(given) ? given : undefined;
  }

  freshUrl(): string {
    const database = freshName();
    this.#databases.push(database);
    return withDatabase(this.url, database);
  }

  /** Drops every database that `freshUrl` named so far. */
  async dropAll(): Promise<void> {
    // Loaded here, because every spec imports this library and few need the driver.
    const { MongoClient } = await import('mongodb');
    const client = new MongoClient(this.url, { runtimeAdapters: { os } });
    for (const database of this.#databases) await client.db(database).dropDatabase();
    await client.close();
  }
}

/** A FerretDB on its own port and folder. */
export class FerretDb extends SpawnedServer {
  constructor() {
    // It decodes whole collections for most queries, and would spend a quarter of its time on collecting that garbage.
    super('ferretdb', binary(), { GOGC: '400' });
  }

  static get isBuilt(): boolean {
    return existsSync(binary());
  }

  get url(): string {
    return `mongodb://127.0.0.1:${this.port}/`;
  }
}

function binary(): string {
  return process.env['FERRETDB_BIN'] ?? FERRETDB_DEFAULT;
}

function freshName(): string {
  return `t${randomUUID().replaceAll('-', '').slice(0, 20)}`;
}

function withDatabase(url: string, database: string): string {
  const { groups } = /^(?<server>[^:]+:\/\/[^/?]+)\/?[^?]*(?<options>\?.*)?$/.exec(url) ?? {};
  return `${groups?.['server'] ?? url}/${database}${groups?.['options'] ?? ''}`;
}
