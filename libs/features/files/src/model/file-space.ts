import type { BlobSpace, BlobStore } from '#blob-store';
import type { EventHandlers } from '#event-store';
import type { ContentSource, OwnedContent } from '#feature';
import type { FileEvent } from './file.events.js';
import { fileIdOf } from './files.projection.js';

const SPACE = 'files';

/** Content of uploaded files and of their thumbnails. */
export function fileSpaceOf(blobs: BlobStore): BlobSpace {
  return blobs.space(SPACE);
}

/** Content in the blob store that each file owns. */
const on: EventHandlers<FileEvent, [], OwnedContent> = {
  'file.uploaded.v1': ({ revision, data: { hash, image } }) => ({
    owner: String(fileIdOf(revision)),
    hashes: [hash, ...(image?.thumbnails ?? []).map((thumbnail) => thumbnail.hash)],
  }),
  'file.removed.v1': ({ data: { fileId } }) => ({ owner: String(fileId), hashes: [] }),
};

export const fileContents: ContentSource = { space: SPACE, on };
