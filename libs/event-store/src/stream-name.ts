const STREAM_NAME_LENGTH_MAX = 256;

/** @throws RangeError for a name that cannot be stored */
export function assertStreamName(name: string): void {
  // Names go into the checksum line by line, and `$` belongs to EventStoreDB.
  if (/^[^$\p{Cc}\p{Cs}][^\p{Cc}\p{Cs}]*$/u.test(name) && name.length <= STREAM_NAME_LENGTH_MAX) return;
  throw new RangeError(
    `A stream's name has 1 to ${STREAM_NAME_LENGTH_MAX} characters, begins without $, and holds no control characters.`,
  );
}
