import fc from 'fast-check';
import { rounds } from '#testing';
import { erasePlace } from './exif.js';

/** Tag and value of an entry, whose type is `UNDEFINED`: any bytes. */
interface Entry {
  readonly tag: number;
  readonly value: Buffer;
}
type Order = 'II' | 'MM';

const TYPE = 7;
const PLACE = 0x8825;

/** Writes a TIFF: first the directories, then the values that do not fit in them. */
function tiffOf(order: Order, image: readonly Entry[], place: readonly Entry[], placeIndex: number): Buffer {
  const bytes = Buffer.alloc(8192);
  const write = (at: number, value: number, size: 2 | 4): number =>
    order === 'II' ? bytes.writeUIntLE(value, at, size) : bytes.writeUIntBE(value, at, size);
  bytes.write(order, 'latin1');
  write(2, 42, 2);
  write(4, 8, 4);
  const placeAt = 8 + 2 + (image.length + 1) * 12 + 4;
  let end = placeAt + 2 + place.length * 12 + 4;
  const writeEntries = (at: number, entries: readonly (Entry | 'place')[]): void => {
    write(at, entries.length, 2);
    for (const [index, entry] of entries.entries()) {
      const start = at + 2 + index * 12;
      const [tag, value] = entry === 'place' ? [PLACE, undefined] : [entry.tag, entry.value];
      write(start, tag, 2);
      write(start + 2, value === undefined ? 4 : TYPE, 2);
      write(start + 4, value?.length ?? 1, 4);
      if (value === undefined) write(start + 8, placeAt, 4);
      else if (value.length <= 4) value.copy(bytes, start + 8);
      else {
        write(start + 8, end, 4);
        end += value.copy(bytes, end);
      }
    }
  };
  writeEntries(8, image.toSpliced(placeIndex, 0, 'place' as never));
  writeEntries(placeAt, place);
  return bytes.subarray(0, end);
}

/** Entries of the first directory. */
function entriesOf(tiff: Buffer): Entry[] {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const read = (at: number, size: 2 | 4): number => (isLittle ? tiff.readUIntLE(at, size) : tiff.readUIntBE(at, size));
  return Array.from({ length: read(8, 2) }, (_, index) => {
    const at = 10 + index * 12;
    const bytes = read(at + 4, 4);
    const from = bytes <= 4 ? at + 8 : read(at + 8, 4);
    return { tag: read(at, 2), value: Buffer.from(tiff.subarray(from, from + bytes)) };
  });
}

const values = (marker: number) =>
  fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes.map(() => marker)));
const entries = (marker: number) =>
  fc.array(fc.record({ tag: fc.integer({ min: 1, max: 0x8000 }), value: values(marker) }), { maxLength: 12 });

test('the place goes, wherever its entry is, and all else stays', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<Order>('II', 'MM'),
      entries(0xaa),
      entries(0xbb),
      fc.nat(12),
      (order, image, place, index) => {
        const tiff = tiffOf(order, image, place, index % (image.length + 1));
        const length = tiff.length;
        expect(erasePlace(tiff)).toBe(true);
        expect(entriesOf(tiff)).toEqual(image);
        expect(tiff).toHaveLength(length);
        expect(tiff.includes(Buffer.alloc(3, 0xbb))).toBe(false);
        expect(erasePlace(tiff)).toBe(false);
      },
    ),
    { numRuns: rounds(200) },
  );
});

test('what is broken neither fails nor takes long', () => {
  const offsets = fc.constantFrom(0, 1, 2, 7, 8, 10, 20, 0x7fffffff, 0xffffffff);
  const word = fc.oneof(offsets, fc.constantFrom(0x8825_0004, 0x0004_8825, 0x8769_0004, 0x0003_8825), fc.nat());
  fc.assert(
    fc.property(fc.constantFrom('II*\0', 'MM\0*', 'MM*\0'), fc.array(word, { maxLength: 60 }), (head, words) => {
      const tiff = Buffer.concat([
        Buffer.from(head),
        ...words.map((value) => Buffer.from(Uint32Array.of(value).buffer)),
      ]);
      erasePlace(tiff);
      expect(tiff.toString('latin1', 0, 4)).toBe(head);
    }),
    { numRuns: rounds(500) },
  );
});
