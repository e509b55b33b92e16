import os from 'node:os';
import { MongoClient, type Collection, type MongoClientOptions } from 'mongodb';
import { MongoProxy } from './index.js';

export interface Note {
  _id: number;
  text: string;
}

/** A pool of one connection, so that what is cut or held is the connection that is used; and nothing is tried twice. */
const ONE = { maxPoolSize: 1, minPoolSize: 0, retryWrites: false, retryReads: false, serverSelectionTimeoutMS: 3_000 };

/** A proxy before a server, clients of it, and one that goes past it. */
export class ProxyFixture {
  readonly #clients: MongoClient[] = [];
  readonly #direct: MongoClient;

  private constructor(
    readonly proxy: MongoProxy,
    url: string,
  ) {
    this.#direct = this.client(url);
  }

  static async start(url: string): Promise<ProxyFixture> {
    return new ProxyFixture(await MongoProxy.start(url), url);
  }

  client(url: string, options: MongoClientOptions = {}): MongoClient {
    const client = new MongoClient(url, { runtimeAdapters: { os }, ...ONE, ...options });
    this.#clients.push(client);
    return client;
  }

  /** A collection, by a client of its own that goes through the proxy. */
  notes(options: MongoClientOptions = {}): Collection<Note> {
    return notesOf(this.client(this.proxy.url, options));
  }

  /** The keys that the server really has. */
  async stored(): Promise<readonly number[]> {
    const found = await notesOf(this.#direct).find({}).sort({ _id: 1 }).toArray();
    return found.map(({ _id }) => _id);
  }

  async stop(): Promise<void> {
    await this.proxy.heal();
    await this.#direct.db().dropDatabase();
    for (const client of this.#clients) await client.close();
    await this.proxy.stop();
  }
}

export function notesOf(client: MongoClient): Collection<Note> {
  return client.db().collection<Note>('notes');
}

export function note(_id: number): Note {
  return { _id, text: `note ${_id}` };
}

export async function failureOf(promise: Promise<unknown>): Promise<any> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
