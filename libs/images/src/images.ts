import type { ImageSource } from './decoder.js';
import { drawImage, type DrawnImage } from './draw-image.js';

/** The same image in its own format without metadata, the right way up. An animated PNG keeps its first frame alone. */
export function cleanImage(source: ImageSource): Promise<DrawnImage> {
  return drawImage(source, ({ format }) => ({ format, isAnimated: true }));
}

/** A square PNG of the middle of the image: an avatar or an icon. Of an animation, the first frame. */
export function squareImage(source: ImageSource, side: number): Promise<DrawnImage> {
  return drawImage(source, () => ({
    format: 'png',
    isAnimated: false,
    resize: { width: side, height: side, fit: 'cover' },
  }));
}

/** The whole image as a still PNG within a frame, never enlarged: a logo. */
export function fittedImage(source: ImageSource, width: number, height: number): Promise<DrawnImage> {
  return drawImage(source, () => ({
    format: 'png',
    isAnimated: false,
    resize: { width, height, fit: 'inside', withoutEnlargement: true },
  }));
}

export interface ThumbnailSize {
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
}

/** The whole image as WebP within a frame, never enlarged. */
export function thumbnailImage(source: ImageSource, { width, height, isAnimated }: ThumbnailSize): Promise<DrawnImage> {
  return drawImage(source, () => ({
    format: 'webp',
    isAnimated,
    resize: { width, height, fit: 'inside', withoutEnlargement: true },
  }));
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
    frames > 1 ? { format, isAnimated: true, resize } : { format: 'png', isAnimated: false, resize },
  );
  if (image.frames === 1) return { image };
  return { image, still: await drawImage(source, () => ({ format: 'png', isAnimated: false, resize })) };
}
