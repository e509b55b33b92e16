import type { FileWindow } from './file-window.js';
import type { MetadataBlock } from './metadata-block.js';

/** `RIFF`, a length, and `WEBP`. */
const SIGNATURE_BYTES = 12;
/** Type and length. */
const HEAD_BYTES = 8;

const KINDS = new Map([
  ['EXIF', 'exif'],
  ['XMP ', 'xmp'],
] as const);

/** Metadata of a WebP. */
export async function* webpMetadata(file: FileWindow): AsyncIterable<MetadataBlock> {
  let at = SIGNATURE_BYTES;
  for (;;) {
    const head = await file.read(at, HEAD_BYTES);
    if (head.length < HEAD_BYTES) return;
    const bytes = head.readUInt32LE(4);
    const from = at + HEAD_BYTES;
    const kind = KINDS.get(head.toString('latin1', 0, 4) as 'EXIF');
    if (kind !== undefined) yield { kind, at: from, bytes: Math.min(bytes, file.size - from) };
    // Chunks begin at even positions.
    at = from + bytes + (bytes % 2);
  }
}
