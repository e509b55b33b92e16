import type { JsonObject } from '#kernel';
import type { PushKey } from '../devices/device.events.js';
import { sodium } from './sodium.js';

/** Encrypts a notification for a device, so that no service on the way can read it. @returns base64 */
export async function encrypted({ form, bytes }: PushKey, payload: JsonObject): Promise<string> {
  const library = await sodium();
  const message = Buffer.from(JSON.stringify(payload));
  const key = Buffer.from(bytes, 'base64');
  if (form === 'sealed') return base64(library.crypto_box_seal(message, key));
  const nonce = library.randombytes_buf(library.crypto_secretbox_NONCEBYTES);
  return base64(nonce, library.crypto_secretbox_easy(message, nonce, key));
}

function base64(...parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString('base64');
}
