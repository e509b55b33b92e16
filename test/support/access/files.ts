import { join } from 'node:path';
import { openBlobStore } from '#blob-store';
import { streams } from '#event-store';
import type { JsonObject } from '#kernel';
import { type Answer, answerTo, type ApiClient } from '../client.js';
import { recordIn } from '../facts.js';
import type { TestServer } from '../server.js';
import { credentials, PIXEL } from '../uploads.js';

/** An address that leads to a file. */
export interface FileAddress {
  readonly name: string;
  /** Not for those without one, whatever they may read. */
  readonly needsAccount?: true;
  /** Loads the file as this user, or without an account. */
  load(site: string, file: string, client?: ApiClient): Promise<Answer>;
}

const under = (folder: string, file: string): string => file.replace('/user_uploads/', `/user_uploads/${folder}/`);
const at =
  (address: (file: string) => string) =>
  (site: string, file: string, client?: ApiClient): Promise<Answer> =>
    got(`${site}${address(file)}`, client);

/** Every address that leads to an uploaded image (endpoints.md §2, §13). */
export const FILE_ADDRESSES: readonly FileAddress[] = [
  { name: 'GET /user_uploads/{path}', load: at((file) => file) },
  {
    name: 'GET /user_uploads/{path}?api_key=',
    load: (site, file, client) => got(`${site}${file}${client === undefined ? '' : `?api_key=${client.apiKey}`}`),
  },
  { name: 'HEAD /user_uploads/{path}', load: (site, file, client) => got(`${site}${file}`, client, 'HEAD') },
  { name: 'GET /user_uploads/download/{path}', load: at((file) => under('download', file)) },
  { name: 'GET /user_uploads/thumbnail/{path}/840x560.webp', load: at((file) => thumbnail(file, '840x560.webp')) },
  {
    name: 'GET /user_uploads/thumbnail/{path}/840x560-anim.webp',
    load: at((file) => thumbnail(file, '840x560-anim.webp')),
  },
  {
    name: 'GET /api/v1/user_uploads/{path}, and the temporary address',
    needsAccount: true,
    async load(site, file, client) {
      const answer = await got(`${site}/api/v1${file}`, client);
      return answer.status === 200 ? got(`${site}${JSON.parse(answer.text).url}`) : answer;
    },
  },
];

function thumbnail(file: string, format: string): string {
  return `${under('thumbnail', file)}/${format}`;
}

async function got(url: string, client?: ApiClient, method = 'GET'): Promise<Answer> {
  const headers = client === undefined ? {} : { authorization: credentials(client) };
  return Object.assign(await answerTo(url, { method, headers }), { body: undefined });
}

/** Address of a file, unique for two numbers. */
export function fileAt(userId: number, place: number): string {
  return `/user_uploads/1/ab/${`${userId}-${place}`.padStart(24, '0')}/soup.png`;
}

/** An image that a user has uploaded. */
export interface UploadedImage {
  readonly userId: number;
  /** See `fileAt`. */
  readonly file: string;
}

/** Records the uploads of images, which all have one content, with a server that is stopped. */
export async function recordImages(server: TestServer, images: readonly UploadedImage[]): Promise<void> {
  const store = openBlobStore(`file:${join(server.dataDir, 'uploads')}`, { isOnlyUser: true });
  const content = await store.space('files').put(PIXEL);
  const thumbnails = [{ format: '840x560.webp', ...content }];
  const image = { width: 1, height: 1, frames: 1, thumbnails };
  const uploads = images.map(({ userId, file }): { type: string; data: JsonObject } => {
    const [name = '', random, digits] = file.split('/').reverse();
    const token = `${digits}/${random}`;
    return {
      type: 'file.uploaded.v1',
      data: { userId, token, name, contentType: 'image/png', ...content, image, atMs: Date.now() },
    };
  });
  await recordIn(server, streams.files, uploads);
}
