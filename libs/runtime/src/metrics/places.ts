import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Settings } from '../settings/settings.js';
import type { Place } from './exposition.js';

/** Room where the server keeps its files. A place that cannot be asked is left out. */
export async function placesOf(settings: Settings): Promise<readonly Place[]> {
  const looked = await Promise.allSettled(
    Object.entries(foldersOf(settings)).map(([name, path]) => placeAt(name, path)),
  );
  return looked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** Folders by what they hold; those of stores on servers are not here. */
function foldersOf({ dataDir, eventStoreUrl, readStoreUrl, uploadsUrl }: Settings): Readonly<Record<string, string>> {
  const log = fileOf('sqlite', eventStoreUrl);
  const reads = fileOf('sqlite', readStoreUrl);
  const uploads = fileOf('file', uploadsUrl);
  return {
    data: dataDir,
    ...(log === undefined ? {} : { log: dirname(log) }),
    ...(reads === undefined ? {} : { 'read-models': dirname(reads) }),
    ...(uploads === undefined ? {} : { uploads }),
  };
}

function fileOf(scheme: string, url: string): string | undefined {
  const path = new RegExp(`^${scheme}:(?://)?(.+)$`).exec(url)?.[1];
  return path === undefined ? undefined : resolve(path);
}

async function placeAt(name: string, path: string): Promise<Place> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { name, freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}
