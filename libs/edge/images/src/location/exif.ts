const PLACE_TAG = 0x8825;
const EXIF_TAG = 0x8769;
const HEAD_BYTES = 8;
const ENTRY_BYTES = 12;
/** Photos have four: of the image, its EXIF, its thumbnail and the place. */
const DIRECTORIES_MAX = 16;
/** Photos have some dozens. A longer directory is not looked at. */
const ENTRIES_MAX = 1_000;

/** Bytes of one value by its type (TIFF 6.0, "Types", and EXIF 3.0). */
const TYPE_BYTES = [1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

/** A list of entries; a TIFF calls it an IFD. */
interface Directory {
  readonly at: number;
  readonly entries: readonly Entry[];
}

interface Entry {
  /** Position of its 12 bytes. */
  readonly at: number;
  readonly tag: number;
  /** Its value, or where this begins when it has more than four bytes. */
  readonly value: number;
  readonly valueBytes: number;
}

/**
 * Removes the place from EXIF: the directory of it with its values, which become zeros, and the entries that lead there. Everything else
 * stays where it is.
 * @param bytes a TIFF without an image; changed
 * @returns whether there was one
 */
export function erasePlace(bytes: Buffer): boolean {
  const holders = directoriesOf(bytes).filter(({ entries }) => entries.some(isPlace));
  const places = holders.flatMap(({ entries }) => entries.filter(isPlace)).slice(0, DIRECTORIES_MAX);
  // In a broken file they may overlap, but no range is filled twice: that would take long.
  const ranges = places.flatMap(({ value }) => rangesOf(bytes, value)).toSorted(([one], [other]) => one - other);
  const original = Buffer.from(bytes);
  let filled = HEAD_BYTES;
  for (const [from, to] of ranges) {
    const [start, end] = [Math.max(from, filled), Math.min(to, bytes.length)];
    if (start >= end) continue;
    bytes.fill(0, start, end);
    filled = end;
  }
  for (const holder of holders) removeEntries(original, bytes, holder);
  return holders.length > 0;
}

function isPlace({ tag }: Entry): boolean {
  return tag === PLACE_TAG;
}

/** The directories that follow one another, and those of EXIF to which they lead. */
function directoriesOf(bytes: Buffer): Directory[] {
  const found: Directory[] = [];
  const known = new Set(isTiff(bytes) ? [numberAt(bytes, 4, 4)] : []);
  for (const at of known) {
    if (found.length === DIRECTORIES_MAX) break;
    const entries = entriesAt(bytes, at);
    found.push({ at, entries });
    const exif = entries.find(({ tag }) => tag === EXIF_TAG);
    if (exif !== undefined) known.add(exif.value);
    const next = numberAt(bytes, at + 2 + entries.length * ENTRY_BYTES, 4);
    if (next !== 0) known.add(next);
  }
  return found;
}

function isTiff(bytes: Buffer): boolean {
  return isLittleEndian(bytes) || bytes.toString('latin1', 0, 4) === 'MM\0*';
}

function isLittleEndian(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'II*\0';
}

/** The number at a position; 0 behind the end. */
function numberAt(bytes: Buffer, at: number, size: 2 | 4): number {
  if (at + size > bytes.length) return 0;
  return isLittleEndian(bytes) ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
}

function entriesAt(bytes: Buffer, at: number): Entry[] {
  const space = Math.floor((bytes.length - at - 2) / ENTRY_BYTES);
  const count = Math.min(numberAt(bytes, at, 2), space);
  if (at < HEAD_BYTES || count < 0 || count > ENTRIES_MAX) return [];
  return Array.from({ length: count }, (_, index) => {
    const start = at + 2 + index * ENTRY_BYTES;
    const valueBytes = (TYPE_BYTES[numberAt(bytes, start + 2, 2)] ?? 1) * numberAt(bytes, start + 4, 4);
    return { at: start, tag: numberAt(bytes, start, 2), value: numberAt(bytes, start + 8, 4), valueBytes };
  });
}

/** Parts of a TIFF that a directory and its values take. */
function rangesOf(bytes: Buffer, at: number): (readonly [from: number, to: number])[] {
  const entries = entriesAt(bytes, at);
  const own = [at, at + 2 + entries.length * ENTRY_BYTES + 4] as const;
  const outside = entries.filter(({ valueBytes }) => valueBytes > 4);
  return [own, ...outside.map(({ value, valueBytes }) => [value, value + valueBytes] as const)];
}

/** Writes a directory without the entries of places. The position of the next directory follows the entries. */
function removeEntries(original: Buffer, bytes: Buffer, { at, entries }: Directory): void {
  const kept = entries.filter((entry) => !isPlace(entry));
  if (isLittleEndian(bytes)) bytes.writeUInt16LE(kept.length, at);
  else bytes.writeUInt16BE(kept.length, at);
  const end = at + 2 + entries.length * ENTRY_BYTES;
  let to = at + 2;
  for (const entry of kept) to += original.copy(bytes, to, entry.at, entry.at + ENTRY_BYTES);
  to += original.copy(bytes, to, end, end + 4);
  bytes.fill(0, to, Math.min(end + 4, bytes.length));
}
