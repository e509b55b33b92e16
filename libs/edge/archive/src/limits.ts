/** Limits of an archive, each below what would exhaust the machine that reads it. */
export interface ArchiveLimits {
  /** Entries: each costs some hundred bytes of memory. A channel of a Slack export has one a day. */
  readonly entriesMax: number;
  /** Bytes of all entries together, uncompressed. */
  readonly bytesMax: number;
  /** Ratio of uncompressed to compressed bytes, above `RATIO_FREE_BYTES`: deflate reaches 1,032 with zeros, text rarely 30. */
  readonly ratioMax: number;
  /** Bytes of a name. */
  readonly nameBytesMax: number;
  /** Bytes of one line of a JSON document: a message with its history. */
  readonly lineBytesMax: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  entriesMax: 1_000_000,
  bytesMax: 1024 ** 4,
  ratioMax: 200,
  nameBytesMax: 1_024,
  lineBytesMax: 64 * 1024 * 1024,
};

/** An entry below this size is no bomb, whatever its ratio. */
export const RATIO_FREE_BYTES = 10 * 1024 * 1024;
