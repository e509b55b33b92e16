import { crc32, deflateSync } from 'node:zlib';

const CELLS = 5;
/** Of the right half, each column repeats one of the left. */
const COLUMNS = Math.ceil(CELLS / 2);
const BACKGROUND = [240, 240, 240] as const;
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Draws the picture of a user who has uploaded none: a symmetrical pattern of five by five cells in one color.
 * @param seed hexadecimal digits, at least 32: the same ones give the same picture
 * @param side in pixels
 * @returns a PNG
 */
export function drawIdenticon(seed: string, side: number): Buffer {
  const bytes = Buffer.from(seed, 'hex');
  const isSet = (x: number, y: number): boolean => (bytes[Math.min(x, CELLS - 1 - x) * CELLS + y] ?? 0) % 2 === 1;
  const color = colorOf((bytes[CELLS * COLUMNS] ?? 0) / 256);
  const margin = Math.floor(side / 12);
  const cell = (side - 2 * margin) / CELLS;
  const cellAt = (pixel: number): number => Math.floor((pixel - margin) / cell);
  const isInside = (cellNumber: number): boolean => cellNumber >= 0 && cellNumber < CELLS;
  // One bit for each pixel, and a byte before each row that says that it is not filtered.
  const rowBytes = Math.ceil(side / 8) + 1;
  const rows = Buffer.alloc(rowBytes * side);
  for (let top = 0; top < side; top++) {
    const y = cellAt(top);
    for (let left = 0; left < side; left++) {
      const x = cellAt(left);
      if (!isInside(x) || !isInside(y) || !isSet(x, y)) continue;
      const at = top * rowBytes + 1 + (left >> 3);
      rows[at] = (rows[at] ?? 0) | (0x80 >> (left & 7));
    }
  }
  return png(side, Buffer.from([...BACKGROUND, ...color]), rows);
}

/** @param hue from 0 to 1 */
function colorOf(hue: number): readonly number[] {
  const [saturation, lightness] = [0.45, 0.5];
  const strength = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((offset) => {
    const k = (offset + hue * 12) % 12;
    return Math.round(255 * (lightness - strength * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  });
}

/** A PNG of two colors. */
function png(side: number, palette: Buffer, rows: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  const [bitDepth, colorTypePalette] = [1, 3];
  head.set([bitDepth, colorTypePalette, 0, 0, 0], 8);
  const parts = [
    chunk('IHDR', head),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([SIGNATURE, ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const result = Buffer.alloc(data.length + 12);
  result.writeUInt32BE(data.length, 0);
  result.write(type, 4, 'latin1');
  data.copy(result, 8);
  result.writeUInt32BE(crc32(result.subarray(4, data.length + 8)), data.length + 8);
  return result;
}
