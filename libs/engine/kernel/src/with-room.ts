/** Most contents are small: memory for a long one each time would be most of their garbage. */
const SHORT_BYTES = 16 * 1024;

/**
 * A buffer with room for so many bytes: the given one, or a longer one that begins with what that holds.
 * @param filled bytes that it holds
 * @param usualBytes length of a buffer that is not short
 */
export function withRoom(
  buffer: Buffer<ArrayBuffer>,
  filled: number,
  bytes: number,
  usualBytes: number,
): Buffer<ArrayBuffer> {
  if (bytes <= buffer.length) return buffer;
  const longer = Buffer.allocUnsafe(bytes <= SHORT_BYTES ? SHORT_BYTES : Math.max(bytes, usualBytes));
  buffer.copy(longer, 0, 0, filled);
  return longer;
}
