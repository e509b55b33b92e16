import type { ResizeOptions, Sharp } from 'sharp';
import { decoding, type ImageSource, openImage, tooLarge } from './decoder.js';
import { CONTENT_TYPES, identifyImage, type ImageInfo } from './identify-image.js';
import { FRAMES_MAX, PIXELS_MAX } from './image-limits.js';
import { inLane } from './lanes.js';

/** Formats in which this server draws. Only GIF and WebP have several frames. */
export type DrawnFormat = 'gif' | 'png' | 'webp';

/** An image encoded by this server. It has no metadata: no place, camera, comment or colour profile of the original. */
export interface DrawnImage extends ImageInfo {
  readonly format: DrawnFormat;
  readonly bytes: Buffer;
}

export interface Drawing {
  readonly format: DrawnFormat;
  /** The first ones to be drawn, of those that there are. */
  readonly frames: number;
  readonly resize?: ResizeOptions;
}

const ENCODERS: Readonly<Record<DrawnFormat, (image: Sharp) => Sharp>> = {
  png: (image) => image.png(),
  webp: (image) => image.webp({ quality: 85, effort: 2 }),
  gif: (image) => image.gif({ effort: 1 }),
};

/**
 * Decodes an image and encodes it anew, the right way up.
 * @param plan how to draw it, by what it is
 * @throws Refusal BAD_IMAGE when it is broken or too large; SERVER_NOT_READY
 */
export async function drawImage(source: ImageSource, plan: (info: ImageInfo) => Drawing): Promise<DrawnImage> {
  const info = await identifyImage(source);
  const drawing = plan(info);
  const frames = Math.min(drawing.frames, info.frames);
  const pixels = info.width * info.height * frames;
  if (frames > FRAMES_MAX || pixels > PIXELS_MAX) throw tooLarge();
  return inLane(pixels, () => decoding(() => draw(source, { ...drawing, frames })));
}

async function draw(source: ImageSource, { format, frames, resize }: Drawing): Promise<DrawnImage> {
  const opened = await openImage(source, frames);
  // Frames cannot be turned, and cameras make no animations.
  const upright = frames > 1 ? opened : opened.autoOrient();
  const sized = resize === undefined ? upright : upright.resize(resize);
  const { data, info } = await ENCODERS[format](sized).toBuffer({ resolveWithObject: true });
  return {
    bytes: data,
    format,
    contentType: CONTENT_TYPES[format],
    width: info.width,
    height: info.pageHeight ?? info.height,
    frames: info.pages ?? 1,
  };
}
