import { fdatasync, openSync, write } from 'node:fs';

/**
 * Writes bodies to the end of a file, with one fdatasync for everything that waited meanwhile.
 * @param synced called with each batch of entries once it is durable
 * @returns takes an entry with its `body`
 */
export function syncedBatches(path, synced) {
  const file = openSync(path, 'a');
  let waiting = [];
  let syncing = false;
  function sync() {
    if (syncing || waiting.length === 0) return;
    syncing = true;
    const batch = waiting;
    waiting = [];
    write(file, Buffer.concat(batch.map(({ body }) => body)), (writeError) => {
      if (writeError) throw writeError;
      fdatasync(file, (syncError) => {
        if (syncError) throw syncError;
        syncing = false;
        synced(batch);
        sync();
      });
    });
  }
  return (entry) => {
    waiting.push(entry);
    if (!syncing && waiting.length === 1) setImmediate(sync);
  };
}
