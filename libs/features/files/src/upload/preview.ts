import type { StagedBlob } from '#blob-store';
import { identifyImage, thumbnailImage } from '#images';
import { Refusal } from '#kernel';
import { THUMBNAIL_FORMATS } from '#realm/model';
import type { FileImage } from '../model/file.events.js';

/** An uploaded image and its thumbnails, which are not kept yet. */
export interface Preview extends Omit<FileImage, 'thumbnails'> {
  readonly thumbnails: readonly { readonly format: string; readonly bytes: Buffer }[];
}

/**
 * Draws the thumbnails of an image in all formats that fit it: animated ones only of animations.
 * @returns undefined for an image that is broken or too large to draw
 * @throws Refusal SERVER_NOT_READY
 */
export async function previewOf({ path }: StagedBlob): Promise<Preview | undefined> {
  const image = await drawn(() => identifyImage(path));
  if (image === undefined) return undefined;
  const { width, height, frames } = image;
  const thumbnails = [];
  for (const { name: format, max_width, max_height, animated: isAnimated } of THUMBNAIL_FORMATS) {
    if (isAnimated && frames === 1) continue;
    const size = { width: max_width, height: max_height, isAnimated };
    const thumbnail = await drawn(() => thumbnailImage(path, size));
    if (thumbnail !== undefined) thumbnails.push({ format, bytes: thumbnail.bytes });
    // An animation that breaks off later is shown by its first frame.
    else if (!isAnimated) return undefined;
  }
  return { width, height, frames, thumbnails };
}

/** The result; undefined when the image cannot be drawn. */
async function drawn<Result>(draw: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await draw();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'BAD_IMAGE') return undefined;
    throw error;
  }
}
