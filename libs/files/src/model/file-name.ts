import { badRequest } from '#kernel';

/** The longest name of common file systems, so that every client can save the file. */
const NAME_BYTES_MAX = 255;

/**
 * The name of a file as it is kept, safe as a part of a path (endpoints.md §13): letters, digits, `_`, `.` and `-`.
 * @throws Refusal BAD_REQUEST when it is too long
 */
export function safeFileName(given: string): string {
  const kept = given
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}_\s.-]/gu, '')
    .trim()
    .replaceAll(/[\s-]+/g, '-');
  if (Buffer.byteLength(kept) > NAME_BYTES_MAX)
    throw badRequest(`The name of the file is too long (limit: ${NAME_BYTES_MAX} bytes)`);
  return /^\.*$/.test(kept) ? 'uploaded-file' : kept;
}
