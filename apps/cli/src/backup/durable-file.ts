import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Writes a file for its owner alone, durably and as a whole: under its name there is what was there before, or all of it. */
export async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  const draft = `${path}.tmp`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/**
 * Creates a folder for its owner alone, and those above it, durably, unless they are there. The `recursive` of Node's own `mkdir` repeats
 * for ever, deaf to signals, where the file system takes no folders, as /proc does.
 */
export async function createFolder(path: string): Promise<void> {
  const folder = resolve(path);
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  await createFolder(parent);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (await isFolder(folder)) return;
    throw new Error(`${folder} cannot be created: ${(error as Error).message}`, { cause: error });
  }
  await syncFolder(parent);
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
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
  return error instanceof Error && (isOfFullDisk(error) || isNoRoom(error.cause));
}

/** Whether this is the system's own error of a disk, or a quota, that is used up. */
export function isOfFullDisk({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT';
}
