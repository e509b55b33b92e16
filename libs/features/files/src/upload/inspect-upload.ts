import type { BlobRef, BlobSpace, StagedBlob } from '#blob-store';
import { withoutLocation } from '#images';
import type { FileImage } from '../model/file.events.js';
import { type Preview, previewOf } from './preview.js';
import { contentTypeOf, isDecodable, OPAQUE } from './sniff.js';
import type { UploadSettings } from './upload-settings.js';

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
 * Judges what a staged upload is, and draws the thumbnails of an image. The bytes themselves are kept as they were sent, without the
 * place of a photo if the operator wants that; an image that cannot be drawn is a file without a preview.
 * @param sent is discarded with the result
 * @throws Refusal SERVER_NOT_READY
 */
export async function inspectUpload(
  sent: StagedBlob,
  space: BlobSpace,
  { removesLocation }: UploadSettings,
): Promise<InspectedUpload> {
  const contentType = contentTypeOf(sent);
  const content = removesLocation ? await withoutLocation(sent.path, contentType) : undefined;
  if (content === undefined) return inspected(sent, contentType, space);
  const staged = await space.stage(content);
  try {
    await sent.discard();
    return await inspected(staged, contentType, space);
  } catch (error) {
    await staged.discard();
    throw error;
  }
}

async function inspected(staged: StagedBlob, contentType: string, space: BlobSpace): Promise<InspectedUpload> {
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
