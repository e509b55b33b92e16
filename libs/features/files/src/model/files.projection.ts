import { type CollectionSchema, projection } from '#read-store';
import type { FileEvent, FileUploaded } from './file.events.js';

/** A file that is not removed; the key is its ID. */
export interface FileDocument extends Omit<FileUploaded['data'], 'userId'> {
  /** The uploader. */
  userId: number;
  /** Hashes of all its content: itself and its thumbnails. */
  blobs: readonly string[];
}

export const filesCollection = {
  name: 'files',
  key: 'integer',
  fields: { token: 'text', userId: 'integer' },
  indexes: [['token'], ['userId']],
  many: { blobs: 'text' },
} as const satisfies CollectionSchema;

/** The ID of the file whose upload has this revision in the stream `files`. */
export function fileIdOf(revision: number): number {
  return revision + 1;
}

/** Hashes of all content of an upload: the file, and its thumbnails. */
export function blobsOf({ hash, image }: FileUploaded['data']): string[] {
  return [...new Set([hash, ...(image?.thumbnails ?? []).map((thumbnail) => thumbnail.hash)])];
}

/** All files that are not removed. */
export const filesProjection = projection<FileDocument, FileEvent>(filesCollection, {
  'file.uploaded.v1': {
    keys: ({ revision }) => [fileIdOf(revision)],
    creates: true,
    evolve: (_, { data }) => ({ ...data, blobs: blobsOf(data) }),
  },
  'file.removed.v1': { keys: ({ data }) => [data.fileId] },
});

/** Size of all files of the organization. */
export interface SpaceDocument {
  bytes: number;
}

export const spaceCollection = {
  name: 'file_space',
  key: 'integer',
  fields: {},
  indexes: [],
} as const satisfies CollectionSchema;

/** The only document. */
export const SPACE_KEY = 1;

export const spaceProjection = projection<SpaceDocument, FileEvent>(spaceCollection, {
  'file.uploaded.v1': {
    keys: () => [SPACE_KEY],
    evolve: (doc, { data }) => ({ bytes: (doc?.bytes ?? 0) + data.size }),
  },
  'file.removed.v1': {
    keys: () => [SPACE_KEY],
    evolve: (doc, { data }) => ({ bytes: (doc?.bytes ?? 0) - data.size }),
  },
});
