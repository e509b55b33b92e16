import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openAsyncConnection } from './async-connection.js';
import { discard } from './unsynced-mark.js';

const SNAPSHOT = '.snapshot';
const DRAFT = '.draft';
/** What is written meanwhile is synced a little at a time: one sync of all of it would delay those of the event log for as long. */
const SYNC_EVERY_MS = 200;
/** Room that must be free, in sizes of the database: for the draft, and as much again for everything else. */
const ROOM = 2;

/** There is not enough room on the disk for a snapshot, which is no reason to fill it. */
export class NoRoomForSnapshot extends Error {
  constructor(path: string) {
    super(`There is no room for a snapshot beside ${path}.`);
    this.name = 'NoRoomForSnapshot';
  }
}

/** Copies a database into the snapshot beside it, as `copyDatabase`. */
export function takeSnapshot(path: string, isWanted: () => boolean, signal: AbortSignal): Promise<void> {
  return copyDatabase(path, path + SNAPSHOT, isWanted, signal);
}

/**
 * Copies a database, as it is at one moment, into another file beside it, on a thread of the driver; in place of a former copy, which
 * stays until this one is on the disk.
 * @param isWanted is asked when the copy is made: what it is a copy of may have been replaced
 * @throws NoRoomForSnapshot; errors of the driver and of the file system
 */
export async function copyDatabase(
  path: string,
  copy: string,
  isWanted: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path));
  if (bavail * bsize < ROOM * sizeOf(path)) throw new NoRoomForSnapshot(path);
  const draft = copy + DRAFT;
  dropDraft(copy);
  // Created here first, because SQLite would make it readable for all users.
  const file = await open(draft, 'wx', 0o600);
  const connection = openAsyncConnection(path);
  const interrupt = (): void => {
    connection.interrupt();
  };
  signal.addEventListener('abort', interrupt);
  const done = new AbortController();
  const syncing = syncNowAndThen(file, done.signal);
  // Met below, when the copy has ended: until then it must not end the process.
  syncing.catch(() => undefined);
  try {
    signal.throwIfAborted();
    await connection.exec(`VACUUM INTO '${draft.replaceAll("'", "''")}'`);
    done.abort();
    await syncing;
    await file.sync();
    signal.throwIfAborted();
    if (isWanted()) await rename(draft, copy);
  } finally {
    done.abort();
    signal.removeEventListener('abort', interrupt);
    connection.close();
    await syncing.catch(() => undefined);
    await file.close();
    await rm(draft, { force: true });
  }
}

async function syncNowAndThen(file: FileHandle, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await file.datasync();
    await pause(SYNC_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Removes what a process that was killed in the midst of a copy has left: nobody goes on from it, and it takes the room of a copy. */
export function dropDraft(copy: string): void {
  for (const suffix of ['', '-journal']) rmSync(copy + DRAFT + suffix, { force: true });
}

/** Removes what is left of a snapshot whose process was killed. */
export function dropSnapshotDraft(path: string): void {
  dropDraft(path + SNAPSHOT);
}

/** When the snapshot was made, in milliseconds since the epoch; undefined when there is none. */
export function snapshotTakenAtMs(path: string): number | undefined {
  return existsSync(path + SNAPSHOT) ? statSync(path + SNAPSHOT).mtimeMs : undefined;
}

/** Removes a snapshot of what is not valid any more. */
export function dropSnapshot(path: string): void {
  rmSync(path + SNAPSHOT, { force: true });
}

/**
 * Makes the snapshot the database, when there is none. It is moved and not copied: one that turns out to be damaged is not used twice.
 * @returns when it was made, in milliseconds since the epoch; undefined when there was nothing to do
 */
export function adoptSnapshot(path: string): number | undefined {
  const takenAtMs = snapshotTakenAtMs(path);
  if (takenAtMs === undefined || existsSync(path)) return undefined;
  // A write-ahead log without its database would be applied to another one.
  discard(path);
  renameSync(path + SNAPSHOT, path);
  return takenAtMs;
}

function sizeOf(path: string): number {
  const size = (name: string): number => (existsSync(name) ? statSync(name).size : 0);
  return size(path) + size(`${path}-wal`);
}
