/** Limits of what is decoded, each with its reason. */

/** Pixels of all frames together. The photos of current phones have up to 50 million; decoded, they take 200 MB at worst. */
export const PIXELS_MAX = 50_000_000;

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

/** Bytes of an image given in memory. */
export const INPUT_LIMIT_BYTES = 32 * 1024 * 1024;
