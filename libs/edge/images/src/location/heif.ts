import { ByteCursor } from './byte-cursor.js';
import type { FileWindow } from './file-window.js';
import type { MetadataBlock } from './metadata-block.js';

/** Of the box that says where everything is; that of a photo of 200 tiles has 20 thousand. */
const DIRECTORY_BYTES_MAX = 256 * 1024;
const HEAD_BYTES = 16;

interface Box {
  readonly type: string;
  /** Where its content begins and ends. */
  readonly from: number;
  readonly to: number;
}

/**
 * Metadata of a HEIC or AVIF: items of its only `meta` box (ISO/IEC 14496-12 §8.11). Items in several pieces, or within
 * that box, are not looked at: no camera writes its EXIF so. */
export async function* heifMetadata(file: FileWindow): AsyncIterable<MetadataBlock> {
  const box = await metaOf(file);
  if (box === undefined) return;
  const meta = await file.read(box.from, Math.min(box.to - box.from, DIRECTORY_BYTES_MAX));
  // Version and flags come first.
  const inside = [...boxesIn(meta, 4)];
  const content = (type: string): Box | undefined => inside.find((one) => one.type === type);
  const [info, places] = [content('iinf'), content('iloc')];
  if (info === undefined || places === undefined) return;
  const types = typesOf(meta.subarray(info.from, info.to));
  for (const { id, at, bytes } of placesOf(meta.subarray(places.from, places.to))) {
    const type = types.get(id);
    const to = Math.min(at + bytes, file.size);
    if (type === 'mime' && at < to) yield { kind: 'xmp', at, bytes: to - at };
    // A number says where the TIFF begins.
    const head = type === 'Exif' ? await file.read(at, 4) : undefined;
    const from = head?.length === 4 ? at + 4 + head.readUInt32BE() : to;
    if (from < to) yield { kind: 'exif', at: from, bytes: to - from };
  }
}

async function metaOf(file: FileWindow): Promise<Box | undefined> {
  for (let at = 0; at < file.size;) {
    const box = boxAt(await file.read(at, HEAD_BYTES), at, file.size);
    if (box === undefined || box.type === 'meta') return box;
    at = box.to;
  }
  return undefined;
}

function* boxesIn(bytes: Buffer, from: number): Iterable<Box> {
  for (let at = from; at < bytes.length;) {
    const box = boxAt(bytes.subarray(at, at + HEAD_BYTES), at, bytes.length);
    if (box === undefined) return;
    yield box;
    at = box.to;
  }
}

/** @param end where a box ends at the latest */
function boxAt(head: Buffer, at: number, end: number): Box | undefined {
  const cursor = new ByteCursor(head);
  const [short, type] = [cursor.number(4), cursor.text(4)];
  const size = short === 1 ? cursor.number(8) : short === 0 ? end - at : short;
  const headBytes = short === 1 ? 16 : 8;
  if (cursor.isPast() || size < headBytes) return undefined;
  return { type, from: at + headBytes, to: Math.min(at + size, end) };
}

/** Types of items by their IDs, in an `iinf` box. */
function typesOf(info: Buffer): ReadonlyMap<number, string> {
  const types = new Map<number, string>();
  const countBytes = info[0] === 0 ? 2 : 4;
  for (const { type, from, to } of boxesIn(info, 4 + countBytes)) {
    if (type !== 'infe') continue;
    const cursor = new ByteCursor(info.subarray(from, to));
    const version = cursor.number(1);
    cursor.number(3);
    const id = cursor.number(version === 2 ? 2 : 4);
    cursor.number(2);
    const itemType = cursor.text(4);
    if (version >= 2 && !cursor.isPast() && (itemType === 'Exif' || itemType === 'mime')) types.set(id, itemType);
  }
  return types;
}

interface ItemPlace {
  readonly id: number;
  readonly at: number;
  readonly bytes: number;
}

/** Where items are, in an `iloc` box. */
function* placesOf(places: Buffer): Iterable<ItemPlace> {
  const cursor = new ByteCursor(places);
  const version = cursor.number(1);
  cursor.number(3);
  const [sizes, more] = [cursor.number(1), cursor.number(1)];
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, more >> 4];
  const indexBytes = version === 0 ? 0 : more & 15;
  const idBytes = version < 2 ? 2 : 4;
  if ([offsetBytes, lengthBytes, baseBytes, indexBytes].some((size) => ![0, 4, 8].includes(size))) return;
  for (let items = cursor.number(idBytes); items > 0 && !cursor.isPast(); items--) {
    const id = cursor.number(idBytes);
    const method = version === 0 ? 0 : cursor.number(2) & 15;
    const source = cursor.number(2);
    const base = cursor.number(baseBytes);
    const extents = cursor.number(2);
    if (extents !== 1) {
      cursor.skip(extents * (indexBytes + offsetBytes + lengthBytes));
      continue;
    }
    cursor.skip(indexBytes);
    const at = base + cursor.number(offsetBytes);
    const bytes = cursor.number(lengthBytes);
    if (source === 0 && method === 0 && !cursor.isPast()) yield { id, at, bytes };
  }
}
