import type { ResizeOptions, Sharp } from 'sharp';
import { decoding, type ImageSource, openImage } from './decoder.js';
import { CONTENT_TYPES, identifyImage, type ImageFormat, type ImageInfo } from './identify-image.js';
import { inLane } from './lanes.js';

/** An image encoded by this server. It has no metadata: no place, camera, comment or colour profile of the original. */
export interface DrawnImage extends ImageInfo {
  readonly bytes: Buffer;
}

export interface Drawing {
  readonly format: ImageFormat;
  /** Keeps all frames. Only GIF and WebP have several. */
  readonly isAnimated: boolean;
  readonly resize?: ResizeOptions;
}

const ENCODERS: Readonly<Record<ImageFormat, (image: Sharp) => Sharp>> = {
  jpeg: (image) => image.jpeg({ quality: 90 }),
  png: (image) => image.png(),
  webp: (image) => image.webp({ quality: 85, effort: 2 }),
  gif: (image) => image.gif({ effort: 1 }),
  // With more effort, a photo would take longer than `TIME_LIMIT_SECONDS`.
  avif: (image) => image.avif({ quality: 65, effort: 0 }),
};

/**
 * Decodes an image and encodes it anew, the right way up.
 * @param plan how to draw it, by what it is
 * @throws Refusal BAD_IMAGE when it is broken or too large; SERVER_NOT_READY
 */
export async function drawImage(source: ImageSource, plan: (info: ImageInfo) => Drawing): Promise<DrawnImage> {
  const info = await identifyImage(source);
  const drawing = plan(info);
  const isAnimated = drawing.isAnimated && info.frames > 1;
  const pixels = info.width * info.height * (isAnimated ? info.frames : 1);
  return inLane(pixels, () => decoding(() => draw(source, { ...drawing, isAnimated })));
}

async function draw(source: ImageSource, { format, isAnimated, resize }: Drawing): Promise<DrawnImage> {
  const opened = await openImage(source, isAnimated ? 'all' : 'first');
  // Frames cannot be turned, and cameras make no animations.
  const upright = isAnimated ? opened : opened.autoOrient();
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
