import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { rounds, sized } from '#testing';
import { withoutLocation } from './without-location.js';

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="51,30.5N" exif:Flash="on">
  <exif:GPSLongitude>7,12.25E</exif:GPSLongitude><exif:Lens>Large</exif:Lens></rdf:Description></rdf:RDF></x:xmpmeta>`;
const spaces = (text: string): string => ' '.repeat(text.length);
const WITHOUT_PLACE = XMP.replace(/exif:GPSLatitude="[^"]*"/, spaces).replace(/<exif:GPSL.*itude>/, spaces);
const EXIF = {
  IFD0: { Make: 'Camera', Artist: 'Ann' },
  IFD2: { LensModel: 'Long lens' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 7/1', GPSDateStamp: '2026:11:25' },
};

let folder: string, path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'location-'));
  path = join(folder, 'image');
});
afterAll(() => rm(folder, { recursive: true }));

const noise = (width: number, height: number): Buffer =>
  Buffer.from(Array.from({ length: width * height * 3 }, (_, at) => (at * 7919) % 251));
function photo(format: 'jpeg' | 'png' | 'webp' | 'avif', exif = EXIF, xmp = XMP): Promise<Buffer> {
  const drawn = sharp(noise(60, 40), { raw: { width: 60, height: 40, channels: 3 } });
  return drawn.withExif(exif).withXmp(xmp).toFormat(format).toBuffer();
}

/** The image without its place; undefined when it has none. */
async function cleaned(image: Buffer, type: string): Promise<Buffer | undefined> {
  await writeFile(path, image);
  const content = await withoutLocation(path, type);
  if (content === undefined) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
const pixelsOf = (image: Buffer): Promise<Buffer> => sharp(image).raw().toBuffer();

const FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const;

describe.each(FORMATS)('of %s', (format) => {
  const type = `image/${format}`;

  test('the place alone is removed, and the image stays as it is', async () => {
    const before = await photo(format);
    const after = (await cleaned(before, type))!;
    expect(after).toHaveLength(before.length);
    expect((await pixelsOf(after)).equals(await pixelsOf(before))).toBe(true);
    const [was, is] = [await sharp(before).metadata(), await sharp(after).metadata()];
    const { exif: _exif, xmp: _xmp, xmpAsString: _text, ...others } = was;
    expect(is).toMatchObject(others);
    const exif = is.exif!.toString('latin1');
    // Values, and the tag that leads to them.
    for (const trace of ['2026:11:25', '\x25\x88\x04\x00']) {
      expect(was.exif!.includes(trace, 0, 'latin1')).toBe(true);
      expect(exif).not.toContain(trace);
    }
    for (const kept of ['Camera', 'Ann', 'Long lens']) expect(exif).toContain(kept);
    // In PNG it is compressed, and removed as a whole.
    expect(is.xmp?.toString()).toBe(format === 'png' ? undefined : WITHOUT_PLACE);
    expect(await cleaned(after, type)).toBeUndefined();
  });

  test('without a place it is not touched', async () => {
    const { IFD0, IFD2 } = EXIF;
    expect(await cleaned(await photo(format, { IFD0, IFD2 } as typeof EXIF, '<x/>'), type)).toBeUndefined();
  });

  test('a broken file neither fails nor changes its length', async () => {
    const whole = await photo(format);
    const bytes = fc.tuple(fc.nat(whole.length - 1), fc.constantFrom(0, 1, 8, 0x7f, 0x80, 0xff));
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 20 }), fc.nat(whole.length), async (changes, end) => {
        const broken = Buffer.from(whole);
        for (const [at, value] of changes) broken[at % 1500] = value;
        const cut = broken.subarray(0, changes.length % 2 === 0 ? end : whole.length);
        expect(((await cleaned(cut, type)) ?? cut).length).toBe(cut.length);
      }),
      { numRuns: rounds(100) },
    );
  });
});

test('what only begins like an image neither fails nor changes its length', async () => {
  const beginnings = ['ffd8ffe1', '89504e470d0a1a0a', '524946460000000057454250', '00000018667479706d696631'];
  await fc.assert(
    fc.asyncProperty(fc.nat(3), fc.uint8Array({ maxLength: 500 }), async (kind, rest) => {
      const image = Buffer.concat([Buffer.from(beginnings[kind]!, 'hex'), rest]);
      expect(((await cleaned(image, `image/${FORMATS[kind]}`)) ?? image).length).toBe(image.length);
    }),
    { numRuns: rounds(300) },
  );
});

test('images that follow in the same JPEG lose theirs as well, and pixels may look like anything', async () => {
  const one = await photo('jpeg');
  const between = Buffer.from('\0\0\xff\xe1\xff\xff');
  const after = (await cleaned(Buffer.concat([one, between, one]), 'image/jpeg'))!;
  const alone = (await cleaned(one, 'image/jpeg'))!;
  expect(after.equals(Buffer.concat([alone, between, alone]))).toBe(true);
});

test('a PNG has its checksum', async () => {
  const after = (await cleaned(await photo('png'), 'image/png'))!;
  const at = after.indexOf('eXIf');
  const end = at + 4 + after.readUInt32BE(at - 4);
  expect(after.readUInt32BE(end)).toBe(crc32(after.subarray(at, end)));
});

test('other types are not looked at', async () => {
  expect(await cleaned(await photo('jpeg'), 'image/gif')).toBeUndefined();
});

test('a file of nothing but parts comes to an end', async () => {
  const length = sized({ nightly: 3_000_000, usual: 500_000 });
  const endless = (head: string, part: string): Buffer =>
    Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(length, part, 'hex')]);
  const files: readonly [string, Buffer][] = [
    ['jpeg', endless('ffd8', 'ffc00002')],
    ['jpeg', endless('ffd8', 'ff01')],
    ['jpeg', endless('ffd8', 'ffd9ffd8ff')],
    ['jpeg', endless('ffd8', 'ff')],
    ['png', endless('89504e470d0a1a0a', '000000006e6f587000000000')],
    ['webp', endless('524946460000000057454250', '4e4f4e4500000000')],
    ['heic', endless('00000010667479706d69663100000000', '0000000866726565')],
  ];
  for (const [format, file] of files) expect(await cleaned(file, `image/${format}`)).toBeUndefined();
});
