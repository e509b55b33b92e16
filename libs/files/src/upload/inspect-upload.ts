import type { BlobRef, BlobSpace, StagedBlob } from '#blob-store';
import type { FileImage } from '../model/file.events.js';
import { type Preview, previewOf } from './preview.js';
import { contentTypeOf, isDecodable, OPAQUE } from './sniff.js';

/** An upload whose content is inspected and not kept yet. The caller must `keep` or `discard` it. */
export interface InspectedUpload {
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** Stores the content and the thumbnails. */
  keep(): Promise<BlobRef & { readonly image?: FileImage }>;
  discard(): Promise<void>;
}

/**
 * Judges what a staged upload is, and draws the thumbnails of an image. The bytes themselves are kept as they were sent; an image that cannot
 * be drawn is a file without a preview.
 * @throws Refusal SERVER_NOT_READY
 */
export async function inspectUpload(staged: StagedBlob, space: BlobSpace): Promise<InspectedUpload> {
  const contentType = await contentTypeOf(staged);
  const preview = isDecodable(contentType) ? await previewOf(staged) : undefined;
  return {
    // HEIC and TIFF, which most clients do not show, are files to download.
    contentType: contentType.startsWith('image/') && !isDecodable(contentType) ? OPAQUE : contentType,
    size: staged.size,
    async keep() {
      if (preview === undefined) return staged.keep();
      const image = await keptPreview(preview, space);
      return { ...(await staged.keep()), image };
    },
    discard: () => staged.discard(),
  };
}

async function keptPreview({ thumbnails, ...size }: Preview, space: BlobSpace): Promise<FileImage> {
  const kept = [];
  for (const { format, bytes } of thumbnails) kept.push({ format, ...(await space.put(bytes)) });
  return { ...size, thumbnails: kept };
}
