import { copyLog, CopyGoesOn, type EventStore } from '#event-store';
import type { Imported } from './imported.js';
import type { ImportTarget } from './import-target.js';

/** Result of an import that has nothing to do, since it ended before. */
export const IMPORTED_BEFORE: Imported = {
  events: 0,
  messages: 0,
  notes: ['The archive was imported before, and the server has gone on since: nothing was added to the log.'],
};

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
