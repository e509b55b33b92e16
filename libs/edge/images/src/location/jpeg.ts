import type { FileWindow } from './file-window.js';
import type { MetadataBlock } from './metadata-block.js';

const START = Buffer.from([0xff, 0xd8, 0xff]);
const END_OF_IMAGE = 0xd9;
const APP1 = 0xe1;
/** Kinds of APP1 by their signatures. */
const SIGNATURES = [
  ['exif', Buffer.from('Exif\0\0')],
  ['xmp', Buffer.from('http://ns.adobe.com/xap/1.0/\0')],
  ['xmp', Buffer.from('http://ns.adobe.com/xmp/extension/\0')],
] as const;
const SIGNATURE_BYTES_MAX = 40;

/** Metadata of a JPEG, and of further images that cameras append to it. */
export async function* jpegMetadata(file: FileWindow): AsyncIterable<MetadataBlock> {
  let at = 0;
  while (at < file.size) {
    const marker = await nextMarker(file, at);
    if (marker === undefined) return;
    const { code, after } = marker;
    if (code === END_OF_IMAGE) {
      at = await nextImage(file, after);
      continue;
    }
    if (!hasLength(code)) {
      at = after;
      continue;
    }
    const head = await file.read(after, 2 + SIGNATURE_BYTES_MAX);
    if (head.length < 2) return;
    const length = head.readUInt16BE();
    // It includes itself; decoders go on at the next marker.
    const end = Math.min(after + Math.max(length, 2), file.size);
    if (code === APP1) {
      const found = SIGNATURES.find(([, signature]) => head.subarray(2).indexOf(signature) === 0);
      const from = after + 2 + (found?.[1].length ?? 0);
      if (found !== undefined && from < end) yield { kind: found[0], at: from, bytes: end - from };
    }
    at = end;
  }
}

/** The next marker, also behind pixels. */
async function nextMarker(file: FileWindow, from: number): Promise<{ code: number; after: number } | undefined> {
  let at = from;
  for (;;) {
    const bytes = await file.from(at, 2);
    if (bytes.length < 2) return undefined;
    let index = bytes.indexOf(0xff);
    while (index !== -1 && index + 1 < bytes.length) {
      const code = bytes.readUInt8(index + 1);
      if (!isWithinPixels(code) && code !== 0xff) return { code, after: at + index + 2 };
      index = bytes.indexOf(0xff, index + 1);
    }
    at += index === -1 ? bytes.length : index;
  }
}

/** Where the next image begins: behind the end of one may be anything. */
async function nextImage(file: FileWindow, from: number): Promise<number> {
  let at = from;
  for (;;) {
    const bytes = await file.from(at, START.length);
    if (bytes.length < START.length) return file.size;
    const index = bytes.indexOf(START);
    if (index !== -1) return at + index;
    at += bytes.length - START.length + 1;
  }
}

/** What follows 0xff within pixels: a zero that is none of them, or a restart of the decoder. */
function isWithinPixels(code: number): boolean {
  return code === 0 || (code >= 0xd0 && code <= 0xd7);
}

/** TEM and the start of an image have none. */
function hasLength(code: number): boolean {
  return code !== 0x01 && code !== 0xd8;
}
