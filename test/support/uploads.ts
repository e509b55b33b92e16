import { fetch } from '#testing';
import { basic, exchange } from './answers.js';
import type { Answer, ApiClient } from './client.js';

/** A PNG of 1 × 1 pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export function credentials({ email, apiKey }: ApiClient): string {
  return basic(email, apiKey);
}

/** Uploads a file; any answer. */
export async function tryUpload(
  server: { readonly url: string },
  client: ApiClient,
  name: string,
  content: Buffer | string,
  contentType = '',
): Promise<Answer> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(Buffer.from(content))], { type: contentType }), name);
  const headers = { authorization: credentials(client) };
  return exchange(`${server.url}/api/v1/user_uploads`, { method: 'POST', headers, body: form });
}

/** Uploads a file; its address. @throws Error for anything but a success */
export async function upload(
  server: { readonly url: string },
  client: ApiClient,
  name: string,
  content: Buffer | string,
): Promise<string> {
  const { status, body, text } = await tryUpload(server, client, name, content);
  if (status !== 200) throw new Error(`POST /user_uploads: ${status} ${text}`);
  return body.url;
}

/** Loads an address of the server as a client, or without credentials. */
export function load(
  server: { readonly url: string },
  path: string,
  client?: ApiClient,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    headers: { ...(client === undefined ? {} : { authorization: credentials(client) }), ...headers },
    redirect: 'manual',
  });
}
