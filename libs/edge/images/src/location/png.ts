import { promisify } from 'node:util';
import { inflate, type ZlibOptions } from 'node:zlib';
import type { FileWindow } from './file-window.js';
import type { MetadataBlock } from './metadata-block.js';
import { erasePlaceInXmp } from './xmp.js';

const SIGNATURE_BYTES = 8;
const TYPE_BYTES = 4;
/** Length and type. */
const HEAD_BYTES = 4 + TYPE_BYTES;
const CHECKSUM_BYTES = 4;
const XMP_KEYWORD = Buffer.from('XML:com.adobe.xmp\0');
/** Of a text that was compressed. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;
/** Type of a chunk that decoders pass over: not needed, private, and safe to copy. */
const PASSED_OVER = 'noXp';

const inflated = promisify<Buffer, ZlibOptions, Buffer>(inflate);

/** Metadata of a PNG. Texts begin with the type of their chunk. */
export async function* pngMetadata(file: FileWindow): AsyncIterable<MetadataBlock> {
  let at = SIGNATURE_BYTES;
  for (;;) {
    const head = await file.read(at, HEAD_BYTES + XMP_KEYWORD.length);
    if (head.length < HEAD_BYTES) return;
    const bytes = head.readUInt32BE();
    const from = at + HEAD_BYTES;
    const next = from + bytes + CHECKSUM_BYTES;
    if (next > file.size) return;
    const checksumFrom = from - TYPE_BYTES;
    const type = head.toString('latin1', HEAD_BYTES - TYPE_BYTES, HEAD_BYTES);
    if (type === 'eXIf') yield { kind: 'exif', at: from, bytes, checksumFrom };
    const isText = type === 'iTXt' || type === 'zTXt';
    if (isText && bytes > XMP_KEYWORD.length && head.indexOf(XMP_KEYWORD) === HEAD_BYTES)
      yield { kind: 'text of png', at: checksumFrom, bytes: TYPE_BYTES + bytes, checksumFrom };
    at = next;
  }
}

/**
 * Removes the place from XMP in a text; the whole text, if it is compressed.
 * @param chunk from its type on; changed
 * @returns whether there was one
 */
export async function erasePlaceInText(chunk: Buffer): Promise<boolean> {
  const isInternational = chunk.toString('latin1', 0, TYPE_BYTES) === 'iTXt';
  const from = TYPE_BYTES + XMP_KEYWORD.length;
  if (isInternational && chunk[from] === 0) return erasePlaceInXmp(chunk.subarray(from));
  // In `iTXt`: whether it is compressed, how, and two names that end with 0. In `zTXt`: how.
  const textFrom = isInternational ? chunk.indexOf(0, chunk.indexOf(0, from + 2) + 1) + 1 : from + 1;
  // What is not compressed as it should be, or too long, is not read by others either.
  const options = { maxOutputLength: TEXT_BYTES_MAX };
  const text = await inflated(chunk.subarray(textFrom), options).catch(() => Buffer.alloc(0));
  if (!erasePlaceInXmp(text)) return false;
  chunk.fill(0).write(PASSED_OVER, 'latin1');
  return true;
}
