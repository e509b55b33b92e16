import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createFolderSync } from '#kernel';
import { type BlobStore, BlobStoreUnavailable } from './blob-store.js';
import { DiskBlobStore } from './disk-blob-store.js';
import { type S3Address, s3AddressOf } from './s3/s3-address.js';
import { S3BlobStore } from './s3/s3-blob-store.js';

export interface BlobStoreOptions {
  /** Whether no other process uses the store. */
  readonly isOnlyUser: boolean;
  /** Local folder for content that is not complete yet, where the store is none itself. */
  readonly stagingFolder?: string;
  /** Whether a missing folder is an error, and is not created: for reading alone. */
  readonly mustExist?: boolean;
}

/** The place that an address names. */
type Place = { readonly folder: string } | { readonly s3: S3Address };

/** @throws TypeError */
function placeOf(url: string): Place {
  const [, path] = /^file:(?:\/\/(?=\/))?(.+)$/s.exec(url) ?? [];
  if (path !== undefined) return { folder: resolve(path) };
  if (url.startsWith('s3:')) return { s3: s3AddressOf(url) };
  throw new TypeError('it is no address of a storage of files: file:PATH or s3://KEY:SECRET@host:port/bucket.');
}

/** Why the text is no address of a store (setting `UPLOADS_URL`). */
export function blobStoreComplaint(url: string): string | undefined {
  try {
    placeOf(url);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be used.';
  }
}

/**
 * Opens the store that an address names: `file:PATH`, whose folder is created when it is missing, or
 * `s3://KEY:SECRET@host:port/bucket/prefix?region=…`, which is connected to when it is used.
 * @throws TypeError for another address; BlobStoreUnavailable when the folder must exist and does not; errors of the file system when the folder, or the file with the certificates to
 * trust, cannot be used
 */
export function openBlobStore(url: string, options: BlobStoreOptions): BlobStore {
  const { isOnlyUser, stagingFolder = join(tmpdir(), 'scrollback-incoming'), mustExist = false } = options;
  const place = placeOf(url);
  if ('s3' in place) return new S3BlobStore(place.s3, { isOnlyUser, stagingFolder });
  if (mustExist && !existsSync(place.folder)) throw new BlobStoreUnavailable(`There is no folder ${place.folder}.`);
  createFolderSync(place.folder);
  return new DiskBlobStore(place.folder, isOnlyUser);
}
