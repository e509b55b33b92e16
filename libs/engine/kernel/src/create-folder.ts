import { mkdirSync, statSync } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** For its owner alone. */
const PRIVATE = { mode: 0o700 };

/**
 * Creates a folder for its owner alone, and those above it, unless they are there. The `recursive` of Node's own `mkdir` repeats for ever,
 * deaf to signals, where the file system takes no folders, as /proc does.
 * @returns the topmost one that was created; undefined when all were there
 * @throws the file system's error, which names the folder
 */
export async function createFolder(path: string): Promise<string | undefined> {
  const folder = resolve(path);
  try {
    return await createOne(folder);
  } catch (error) {
    if (!isOf('ENOENT', error)) throw error;
  }
  const above = await createFolder(dirname(folder));
  const made = await createOne(folder);
  return above ?? made;
}

/** As `createFolder`; a power failure does not undo it. */
export async function createFolderDurably(path: string): Promise<void> {
  const created = await createFolder(path);
  if (created === undefined) return;
  for (let at = resolve(path); at.length >= created.length; at = dirname(at)) await syncFolder(dirname(at));
}

/** Makes durable which entries a folder has. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** As `createFolder`, for a start. */
export function createFolderSync(path: string): string | undefined {
  const folder = resolve(path);
  try {
    return createOneSync(folder);
  } catch (error) {
    if (!isOf('ENOENT', error)) throw error;
  }
  const above = createFolderSync(dirname(folder));
  const made = createOneSync(folder);
  return above ?? made;
}

/** @returns undefined when it is there, perhaps since another process has created it meanwhile */
async function createOne(folder: string): Promise<string | undefined> {
  try {
    await mkdir(folder, PRIVATE);
    return folder;
  } catch (error) {
    const found = await stat(folder).catch((missing: unknown) => {
      // A link that leads nowhere exists, and is none.
      throw isOf('EEXIST', error) ? missing : error;
    });
    if (found.isDirectory()) return undefined;
    throw error;
  }
}

function createOneSync(folder: string): string | undefined {
  try {
    mkdirSync(folder, PRIVATE);
    return folder;
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
    // Throws for a link that leads nowhere.
    if (isOf('EEXIST', error)) statSync(folder);
    throw error;
  }
}

function isOf(code: string, error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
