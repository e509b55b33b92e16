import { join } from 'node:path';
import { type BlobStore, BlobStoreUnavailable, KeepingBlobStore, openBlobStore } from '#blob-store';
import type { Logger } from '#http';
import { isEmbedded, type Settings } from './settings/settings.js';
import { SettingsError } from './settings/settings-error.js';
import { asUnusable } from './settings/unusable-file.js';

/**
 * A quiet server removes no content: that may be of the server whose copy it is.
 * @throws SettingsError when the folder, or the file with the certificates to trust, cannot be used
 */
export function blobStoreOf(settings: Settings): BlobStore {
  const { uploadsUrl, dataDir, quiet } = settings;
  try {
    const options = { isOnlyUser: isEmbedded(settings), stagingFolder: join(dataDir, 'incoming') };
    const blobs = openBlobStore(uploadsUrl, options);
    return quiet ? new KeepingBlobStore(blobs) : blobs;
  } catch (error) {
    if (uploadsUrl.startsWith('file:')) throw asUnusable('UPLOADS_URL', uploadsUrl, error);
    const { code } = error as NodeJS.ErrnoException;
    // The address may contain a secret.
    throw new SettingsError(`UPLOADS_URL: the file of its option tlsCAFile cannot be read: ${String(code)}.`);
  }
}

/**
 * Removes what interrupted uploads have left behind, before there are others. A storage on another machine may be away at
 * the start: files cannot be used until it is back, and everything else can.
 * @throws SettingsError when the folder on the local disk cannot be used
 */
export async function cleanUpBlobs(blobs: BlobStore, { uploadsUrl }: Settings, logger: Logger): Promise<void> {
  try {
    await blobs.cleanUp();
  } catch (error) {
    if (uploadsUrl.startsWith('file:')) throw asUnusable('UPLOADS_URL', uploadsUrl, error);
    if (!(error instanceof BlobStoreUnavailable)) throw error;
    logger.warn({ reason: error.message }, 'UPLOADS_URL: files cannot be used at the moment.');
  }
}
