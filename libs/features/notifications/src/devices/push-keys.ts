import { badRequest, Refusal } from '#kernel';
import type { AskedRegistration } from './device.commands.js';
import type { PushKey } from './device.events.js';

const KEY_BYTES = 32;
/** First byte of a shared key: the cryptosystem, which is libsodium's secretbox. */
const SECRETBOX = 0x31;
/** Bytes that libsodium adds to a sealed text. */
const SEAL_BYTES = 48;
const REGISTRATION_BYTES_MAX = 8 * 1024;
const TOKEN_ID_LENGTH_MAX = 100;

/** Bytes of standard base64; undefined for other text. */
function bytesOf(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/**
 * Key to which notifications are encrypted: the public key of a box (feature level 406), or a shared key with a first byte
 * that says so (432).
 * @throws Refusal BAD_REQUEST
 */
export function acceptPushKey(text: string): PushKey {
  const bytes = bytesOf(text);
  if (bytes?.length === KEY_BYTES) return { form: 'sealed', bytes: text };
  if (bytes?.length === KEY_BYTES + 1 && bytes[0] === SECRETBOX)
    return { form: 'secret', bytes: bytes.subarray(1).toString('base64') };
  throw badRequest('Invalid push_key');
}

/** @throws Refusal INVALID_BOUNCER_PUBLIC_KEY, BAD_REQUEST */
export function acceptRegistration(asked: AskedRegistration): AskedRegistration {
  const { bouncerPublicKey, encryptedRegistration, tokenId } = asked;
  if (bytesOf(bouncerPublicKey)?.length !== KEY_BYTES)
    throw new Refusal('INVALID_BOUNCER_PUBLIC_KEY', 'Invalid bouncer_public_key');
  const bytes = bytesOf(encryptedRegistration)?.length ?? 0;
  if (bytes <= SEAL_BYTES || bytes > REGISTRATION_BYTES_MAX) throw badRequest('Invalid encrypted_push_registration');
  if (tokenId !== null && (tokenId === '' || tokenId.length > TOKEN_ID_LENGTH_MAX || bytesOf(tokenId) === undefined))
    throw badRequest('Invalid token_id');
  return asked;
}
