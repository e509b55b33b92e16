import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file that only its owner can read, atomically: a kill never leaves half of it. Replaces an existing file.
 * @throws errors of the disk; nothing is left of the draft then
 */
export function writePrivateFile(path: string, content: string): void {
  const draft = writeDraft(path, content);
  try {
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Like `writePrivateFile`, unless the file exists: of two processes that create it at once, one wins and both read its
 * file.
 */
export function createPrivateFile(path: string, content: string): void {
  const draft = writeDraft(path, content);
  try {
    linkSync(draft, path);
  } catch (error) {
    // Some file systems have no links; there, only the very first start has a race.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** @throws errors of the disk; nothing is left of the draft then */
function writeDraft(path: string, content: string): string {
  const draft = `${path}.${process.pid}.draft`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  try {
    // All of it: a single write takes as much as there is room for, and does not fail.
    writeFileSync(file, content);
    fsyncSync(file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return draft;
}
