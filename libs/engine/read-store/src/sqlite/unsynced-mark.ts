import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Linux identifies each boot of the operating system here. */
const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id';

/** Identifies the current boot of the operating system; empty when unknown. */
function bootId(): string {
  try {
    return readFileSync(BOOT_ID_FILE, 'utf8').trim();
  } catch {
    return '';
  }
}

/**
 * Small file beside a database that records: pages were moved into it without a sync, since this boot of the operating
 * system. A killed process loses nothing by that, since the system still has the pages. After a crash of the machine
 * the database may hold any mixture of old and new pages, which no check of its structure finds.
 */
export class UnsyncedMark {
  readonly path: string;

  constructor(
    databasePath: string,
    private readonly boot = bootId(),
  ) {
    this.path = `${databasePath}.unsynced`;
  }

  /**
   * Whether a crash of the machine can be distinguished from the end of a process. Otherwise everything has to be
   * synced.
   */
  get isPossible(): boolean {
    return this.boot !== '';
  }

  get isSet(): boolean {
    return existsSync(this.path);
  }

  /** Whether the machine went down before the pages were synced. */
  get isFromBefore(): boolean {
    return this.isSet && (!this.isPossible || readFileSync(this.path, 'utf8').trim() !== this.boot);
  }

  /** Resolves when the mark itself would survive a crash of the machine. */
  async set(): Promise<void> {
    try {
      await this.#write();
    } catch (error) {
      // An empty mark would cost a rebuild.
      this.clear();
      throw error;
    }
  }

  async #write(): Promise<void> {
    const file = await open(this.path, 'w', 0o600);
    try {
      await file.writeFile(`${this.boot}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    const folder = await open(dirname(this.path), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** A mark that reappears after a crash of the machine only costs a rebuild. */
  clear(): void {
    rmSync(this.path, { force: true });
  }
}

/** Suffix of the file that says that a database is damaged, for the next start. */
const DAMAGED = '.rebuild';

/** Records that the database is damaged, so that the next start begins anew. */
export function markDamaged(databasePath: string): void {
  writeFileSync(databasePath + DAMAGED, '', { mode: 0o600 });
}

/** Moves a database that is marked as damaged away. @returns whether there was one */
export function setAsideIfMarked(databasePath: string): boolean {
  if (!existsSync(databasePath + DAMAGED)) return false;
  setAside(databasePath);
  return true;
}

/** Moves a damaged database away, in place of an earlier one. */
export function setAside(databasePath: string): void {
  for (const suffix of ['', '-wal']) {
    rmSync(`${databasePath}.damaged${suffix}`, { force: true });
    if (existsSync(databasePath + suffix)) renameSync(databasePath + suffix, `${databasePath}.damaged${suffix}`);
  }
  // Last, so that an interrupted removal is finished by the next start.
  for (const suffix of ['-shm', '.unsynced', DAMAGED]) rmSync(databasePath + suffix, { force: true });
}

/** Removes a database. */
export function discard(databasePath: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(databasePath + suffix, { force: true });
}

/**
 * Removes a database that a crash of the machine may have damaged; it is rebuilt from the log.
 * @returns whether there was one
 */
export function discardIfUnsound(databasePath: string, mark = new UnsyncedMark(databasePath)): boolean {
  if (!mark.isFromBefore) return false;
  discard(databasePath);
  // Last, so that an interrupted discard is finished by the next start.
  mark.clear();
  return true;
}
