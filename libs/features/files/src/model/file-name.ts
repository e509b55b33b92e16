import { badRequest } from '#kernel';

/** The longest name of common file systems, so that every client can save the file. */
const NAME_BYTES_MAX = 255;
const UNNAMED = 'uploaded-file';

export interface FileNames {
  /** Safe as a part of a path. */
  readonly name: string;
  /** Shown to people; absent when it is `name`. */
  readonly title?: string;
}

/**
 * Both names of a file by the name that its sender gives. Clients percent-encode characters that the header of a part cannot
 * contain, and some of them all but ASCII, so that it is decoded first.
 * @throws Refusal BAD_REQUEST when one is too long
 */
export function fileNamesOf(given: string): FileNames {
  const last = decoded(given).split(/[/\\]/).at(-1) ?? '';
  const name = safeFileName(last);
  const title = shownFileName(last);
  return title === name ? { name } : { name, title };
}

/**
 * The name of a file in its address (endpoints.md §13): letters, digits, `_`, `.` and `-`.
 * @throws Refusal BAD_REQUEST when it is too long
 */
export function safeFileName(given: string): string {
  const kept = given
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}_\s.-]/gu, '')
    .trim()
    .replaceAll(/[\s-]+/g, '-');
  return bounded(kept);
}

/**
 * Control characters, halves of characters, and format characters, by which a name looks like another one; without those that join
 * characters, which scripts and emoji need.
 */
const DECEPTIVE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

function shownFileName(given: string): string {
  return bounded(given.replaceAll(DECEPTIVE, '').trim());
}

function bounded(name: string): string {
  if (Buffer.byteLength(name) > NAME_BYTES_MAX)
    throw badRequest(`The name of the file is too long (limit: ${NAME_BYTES_MAX} bytes)`);
  return /^\.*$/.test(name) ? UNNAMED : name;
}

/** Decodes what is percent-encoded UTF-8; anything else stays as it is. */
function decoded(name: string): string {
  return name.replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
