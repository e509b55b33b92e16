import { randomBytes } from 'node:crypto';
import { REALM_ID } from '#wire';

/** The part of a file's path that identifies it: two digits, and 24 characters that nobody can guess. */
const TOKEN = /^[0-9a-f]{2}\/[A-Za-z0-9_-]{24}$/;
const RANDOM_BYTES = 18;

export function newToken(): string {
  const random = randomBytes(RANDOM_BYTES);
  return `${random.toString('hex', 0, 1)}/${random.toString('base64url')}`;
}

/** `path_id` of a file (objects.md, "Attachment"): `{realm_id}/{token}/{name}`. */
export function pathIdOf({ token, name }: { readonly token: string; readonly name: string }): string {
  return `${REALM_ID}/${token}/${name}`;
}

/** Token and name in a path ID; undefined when it cannot be one of a file. */
export function parsePathId(pathId: string): { readonly token: string; readonly name: string } | undefined {
  const [realm, digits, random, name, ...rest] = pathId.split('/');
  const token = `${digits}/${random}`;
  if (realm !== String(REALM_ID) || name === undefined || rest.length > 0 || !TOKEN.test(token)) return undefined;
  return { token, name };
}

/** The thumbnail that clients show in messages. */
const SHOWN_THUMBNAIL = '840x560.webp';

/** Address of the thumbnail that is shown in messages, encoded. */
export function thumbnailUrlOf(file: { readonly token: string; readonly name: string }): string {
  return `/user_uploads/thumbnail/${pathIdOf(file).split('/').map(encodeURIComponent).join('/')}/${SHOWN_THUMBNAIL}`;
}
