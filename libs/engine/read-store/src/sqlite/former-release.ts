import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { CollectionSchema } from '../read-store.js';
import { fingerprintOf, LAYOUT } from './catalog.js';
import { copyDatabase, dropDraft } from './snapshot-file.js';
import { UnsyncedMark } from './unsynced-mark.js';

/** Read models of another release, beside those in use: whoever goes back to it has the log read from there on, and not all of it. */
const FORMER = '.former-release';
/** The file in use, while the two change places. */
const LEAVING = '.leaving-release';
/** Names the release whose declarations a file has. */
const RELEASE = '.release';

/** In the order in which they are moved and removed: where the database is, all of it is. */
const PARTS = [RELEASE, '-wal', ''];

/**
 * What a start of a release did. `none`: the read models are this release's. `kept`: those of another one are kept, and some are built
 * anew. `returned`: those that this release left are in use again.
 */
export type FormerRelease = 'none' | 'kept' | 'returned';

/** Identifies what a release declares: the layout of the file, and its collections. Releases with the same one share read models. */
export function releaseOf(schemas: readonly CollectionSchema[]): string {
  const hash = createHash('sha256');
  for (const fingerprint of schemas.map((schema) => fingerprintOf(schema)).sort()) hash.update(`${fingerprint}\n`);
  return `${LAYOUT}-${hash.digest('hex')}`;
}

/**
 * Before the file is opened for a release: when its own read models were kept, they and those in use change places. A file of another
 * layout, which would be begun anew, is kept. Only where no connection of this process has been open: one that is closed late would remove
 * the write-ahead log of the other file.
 * @returns whether the release goes on from what was kept
 */
export function returnToRelease(path: string, release: string): boolean {
  const inUse = releaseAt(path);
  if (inUse === undefined || inUse === release || !existsSync(path)) return false;
  const isKept = isReleaseKept(path) && releaseAt(path + FORMER) === release;
  if (!isKept && inUse.startsWith(`${LAYOUT}-`)) return false;
  if (!isKept) removeAll(path + FORMER);
  settle(path);
  moveAll(path, path + LEAVING);
  moveAll(path + FORMER, path);
  moveAll(path + LEAVING, path + FORMER);
  return isKept;
}

/** Copies the read models; those of an earlier release are removed first. @throws NoRoomForSnapshot */
export async function keepRelease(path: string, signal: AbortSignal): Promise<void> {
  const release = releaseAt(path);
  // Nobody returns to it any more, and a disk that has room for one copy has none for two.
  removeAll(path + FORMER);
  await copyDatabase(path, path + FORMER, () => true, signal);
  if (release !== undefined) nameRelease(path + FORMER, release);
}

/** Whether one is kept to which somebody can go back. */
export function isReleaseKept(path: string): boolean {
  return existsSync(path + FORMER) && releaseAt(path + FORMER) !== undefined;
}

export function isOfRelease(path: string, release: string): boolean {
  return releaseAt(path) === release;
}

/** Says of which release a file is. */
export function nameRelease(path: string, release: string): void {
  if (!isOfRelease(path, release)) writeFileSync(path + RELEASE, release, { mode: 0o600 });
}

/** @returns whether there was one that is older */
export function dropFormerRelease(path: string, beforeMs: number): boolean {
  const kept = path + FORMER;
  if (!existsSync(kept) || statSync(kept).mtimeMs >= beforeMs) return false;
  removeAll(kept);
  return true;
}

/**
 * Finishes an exchange that was interrupted, or takes it back, and removes a copy that was. Each move ends with the database itself.
 */
export function finishExchange(path: string): void {
  const leaving = path + LEAVING;
  dropDraft(path + FORMER);
  if (!existsSync(leaving)) moveAll(leaving, path);
  else if (existsSync(path)) moveAll(leaving, path + FORMER);
  else {
    if (existsSync(path + FORMER)) moveAll(path, path + FORMER);
    moveAll(leaving, path);
  }
}

function releaseAt(path: string): string | undefined {
  if (!existsSync(path + RELEASE)) return undefined;
  const name = readFileSync(path + RELEASE, 'utf8');
  // A full disk has had no room for the name.
  return name === '' ? undefined : name;
}

function moveAll(from: string, to: string): void {
  // It is made again, from the write-ahead log.
  rmSync(`${from}-shm`, { force: true });
  for (const part of PARTS) if (existsSync(from + part)) renameSync(from + part, to + part);
}

/** Without its name first: nobody returns to a file that is removed in part. */
function removeAll(path: string): void {
  for (const part of [...PARTS, '-shm']) rmSync(path + part, { force: true });
}

/** What a process that was killed has written is on the disk from then on, whatever becomes of the machine. */
function settle(path: string): void {
  const mark = new UnsyncedMark(path);
  if (!mark.isSet) return;
  // In this order, as in a checkpoint: pages that are being moved are in the log until all of them are in the database.
  if (existsSync(`${path}-wal`)) sync(`${path}-wal`);
  sync(path);
  sync(dirname(path));
  mark.clear();
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
