import type { ImageSource } from './decoder.js';
import { drawImage, type DrawnImage } from './draw-image.js';
import type { ImageInfo } from './identify-image.js';
import { FRAMES_MAX, THUMBNAIL_PIXELS_MAX } from './image-limits.js';

/** A square PNG of the middle of the image: an avatar or an icon. Of an animation, the first frame. */
export function squareImage(source: ImageSource, side: number): Promise<DrawnImage> {
  return drawImage(source, () => ({
    format: 'png',
    frames: 1,
    resize: { width: side, height: side, fit: 'cover' },
  }));
}

/** The whole image as a still PNG within a frame, never enlarged: a logo. */
export function fittedImage(source: ImageSource, width: number, height: number): Promise<DrawnImage> {
  return drawImage(source, () => ({
    format: 'png',
    frames: 1,
    resize: { width, height, fit: 'inside', withoutEnlargement: true },
  }));
}

export interface ThumbnailSize {
  readonly width: number;
  readonly height: number;
  /** Of a long animation, the frames at the beginning alone are drawn (`THUMBNAIL_PIXELS_MAX`). */
  readonly isAnimated: boolean;
}

/** The whole image as WebP within a frame, never enlarged. */
export function thumbnailImage(source: ImageSource, { width, height, isAnimated }: ThumbnailSize): Promise<DrawnImage> {
  return drawImage(source, (info) => ({
    format: 'webp',
    frames: isAnimated ? framesOfThumbnail(info) : 1,
    resize: { width, height, fit: 'inside', withoutEnlargement: true },
  }));
}

function framesOfThumbnail({ width, height }: ImageInfo): number {
  const frames = Math.floor(THUMBNAIL_PIXELS_MAX / (width * height));
  return Math.min(Math.max(frames, 1), FRAMES_MAX);
}

export interface EmojiImage {
  readonly image: DrawnImage;
  /** The first frame of an animation. */
  readonly still?: DrawnImage;
}

/** A square emoji: an animation in its own format with a still PNG, and anything else as PNG. */
export async function emojiImage(source: ImageSource, side: number): Promise<EmojiImage> {
  const resize = { width: side, height: side, fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } } as const;
  const image = await drawImage(source, ({ format, frames }) =>
    frames > 1 && (format === 'gif' || format === 'webp')
      ? { format, frames, resize }
      : { format: 'png', frames: 1, resize },
  );
  if (image.frames === 1) return { image };
  return { image, still: await drawImage(source, () => ({ format: 'png', frames: 1, resize })) };
}
