/** Limits of what is decoded, each with its reason. */

/** Pixels that are decoded. The photos of current phones have up to 50 million; decoded, they take 200 MB at worst. */
export const PIXELS_MAX = 50_000_000;

/** Of an AVIF, whose decoder takes 25 bytes for each pixel and is slow. */
export const AVIF_PIXELS_MAX = 16_000_000;

/** Pixels of all frames of an animated thumbnail together. The costliest take 4 s: noise, of which all frames differ. */
export const THUMBNAIL_PIXELS_MAX = 25_000_000;

/** Of either side; no format in use has more, and clients could not show it. */
export const SIDE_MAX = 16_384;

/** An animation of a minute at 15 frames a second. */
export const FRAMES_MAX = 1_000;

/** Images with fewer pixels (most avatars and emoji) do not wait for larger ones. */
export const SMALL_PIXELS_MAX = 4_000_000;

/** A file is given up after this time of work, which ends on the next row of pixels. */
export const TIME_LIMIT_SECONDS = 10;

/** Work that waits for its turn. With more of it, the last would wait longer than clients do. */
export const WAITING_MAX = 100;

/** Bytes of an encoded image. A lossless photo of `PIXELS_MAX` may have more, but those of animations are all read to count the frames. */
export const INPUT_LIMIT_BYTES = 64 * 1024 * 1024;
