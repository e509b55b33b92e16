import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { rounds } from '#testing';
import { erasePlaceInText } from './png.js';
import { erasePlaceInXmp } from './xmp.js';

test.each([
  '<a [exif:GPSLatitude="1N"] b="2"/>',
  "<a [exif:GPSAltitude = '1'] b='2'/>",
  '[<exif:GPSMapDatum>WGS</exif:GPSMapDatum>]<b/>',
  '[<exif:GPSVersionID x="1"/>]<b/>',
  '[<exif:GPSA><rdf:Seq/></exif:GPSA >]<b/>[<exif:GPSB/>]',
  '<a exif:Flash="1"/>',
  'about exif:GPSLatitude',
  '<exif:GPSLatitude>1N',
  '<a exif:GPSLatitude="1N',
])('of %s, what is in brackets is replaced by spaces', (marked) => {
  const bytes = Buffer.from(marked.replaceAll(/[[\]]/g, ''));
  expect(erasePlaceInXmp(bytes)).toBe(marked.includes('['));
  expect(bytes.toString()).toBe(marked.replaceAll(/\[(.*?)\]/g, (_, place: string) => ' '.repeat(place.length)));
});

test('broken XML does not fail, and gets nothing but spaces', () => {
  const part = fc.constantFrom(
    '<exif:GPSA',
    '</exif:GPSA',
    '<exif:GPSB',
    ' exif:GPSC="',
    '=',
    '"',
    "'",
    '>',
    '/>',
    ' ',
    'x',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const bytes = Buffer.from(parts.join(''));
      erasePlaceInXmp(bytes);
      for (const [at, character] of [...parts.join('')].entries())
        expect([character, ' ']).toContain(String.fromCharCode(bytes[at]!));
    }),
    { numRuns: rounds(500) },
  );
});

describe('in a text of PNG', () => {
  const XMP = '<a exif:GPSLatitude="1N" b="2"/>';
  const keyword = 'XML:com.adobe.xmp\0';
  const chunk = (...parts: (string | Buffer)[]): Buffer =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string)));

  test('it is removed', async () => {
    const plain = chunk(`iTXt${keyword}\0\0en\0name\0`, XMP);
    expect(await erasePlaceInText(plain)).toBe(true);
    expect(plain.toString()).toBe(`iTXt${keyword}\0\0en\0name\0<a ${' '.repeat(21)} b="2"/>`);
  });

  test.each([
    ['iTXt', '\x01\0en\0name\0'],
    ['zTXt', '\0'],
  ])('a compressed %s is passed over', async (type, head) => {
    const packed = chunk(type, keyword, head, deflateSync(XMP));
    const length = packed.length;
    expect(await erasePlaceInText(packed)).toBe(true);
    expect(packed.toString()).toBe('noXp'.padEnd(length, '\0'));
    for (const other of [deflateSync('<a/>'), Buffer.from('no'), Buffer.alloc(0)])
      expect(await erasePlaceInText(chunk(type, keyword, head, other))).toBe(false);
  });
});
