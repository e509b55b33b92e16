import { createHmac } from 'node:crypto';
import { WrongStreamPrefix } from '#event-store';
import type { ReadStores } from '#read-store';

const KIND = 'log';
const ID = 'stream-prefix';

/** A projection that has existed from the first release on. */
const PROJECTION = 'messages';

/** Fingerprint of the secret that all processes of an organization share. It reveals nothing about the secret. */
export function ownerOf(secret: string): string {
  return createHmac('sha256', secret).update('scrollback: the owner of a log').digest('hex').slice(0, 32);
}

/**
 * Refuses a prefix that differs from that of the log behind the read models.
 * @throws WrongStreamPrefix, ReadStoreUnavailable
 */
export async function assertSamePrefix(reads: ReadStores, prefix: string): Promise<void> {
  const kept = await keptPrefix(reads);
  if (kept === undefined || kept === prefix) return;
  throw new WrongStreamPrefix(prefix, kept, 'the read models at READ_STORE_URL follow a log');
}

/**
 * Stores the prefix beside the read models, once the event store has accepted it.
 * @throws ReadStoreUnavailable
 */
export async function keepPrefix({ side }: ReadStores, prefix: string): Promise<void> {
  if ((await side.get(KIND, ID))?.['prefix'] !== prefix) await side.put(KIND, ID, { prefix });
}

async function keptPrefix(reads: ReadStores): Promise<string | undefined> {
  const kept = (await reads.side.get(KIND, ID))?.['prefix'];
  if (typeof kept === 'string') return kept;
  return (await hasReadModels(reads)) ? '' : undefined;
}

/** Read models from before prefixes existed follow a log without one. */
async function hasReadModels(reads: ReadStores): Promise<boolean> {
  if (reads.kind === 'shared') return (await reads.progress.position()) > 0;
  return (await reads.readStore.checkpoint(PROJECTION)) !== undefined;
}
