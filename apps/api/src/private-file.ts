import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/** Writes a file that nobody else may read, whole or not at all: a kill never leaves half of it. Replaces what is there. */
export function writePrivateFile(path: string, content: string): void {
  renameSync(writeDraft(path, content), path);
}

/** Like `writePrivateFile`, unless there is such a file: of two processes that try at once, one wins and both read its file. */
export function createPrivateFile(path: string, content: string): void {
  const draft = writeDraft(path, content);
  try {
    linkSync(draft, path);
  } catch (error) {
    // Some file systems have no links; there a race at the very first start is all that is lost.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDraft(path: string, content: string): string {
  const draft = `${path}.${process.pid}.draft`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return draft;
}
