import { FerretDb, GivenMongo } from '#testing';
import { EventStoreDbStandIn } from '../eventstoredb/index.js';

/** Stores that several processes can share: an EventStoreDB stand-in, and a server with MongoDB's protocol. */
export interface SharedStores {
  readonly standIn: EventStoreDbStandIn;
  /** Settings that select them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Discards the whole read store. No process may be using it. */
  forgetReadModels(): Promise<void>;
  stop(): Promise<void>;
}

/** Shared stores whose read store's server the suite can also stop and freeze. */
export interface StoppableStores extends SharedStores {
  readonly ferretDb: FerretDb;
}

/** The read store is a fresh database on the server that READ_STORE_URL names, or its own FerretDB. */
export async function openSharedStores(): Promise<SharedStores> {
  if (GivenMongo.url === undefined) return openStoppableStores();
  const standIn = await EventStoreDbStandIn.start();
  const given = new GivenMongo(GivenMongo.url);
  const url = given.freshUrl();
  return {
    standIn,
    environment: environmentOf(standIn, url),
    forgetReadModels: () => given.dropAll(),
    stop: async () => {
      await given.dropAll();
      await standIn.stop();
    },
  };
}

/** The read store is its own FerretDB. */
export async function openStoppableStores(): Promise<StoppableStores> {
  const standIn = await EventStoreDbStandIn.start();
  const ferretDb = new FerretDb();
  await ferretDb.start();
  return {
    standIn,
    ferretDb,
    environment: environmentOf(standIn, `${ferretDb.url}scrollback`),
    forgetReadModels: () => ferretDb.forget(),
    stop: async () => {
      await ferretDb.stop();
      await standIn.stop();
    },
  };
}

function environmentOf(standIn: EventStoreDbStandIn, readStoreUrl: string): Record<string, string> {
  return {
    EVENT_STORE_URL: standIn.url,
    READ_STORE_URL: readStoreUrl,
    SECRET_KEY: 'a secret that all processes of a test share',
  };
}
