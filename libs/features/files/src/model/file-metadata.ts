import type { ReferencedFile } from '#messages';
import type { FileUploaded } from './file.events.js';
import { thumbnailUrlOf } from './file-path.js';

/** Properties of a file by which it is shown. */
export function metadataOf(
  file: Pick<FileUploaded['data'], 'contentType' | 'image' | 'token' | 'name'>,
): ReferencedFile['metadata'] {
  const { contentType, image } = file;
  if (image !== undefined) {
    const { width, height, frames } = image;
    return { contentType, width, height, animated: frames > 1, thumbnailUrl: thumbnailUrlOf(file) };
  }
  // Images that this server does not decode, such as HEIC, most clients do not show either.
  return { contentType: contentType.startsWith('image/') ? 'application/octet-stream' : contentType };
}
