import type { Metadata } from 'sharp';
import { decoding, type ImageSource, openImage, tooLarge, undecodable } from './decoder.js';
import { AVIF_PIXELS_MAX, PIXELS_MAX, SIDE_MAX } from './image-limits.js';
import { inLane } from './lanes.js';

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif';

/** What the head of an image says, judged by its content and never by its name. */
export interface ImageInfo {
  readonly format: ImageFormat;
  readonly contentType: string;
  /** Size of one frame in pixels, after its orientation is applied. */
  readonly width: number;
  readonly height: number;
  /** 1 for a still image. */
  readonly frames: number;
}

export const CONTENT_TYPES: Readonly<Record<ImageFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
};

/** EXIF orientations from this one on turn the image by a quarter. */
const FIRST_QUARTER_TURN = 5;

/**
 * Reads the head of an image.
 * @throws Refusal BAD_IMAGE when it is none, or one frame is too large to decode; SERVER_NOT_READY
 */
export function identifyImage(source: ImageSource): Promise<ImageInfo> {
  return inLane(0, () => decoding(async () => infoOf(await (await openImage(source, 1)).metadata())));
}

function infoOf(metadata: Metadata): ImageInfo {
  const { width, height, pageHeight = height, orientation = 1 } = metadata;
  const format = formatOf(metadata);
  // Of the pictures in one AVIF file, only the first is shown.
  const pages = format === 'avif' ? 1 : (metadata.pages ?? 1);
  if (format === undefined || width === 0 || pageHeight === 0) throw undecodable();
  if (width > SIDE_MAX || pageHeight > SIDE_MAX) throw tooLarge();
  if (width * pageHeight > (format === 'avif' ? AVIF_PIXELS_MAX : PIXELS_MAX)) throw tooLarge();
  const turned = orientation >= FIRST_QUARTER_TURN;
  return {
    format,
    contentType: CONTENT_TYPES[format],
    width: turned ? pageHeight : width,
    height: turned ? width : pageHeight,
    frames: pages,
  };
}

function formatOf({ format, compression }: Metadata): ImageFormat | undefined {
  if (format === 'heif') return compression === 'av1' ? 'avif' : undefined;
  return isKnown(format) ? format : undefined;
}

function isKnown(format: string): format is ImageFormat {
  return Object.hasOwn(CONTENT_TYPES, format);
}
