import { open } from 'node:fs/promises';
import type { BlobRef, BlobSpace, StagedBlob } from '#blob-store';
import { cleanImage, type DrawnImage, type ImageSource, thumbnailImage } from '#images';
import { Refusal } from '#kernel';
import { THUMBNAIL_FORMATS } from '#organization';
import type { FileImage } from '../model/file.events.js';
import { claimsToBeImage, isDecodable, OPAQUE, sniff, SNIFFED_BYTES } from './sniff.js';

/** Name and type as the sender gives them. */
export interface Claims {
  readonly name: string;
  readonly mimeType: string;
}

/** An upload whose content is inspected and not kept yet. */
export interface CleanUpload {
  readonly contentType: string;
  /** Size of what will be kept, in bytes. */
  readonly size: number;
  /** Stores the content and the thumbnails. */
  keep(): Promise<BlobRef & { readonly image?: FileImage }>;
}

/**
 * Judges what a staged upload is. An image is drawn anew without its metadata, which may tell where it was taken, and gets
 * its thumbnails.
 * @throws Refusal BAD_IMAGE for an image that is broken, too large to decode, or none
 */
export async function cleanUpload(staged: StagedBlob, claims: Claims, space: BlobSpace): Promise<CleanUpload> {
  const contentType = sniff(await headOf(staged), staged.size <= SNIFFED_BYTES);
  if (isDecodable(contentType)) return imageUpload(staged.path, space);
  if (claimsToBeImage(claims.name, claims.mimeType) && !contentType.startsWith('image/'))
    throw new Refusal('BAD_IMAGE', 'Could not decode image; did you upload an image file?');
  // HEIC, which cannot be decoded here, and TIFF, which may have many pages and deep colours that would be lost, are files to download.
  const kept = contentType.startsWith('image/') ? OPAQUE : contentType;
  return { contentType: kept, size: staged.size, keep: () => staged.keep() };
}

async function headOf({ path, size }: StagedBlob): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, SNIFFED_BYTES)));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function imageUpload(path: string, space: BlobSpace): Promise<CleanUpload> {
  const clean = await cleanImage(path);
  const thumbnails = await drawThumbnails(clean.bytes, clean);
  return {
    contentType: clean.contentType,
    size: clean.bytes.length,
    async keep() {
      const kept = [];
      for (const { format, bytes } of thumbnails) kept.push({ format, ...(await space.put(bytes)) });
      const { width, height, frames } = clean;
      return { ...(await space.put(clean.bytes)), image: { width, height, frames, thumbnails: kept } };
    },
  };
}

/** Thumbnails in all formats that fit the image: animated ones only of animations. */
async function drawThumbnails(
  source: ImageSource,
  { frames }: Pick<DrawnImage, 'frames'>,
): Promise<{ readonly format: string; readonly bytes: Buffer }[]> {
  const drawn = [];
  for (const { name, max_width: width, max_height: height, animated: isAnimated } of THUMBNAIL_FORMATS) {
    if (isAnimated && frames === 1) continue;
    const { bytes } = await thumbnailImage(source, { width, height, isAnimated });
    drawn.push({ format: name, bytes });
  }
  return drawn;
}
