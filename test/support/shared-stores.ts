import { FerretDb } from '#testing';
import { EventStoreDbStandIn } from '../eventstoredb/index.js';

/** Stores that several processes can share: an EventStoreDB stand-in, and a server that speaks MongoDB's protocol. */
export interface SharedStores {
  readonly standIn: EventStoreDbStandIn;
  readonly ferretDb: FerretDb;
  /** The settings that lead a server to them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Throws the whole read store away. No process may be using it. */
  forgetReadModels(): Promise<void>;
  stop(): Promise<void>;
}

export async function openSharedStores(): Promise<SharedStores> {
  const standIn = await EventStoreDbStandIn.start();
  const ferretDb = new FerretDb();
  await ferretDb.start();
  return {
    standIn,
    ferretDb,
    environment: {
      EVENT_STORE_URL: standIn.url,
      READ_STORE_URL: `${ferretDb.url}scrollback`,
      SECRET_KEY: 'a secret that all processes of a test share',
    },
    forgetReadModels: () => ferretDb.forget(),
    stop: async () => {
      await ferretDb.stop();
      await standIn.stop();
    },
  };
}
