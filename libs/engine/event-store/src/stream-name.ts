const STREAM_NAME_LENGTH_MAX = 256;

export function isStreamName(name: string): boolean {
  // The checksum joins names by line breaks, and EventStoreDB reserves `$`.
  return /^[^$\p{Cc}\p{Cs}][^\p{Cc}\p{Cs}]*$/u.test(name) && name.length <= STREAM_NAME_LENGTH_MAX;
}

/** @throws RangeError for an invalid name */
export function assertStreamName(name: string): void {
  if (isStreamName(name)) return;
  throw new RangeError(
    `A stream's name has 1 to ${STREAM_NAME_LENGTH_MAX} characters, begins without $, and holds no control characters.`,
  );
}
