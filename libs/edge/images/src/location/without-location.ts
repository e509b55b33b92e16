import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { nextSlice } from '#kernel';
import { erasePlace } from './exif.js';
import { FileWindow } from './file-window.js';
import { heifMetadata } from './heif.js';
import { jpegMetadata } from './jpeg.js';
import type { FindsMetadata, MetadataBlock } from './metadata-block.js';
import { erasePlaceInText, pngMetadata } from './png.js';
import { webpMetadata } from './webp.js';
import { erasePlaceInXmp } from './xmp.js';

const FORMATS: Readonly<Record<string, FindsMetadata>> = {
  'image/jpeg': jpegMetadata,
  'image/png': pngMetadata,
  'image/webp': webpMetadata,
  'image/avif': heifMetadata,
  'image/heic': heifMetadata,
};

const ERASERS: Readonly<Record<MetadataBlock['kind'], (block: Buffer) => boolean | Promise<boolean>>> = {
  exif: erasePlace,
  xmp: erasePlaceInXmp,
  'text of png': erasePlaceInText,
};

/** Metadata of photos has some kilobytes, and some hundred with a large thumbnail. */
const BLOCK_BYTES_MAX = 1024 * 1024;
/** In some files, EXIF begins with the signature that it has in JPEG. */
const SIGNATURE = Buffer.from('Exif\0\0');
/** Of one file. */
const BLOCKS_MAX = 64;

/** Bytes that replace as many at a position. */
interface Patch {
  readonly at: number;
  readonly bytes: Buffer;
}

/**
 * An image without the place where it was taken (EXIF, XMP). Nothing is encoded anew: the length and all bytes that do not say the place
 * stay as they are.
 * @returns undefined when it does not say a place
 */
export async function withoutLocation(path: string, contentType: string): Promise<AsyncIterable<Buffer> | undefined> {
  const metadataOf = Object.hasOwn(FORMATS, contentType) ? FORMATS[contentType] : undefined;
  const patches = metadataOf === undefined ? [] : await patchesOf(path, metadataOf);
  return patches.length === 0 ? undefined : patched(path, patches);
}

async function patchesOf(path: string, metadataOf: FindsMetadata): Promise<readonly Patch[]> {
  const file = await open(path);
  try {
    const window = new FileWindow(file, (await file.stat()).size);
    const patches: Patch[] = [];
    let blocks = 0;
    for await (const block of metadataOf(window)) {
      // A broken file may have much to be looked at.
      await nextSlice();
      const patch = await patchOf(window, block);
      if (patch !== undefined) patches.push(patch);
      if (++blocks === BLOCKS_MAX) break;
    }
    return patches;
  } finally {
    await file.close();
  }
}

async function patchOf(file: FileWindow, { kind, at, bytes, checksumFrom }: MetadataBlock): Promise<Patch | undefined> {
  if (bytes > BLOCK_BYTES_MAX) return undefined;
  const from = checksumFrom ?? at;
  const content = Buffer.from(await file.read(from, at + bytes - from));
  const hasSignature = content.indexOf(SIGNATURE) === at - from;
  const block = content.subarray(at - from + (hasSignature ? SIGNATURE.length : 0));
  if (!(await ERASERS[kind](block))) return undefined;
  if (checksumFrom === undefined) return { at, bytes: content };
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return { at: from, bytes: Buffer.concat([content, checksum]) };
}

async function* patched(path: string, patches: readonly Patch[]): AsyncIterable<Buffer> {
  let from = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const { at, bytes } of patches) {
      const [start, end] = [Math.max(at, from), Math.min(at + bytes.length, from + chunk.length)];
      if (start < end) bytes.copy(chunk, start - from, start - at, end - at);
    }
    yield chunk;
    from += chunk.length;
  }
}
