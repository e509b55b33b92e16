import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { basic, exchange } from './answers.js';
import type { Answer, ApiClient } from './client.js';
import type { TestServer } from './server.js';

const CHANNELS = 3;

/** A PNG of one color. @param shade from 0 to 255; another one is another picture */
export function picture(width: number, height: number, shade = 0): Promise<Buffer> {
  return sharp(Buffer.alloc(width * height * CHANNELS, shade), { raw: { width, height, channels: CHANNELS } })
    .png()
    .toBuffer();
}

/** A GIF with several frames. */
export function animation(side: number, frames: number, format: 'gif' | 'webp' = 'gif'): Promise<Buffer> {
  const pages = Buffer.alloc(side * side * frames * CHANNELS);
  for (let frame = 0; frame < frames; frame++) pages.fill(frame * 50, frame * side * side * CHANNELS);
  const raw = { width: side, height: side * frames, channels: CHANNELS, pageHeight: side } as const;
  return sharp(pages, { raw }).toFormat(format).toBuffer();
}

/** A photo of a camera that was held sideways, with the place where it was taken. */
export async function photo(width: number, height: number, format: 'jpeg' | 'png' | 'webp' = 'jpeg'): Promise<Buffer> {
  const drawn = sharp(await picture(width, height, 90))
    .withExif({ IFD0: { Make: 'Secret camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 });
  return drawn.toFormat(format).toBuffer();
}

/** A PNG of two frames; programs that do not know them show the first. */
export async function animatedPng(side: number): Promise<Buffer> {
  const still = await picture(side, side);
  const control = (sequence: number): Buffer => {
    const data = Buffer.alloc(26);
    for (const [index, value] of [sequence, side, side].entries()) data.writeUInt32BE(value, index * 4);
    return pngChunk('fcTL', data);
  };
  const [from, to] = [still.indexOf('IDAT') - 4, still.indexOf('IEND') - 4];
  const second = pngChunk('fdAT', Buffer.concat([Buffer.from([0, 0, 0, 2]), still.subarray(from + 8, to - 4)]));
  const count = pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
  const first = [still.subarray(0, from), count, control(0), still.subarray(from, to)];
  return Buffer.concat([...first, control(1), second, still.subarray(to)]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** What a picture is by its content. */
export async function shapeOf(bytes: ArrayBuffer | Buffer): Promise<object> {
  const { format, width, pageHeight, height, pages = 1 } = await sharp(Buffer.from(bytes as ArrayBuffer)).metadata();
  return { format, width, height: pageHeight ?? height, pages };
}

/** What an image says besides its pixels, by kind; nothing of a clean one. */
export async function metadataIn(bytes: Buffer): Promise<object> {
  const { exif, xmp, iptc, icc, comments } = await sharp(bytes).metadata();
  return {
    ...(exif && { exif }),
    ...(xmp && { xmp }),
    ...(iptc && { iptc }),
    ...(icc && { icc }),
    ...(comments && { comments }),
  };
}

export interface Upload {
  readonly method?: string;
  readonly path: string;
  readonly files: readonly Buffer[];
  readonly fields?: Readonly<Record<string, string>>;
}

/** Sends a form with files, as clients do. */
export function upload(
  server: TestServer,
  client: ApiClient,
  { method = 'POST', path, files, fields }: Upload,
): Promise<Answer> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields ?? {})) body.set(name, value);
  for (const [index, file] of files.entries())
    body.set(`file${index}`, new Blob([new Uint8Array(file)]), 'picture.png');
  const authorization = basic(client.email, client.apiKey);
  return exchange(`${server.url}/api/v1${path}`, { method, body, headers: { authorization } });
}
