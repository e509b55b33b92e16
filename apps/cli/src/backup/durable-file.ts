import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFolderDurably, syncFolder, withCauses } from '#kernel';

/** Writes a file for its owner alone, durably and as a whole: under its name there is what was there before, or all of it. */
export async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  const draft = `${path}.tmp`;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    // On a full disk it would take the room that its operator makes, and nobody reads it.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Creates a folder for its owner alone, and those above it, durably, unless they are there. */
export async function createDurably(path: string): Promise<void> {
  await createFolderDurably(path).catch((error: unknown) => {
    const { path: folder = path, message } = error as NodeJS.ErrnoException;
    throw new Error(`${folder} cannot be created: ${message}`, { cause: error });
  });
}

/** Says which disk is full when work on a folder fails for lack of room. */
export async function orNoRoom<Result>(folder: string, advice: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isNoRoom(error)) throw error;
    throw new Error(`There is no room left in ${folder}. ${advice}`, { cause: error });
  }
}

/** Whether the error is, or follows from, one of a full disk. */
function isNoRoom(error: unknown): boolean {
  return withCauses(error).some(isOfFullDisk);
}

/** Whether this is the system's own error of a disk, or a quota, that is used up. */
export function isOfFullDisk({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT';
}
