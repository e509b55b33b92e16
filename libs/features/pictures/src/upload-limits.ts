export const MIB_BYTES = 1024 * 1024;

/** Of an emoji's file (endpoints.md §12). */
export const EMOJI_FILE_LIMIT_BYTES = 5 * MIB_BYTES;
