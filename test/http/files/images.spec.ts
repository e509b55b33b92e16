/** Uploaded images: kept as they were sent, and shown by thumbnails (rules.md §9, §14). */
import type { ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';
import { animatedPng, animation, metadataIn, photo, picture, pngChunk, shapeOf } from '../../support/pictures.js';
import { startTestServer } from '../../support/server.js';
import { load, PIXEL, upload } from '../../support/uploads.js';

/** Tag and type of the entry that leads to the place. */
const PLACE_TAG = '\x25\x88\x04\x00';
let cast: Cast;
let ann: ApiClient;

beforeAll(async () => {
  cast = await startWithPeople();
  ({ ann } = cast);
  await channelOf('kitchen', ann);
});
afterAll(() => cast.server.stop());

const bytesAt = async (address: string): Promise<Buffer> =>
  Buffer.from(await (await load(cast.server, address, ann)).arrayBuffer());
const thumbnailOf = (url: string, format = '840x560.webp'): string =>
  `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`;
/** The tag of the image in a message that links it; undefined when the link is all that is shown. */
async function shown(url: string): Promise<string | undefined> {
  const id = await ann.send('kitchen', 'images', `[it](${url})`);
  return /<img[^>]*>/.exec((await ann.ok('GET', `/messages/${id}`)).message.content)?.[0];
}

/** A PNG that says it has these sides, and has no pixels. */
async function hugePng(width: number, height: number): Promise<Buffer> {
  const small = await picture(1, 1);
  const head = Buffer.from(small.subarray(16, 29));
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  return Buffer.concat([small.subarray(0, 8), pngChunk('IHDR', head), small.subarray(33)]);
}

describe('an image', () => {
  test.each<[string, () => Promise<Buffer>, object]>([
    ['photo.jpg', () => photo(900, 600), { type: 'image/jpeg', size: '600x900' }],
    ['photo.png', () => photo(900, 600, 'png'), { type: 'image/png', size: '600x900' }],
    ['photo.webp', () => photo(900, 600, 'webp'), { type: 'image/webp', size: '600x900' }],
    ['moving.png', () => animatedPng(20), { type: 'image/png', size: '20x20' }],
    ['called.txt', () => picture(20, 10), { type: 'image/png', size: '20x10' }],
  ])('%s comes back byte for byte, the right way up in its thumbnail', async (name, draw, { type, size }: any) => {
    const sent = await draw();
    const url = await upload(cast.server, ann, name, sent);
    const answer = await load(cast.server, url, ann);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(Buffer.from(await answer.arrayBuffer()).equals(sent)).toBe(true);
    expect(await shown(url)).toBe(
      `<img data-original-content-type="${type}" data-original-dimensions="${size}" src="${thumbnailOf(url)}">`,
    );
    const [width, height] = size.split('x').map(Number);
    const scale = Math.min(1, 840 / width, 560 / height);
    const shape = { format: 'webp', width: Math.round(width * scale), height: Math.round(height * scale), pages: 1 };
    expect(await shapeOf(await bytesAt(thumbnailOf(url)))).toEqual(shape);
  });
});

describe('an animation', () => {
  test.each(['gif', 'webp'] as const)('as %s comes back byte for byte, and has both thumbnails', async (format) => {
    const sent = await animation(30, 4, format);
    const url = await upload(cast.server, ann, `moving.${format}`, sent);
    expect((await bytesAt(url)).equals(sent)).toBe(true);
    const facts = `data-animated="true" data-original-content-type="image/${format}" data-original-dimensions="30x30"`;
    expect(await shown(url)).toBe(`<img ${facts} src="${thumbnailOf(url)}">`);
    const shape = { format: 'webp', width: 30, height: 30 };
    expect(await shapeOf(await bytesAt(thumbnailOf(url)))).toEqual({ ...shape, pages: 1 });
    expect(await shapeOf(await bytesAt(thumbnailOf(url, '840x560-anim.webp')))).toEqual({ ...shape, pages: 4 });
  });

  test('with more pixels than are drawn comes back whole, and its thumbnail shows the beginning', async () => {
    const sent = await animation(1000, 51);
    const url = await upload(cast.server, ann, 'screen.gif', sent);
    expect((await bytesAt(url)).equals(sent)).toBe(true);
    expect(await shown(url)).toContain('data-animated="true"');
    const animated = await shapeOf(await bytesAt(thumbnailOf(url, '840x560-anim.webp')));
    expect(animated).toEqual({ format: 'webp', width: 560, height: 560, pages: 25 });
  });
});

describe('an image that cannot be drawn is a file without a preview', () => {
  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['broken.png', () => PIXEL.subarray(0, 50)],
    ['half.jpg', async () => (await photo(900, 600)).subarray(0, 2000)],
    ['wide.png', () => hugePng(20_000, 1)],
    ['large.png', () => hugePng(16_000, 16_000)],
  ])('%s', async (name, draw) => {
    const sent = await draw();
    const url = await upload(cast.server, ann, name, sent);
    expect((await bytesAt(url)).equals(sent)).toBe(true);
    expect(await shown(url)).toBeUndefined();
    expect((await load(cast.server, thumbnailOf(url), ann)).status).toBe(404);
  });
});

test('with the setting for it, photos lose the place where they were taken, and nothing else', async () => {
  const server = await startTestServer({ UPLOADS_REMOVE_LOCATION: 'on' });
  try {
    const ben = await server.user('Ben');
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const sent = await photo(90, 60, format);
      const url = await upload(server, ben, `photo.${format}`, sent);
      const kept = Buffer.from(await (await load(server, url, ben)).arrayBuffer());
      expect([format, kept.length]).toEqual([format, sent.length]);
      const exif = Object.values(await metadataIn(kept)).join('');
      expect([exif.includes('Secret camera'), exif.includes(PLACE_TAG)]).toEqual([true, false]);
      const changed = [...kept].filter((byte, at) => byte !== sent[at]).length;
      expect(changed).toBeLessThan(200);
      expect((await load(server, thumbnailOf(url), ben)).status).toBe(200);
    }
    expect(server.files.incomplete()).toEqual([]);
  } finally {
    await server.stop();
  }
});
