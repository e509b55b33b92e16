import type { StagedBlob } from '#blob-store';

/** Unknown content, which no client shows in place. */
export const OPAQUE = 'application/octet-stream';
const PLAIN_TEXT = 'text/plain';

type Signature = readonly [contentType: string, matches: (head: Buffer) => boolean];

const startsWith =
  (text: string, at = 0) =>
  (head: Buffer): boolean =>
    head.toString('latin1', at, at + text.length) === text;

const both =
  (...all: readonly ((head: Buffer) => boolean)[]) =>
  (head: Buffer): boolean =>
    all.every((one) => one(head));

const contains =
  (pattern: RegExp, within: number) =>
  (head: Buffer): boolean =>
    pattern.test(head.toString('latin1', 0, within));

/** The kind of an ISO base media file, which covers MP4, HEIC and AVIF. */
const brand = (pattern: RegExp) => (head: Buffer) =>
  startsWith('ftyp', 4)(head) && pattern.test(head.toString('latin1', 8, 12));

const riff = (form: string) => both(startsWith('RIFF'), startsWith(form, 8));

/** Frames of MPEG audio begin with eleven set bits. */
const isMpegAudio = (head: Buffer): boolean =>
  head[0] === 0xff && [0xfb, 0xfa, 0xf3, 0xf2, 0xe3, 0xe2].includes(head[1] ?? 0);

/**
 * Types that clients show, and images that they do not. A file of another type is opaque: nothing is lost by that, since it is
 * only downloaded.
 */
const SIGNATURES: readonly Signature[] = [
  ['image/jpeg', startsWith('\xff\xd8\xff')],
  ['image/png', startsWith('\x89PNG\r\n\x1a\n')],
  ['image/gif', contains(/^GIF8[79]a/, 6)],
  ['image/webp', riff('WEBP')],
  ['image/tiff', contains(/^(?:II\*\0|MM\0\*)/, 4)],
  // The file names its own brand, and those that it is compatible with.
  ['image/avif', contains(/^.{4}ftyp(?:.{4}){0,20}avi[fs]/s, 96)],
  ['image/heic', brand(/^(?:hei|hev|mif1|msf1)/)],
  ['audio/mp4', brand(/^(?:M4A|M4B|F4A)/)],
  ['video/quicktime', brand(/^qt/)],
  ['video/mp4', brand(/^(?:isom|iso\d|mp4\d|avc1|dash|M4V|MSNV|mmp4|f4v|3gp)/)],
  ['video/webm', both(startsWith('\x1aE\xdf\xa3'), contains(/\x42\x82.{1,8}webm/s, 64))],
  ['video/x-matroska', startsWith('\x1aE\xdf\xa3')],
  ['video/ogg', both(startsWith('OggS'), contains(/\x80theora/, 256))],
  ['audio/ogg', startsWith('OggS')],
  ['audio/flac', startsWith('fLaC')],
  ['audio/wav', riff('WAVE')],
  ['audio/aac', contains(/^\xff[\xf1\xf9]/, 2)],
  ['audio/mpeg', (head) => startsWith('ID3')(head) || isMpegAudio(head)],
  ['application/pdf', startsWith('%PDF-')],
];

/** The type of a staged file by the beginning of its content: names and declared types are claims of the sender. */
export function contentTypeOf({ head, size }: Pick<StagedBlob, 'head' | 'size'>): string {
  const known = SIGNATURES.find(([, matches]) => matches(head));
  if (known !== undefined) return known[0];
  return isPlainText(head, size === head.length) ? PLAIN_TEXT : OPAQUE;
}

/** Characters of a text file; the other control characters mark binary content. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const BINARY = /[\0-\x06\x0e-\x1a\x1c-\x1f\x7f]/;

/**
 * Text that no browser takes for a document: markup, such as HTML and SVG, which both can contain scripts, is opaque, so that it is
 * downloaded.
 */
function isPlainText(head: Buffer, isWhole: boolean): boolean {
  const text = decoded(head, isWhole);
  return text !== undefined && !BINARY.test(text) && !/^[\s\ufeff]*</.test(text);
}

function decoded(head: Buffer, isWhole: boolean): string | undefined {
  try {
    // The beginning of a longer file may end within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole });
  } catch {
    return undefined;
  }
}

const DECODABLE = /^image\/(?:avif|gif|jpeg|png|webp)$/;

/** Whether it is an image of a kind that this server decodes. */
export function isDecodable(contentType: string): boolean {
  return DECODABLE.test(contentType);
}
