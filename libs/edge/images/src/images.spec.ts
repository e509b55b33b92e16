import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { identifyImage } from './identify-image.js';
import { emojiImage, fittedImage, squareImage, thumbnailImage } from './images.js';

/** The left half is red, the right half blue. */
async function picture(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at++) pixels[at * 3 + (at % width < width / 2 ? 0 : 2)] = 255;
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

/** A JPEG from a camera that was held sideways, with the place in its metadata. */
async function photo(width: number, height: number): Promise<Buffer> {
  return sharp(await picture(width, height))
    .withExif({ IFD0: { Copyright: 'Ann', Make: 'Secret camera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

async function animation(width: number, height: number, frames: number): Promise<Buffer> {
  const pages = Buffer.alloc(width * height * frames * 3);
  for (let frame = 0; frame < frames; frame++) pages.fill(frame * 20, frame * width * height * 3);
  const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const;
  return sharp(pages, { raw })
    .gif({ delay: Array.from({ length: frames }, () => 100) })
    .toBuffer();
}

async function colorAt(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const { data } = await sharp(bytes)
    .removeAlpha()
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data].map((value) => Math.round(value / 255));
}

/** A PNG that says it has these sides, and has no pixels. */
function emptyPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length, 0);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc32(body), body.length + 4);
    return framed;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

describe('an image is known by its content', () => {
  test('a still one', async () => {
    const known = { format: 'png', contentType: 'image/png', width: 30, height: 20, frames: 1 };
    expect(await identifyImage(await picture(30, 20))).toEqual(known);
  });

  test('an animation, by one of its frames', async () => {
    const known = { format: 'gif', contentType: 'image/gif', width: 10, height: 12, frames: 3 };
    expect(await identifyImage(await animation(10, 12, 3))).toEqual(known);
  });

  test('one that is to be turned', async () => {
    expect(await identifyImage(await photo(30, 20))).toMatchObject({ format: 'jpeg', width: 20, height: 30 });
  });

  test('in a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'images-'));
    await writeFile(join(folder, 'photo.txt'), await picture(30, 20));
    await writeFile(join(folder, 'text.png'), 'text');
    expect(await identifyImage(join(folder, 'photo.txt'))).toMatchObject({ format: 'png' });
    expect((await fittedImage(join(folder, 'photo.txt'), 100, 100)).width).toBe(30);
    await expect(identifyImage(join(folder, 'text.png'))).rejects.toMatchObject({ code: 'BAD_IMAGE' });
    await rm(folder, { recursive: true });
  });
});

test('drawing removes all metadata, and turns the image', async () => {
  const before = await photo(30, 20);
  expect(before.includes('Secret camera')).toBe(true);
  const { bytes, width, height, contentType } = await fittedImage(before, 100, 100);
  expect({ width, height, contentType }).toEqual({ width: 20, height: 30, contentType: 'image/png' });
  const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata();
  expect([exif, xmp, iptc, icc, orientation]).toEqual(Array(5).fill(undefined));
  expect(bytes.includes('Secret camera')).toBe(false);
  // Left became top.
  expect([await colorAt(bytes, 10, 2), await colorAt(bytes, 10, 27)]).toEqual([
    [1, 0, 0],
    [0, 0, 1],
  ]);
});

test('AVIF is drawn, and HEIC and TIFF are no images here', async () => {
  const drawn = sharp(await picture(30, 20));
  const avif = await drawn.avif({ effort: 0 }).toBuffer();
  const known = { format: 'avif', contentType: 'image/avif', width: 30, height: 20, frames: 1 };
  expect(await identifyImage(avif)).toEqual(known);
  expect((await colorAt((await fittedImage(avif, 100, 100)).bytes, 2, 10))[0]).toBe(1);
  for (const other of [await drawn.tiff().toBuffer(), Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')])
    await expect(identifyImage(other)).rejects.toMatchObject({ code: 'BAD_IMAGE' });
});

test('a square shows the middle', async () => {
  const { bytes, width, height, format } = await squareImage(await picture(90, 30), 40);
  expect({ width, height, format }).toEqual({ width: 40, height: 40, format: 'png' });
  expect([await colorAt(bytes, 5, 20), await colorAt(bytes, 35, 20)]).toEqual([
    [1, 0, 0],
    [0, 0, 1],
  ]);
  expect(await squareImage(await animation(10, 12, 3), 40)).toMatchObject({ format: 'png', frames: 1 });
});

test('what fits a frame is shown as a whole, and never enlarged', async () => {
  expect(await fittedImage(await picture(200, 50), 100, 100)).toMatchObject({ format: 'png', width: 100, height: 25 });
  expect(await fittedImage(await picture(20, 50), 100, 100)).toMatchObject({ width: 20, height: 50 });
});

test('thumbnails are WebP, still or animated', async () => {
  const moving = await animation(100, 60, 3);
  const size = { width: 50, height: 50 };
  const animated = await thumbnailImage(moving, { ...size, isAnimated: true });
  expect(animated).toMatchObject({ contentType: 'image/webp', width: 50, height: 30, frames: 3 });
  expect(await thumbnailImage(moving, { ...size, isAnimated: false })).toMatchObject({ format: 'webp', frames: 1 });
});

test('an animated emoji has a still image', async () => {
  const { image, still } = await emojiImage(await animation(100, 60, 3), 64);
  expect(image).toMatchObject({ format: 'gif', width: 64, height: 64, frames: 3 });
  expect(still).toMatchObject({ format: 'png', width: 64, height: 64, frames: 1 });
  const plain = await emojiImage(await photo(30, 20), 64);
  expect(plain.image).toMatchObject({ format: 'png', width: 64, height: 64, frames: 1 });
  expect(plain.still).toBeUndefined();
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';

describe('is no image', () => {
  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('text')],
    ['a signature alone', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['SVG', Buffer.from(SVG)],
    ['SVG behind a declaration', Buffer.from(`<?xml version="1.0"?>${SVG}`)],
    ['PDF', Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer<<>>\n%%EOF')],
    ['PPM', Buffer.from('P6 1 1 255\nabc')],
  ])('%s', async (_, bytes) => {
    await expect(identifyImage(bytes)).rejects.toMatchObject({ code: 'BAD_IMAGE' });
    await expect(squareImage(bytes, 100)).rejects.toMatchObject({ code: 'BAD_IMAGE' });
  });

  test('one that ends half-way', async () => {
    const noise = Buffer.from(Array.from({ length: 200 * 200 * 3 }, (_, at) => (at * 7919) % 251));
    const whole = await sharp(noise, { raw: { width: 200, height: 200, channels: 3 } })
      .jpeg()
      .toBuffer();
    await expect(squareImage(whole.subarray(0, whole.length / 2), 100)).rejects.toMatchObject({ code: 'BAD_IMAGE' });
    expect((await squareImage(whole, 100)).width).toBe(100);
  });
});

describe('is too large to decode', () => {
  test.each<[string, number, number]>([
    ['pixels', 16_000, 16_000],
    ['a side', 20_000, 1],
  ])('by %s', async (_, width, height) => {
    await expect(squareImage(emptyPng(width, height), 100)).rejects.toMatchObject({
      code: 'BAD_IMAGE',
      message: expect.stringContaining('exceeds'),
    });
  });

  test('by its frames together', async () => {
    const one = await sharp(await picture(1000, 1000))
      .gif({ colours: 2, effort: 1 })
      .toBuffer();
    const frame = one.subarray(one.indexOf(Buffer.from([0x2c, 0, 0, 0, 0])), one.length - 1);
    const bomb = Buffer.concat([one.subarray(0, -1), ...Array<Buffer>(50).fill(frame), one.subarray(-1)]);
    expect(await identifyImage(one)).toMatchObject({ frames: 1 });
    await expect(emojiImage(bomb, 64)).rejects.toMatchObject({
      code: 'BAD_IMAGE',
      message: expect.stringContaining('exceeds'),
    });
    // Thumbnails are of the frames at its beginning.
    const size = { width: 10, height: 10 };
    expect(await thumbnailImage(bomb, { ...size, isAnimated: true })).toMatchObject({ width: 10, frames: 25 });
    expect(await thumbnailImage(bomb, { ...size, isAnimated: false })).toMatchObject({ width: 10, frames: 1 });
  });

  test('as AVIF, sooner than others', async () => {
    const pixels = { create: { width: 4001, height: 4000, channels: 3, background: 'red' } } as const;
    await expect(identifyImage(await sharp(pixels).avif({ effort: 0 }).toBuffer())).rejects.toMatchObject({
      message: expect.stringContaining('exceeds'),
    });
    expect(await identifyImage(await sharp(pixels).webp({ effort: 0 }).toBuffer())).toMatchObject({ width: 4001 });
  });

  test('by its bytes', async () => {
    const padded = Buffer.concat([await picture(10, 10), Buffer.alloc(64 * 1024 * 1024)]);
    await expect(identifyImage(padded)).rejects.toMatchObject({ message: expect.stringContaining('exceeds') });
  });
});

test('work beyond what may wait is refused', async () => {
  const small = await picture(10, 10);
  const many = await Promise.allSettled(Array.from({ length: 150 }, () => identifyImage(small)));
  const refused = many.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  expect(refused).toHaveLength(50);
  expect(refused[0]!.reason).toMatchObject({ code: 'SERVER_NOT_READY' });
  expect(await identifyImage(small)).toMatchObject({ width: 10 });
});
