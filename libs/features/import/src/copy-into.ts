import { copyLog, CopyGoesOn, type EventStore, streams } from '#event-store';
import type { Imported } from './imported.js';
import type { ImportTarget } from './import-target.js';
import { ownerOf } from './owner-access.js';

/**
 * Result of an import that has nothing to copy, since it ended before. An owner without a password, from an import that was killed
 * before its last step, is let in.
 */
export async function importedBefore(target: ImportTarget): Promise<Imported> {
  const directory = target.newDirectory();
  for await (const page of target.events.readAll({ streamPrefixes: [streams.organization] }))
    for (const event of page) directory.apply(event);
  const { passwordHash, apiKey } = ownerOf(directory) ?? {};
  // In an archive zeros stand for a credential.
  const hasKey = /[^0]/.test(apiKey?.hash ?? '');
  if (passwordHash === undefined && !hasKey) await target.giveOwnerAccess(directory);
  return {
    events: 0,
    messages: 0,
    notes: ['The archive was imported before, and the server has gone on since: nothing of it was added to the log.'],
  };
}

/**
 * Copies the log of an archive, or the rest of it.
 * @param events how many there are
 * @returns false when the import ended before: the last events of an import are in no archive
 * @throws NotACopy
 */
export async function copyInto(
  log: Pick<EventStore, 'readAll'>,
  { events: store, signal, inFlightMax, onProgress }: ImportTarget,
  events: number,
): Promise<boolean> {
  try {
    await copyLog(log, store, {
      signal,
      inFlightMax,
      onProgress: ({ found, copied }) => {
        onProgress('Importing', found + copied, events);
      },
    });
    return true;
  } catch (error) {
    if (error instanceof CopyGoesOn) return false;
    throw error;
  }
}
