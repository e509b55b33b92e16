import { acceptPushKey } from '../devices/push-keys.js';
import { encrypted } from './encryption.js';
import { sodium } from './sodium.js';

const payload = { type: 'test', text: 'Grüße 🎉' };
const base64 = (...parts: Uint8Array[]): string => Buffer.concat(parts).toString('base64');

test('a sealed box opens with the private key alone', async () => {
  const library = (await sodium()) as any;
  const { publicKey, privateKey } = library.crypto_box_keypair();
  const text = Buffer.from(await encrypted(acceptPushKey(base64(publicKey)), payload), 'base64');
  expect(JSON.parse(library.crypto_box_seal_open(text, publicKey, privateKey, 'text'))).toEqual(payload);
  const other = library.crypto_box_keypair();
  expect(() => library.crypto_box_seal_open(text, other.publicKey, other.privateKey)).toThrow();
});

test('a secret box begins with its nonce, another one each time', async () => {
  const library = (await sodium()) as any;
  const secret: Uint8Array = library.crypto_secretbox_keygen();
  const key = acceptPushKey(base64(Buffer.of(0x31), secret));
  const texts = [await encrypted(key, payload), await encrypted(key, payload)];
  expect(texts[0]).not.toBe(texts[1]);
  const bytes = Buffer.from(texts[0]!, 'base64');
  const length: number = library.crypto_secretbox_NONCEBYTES;
  const opened = library.crypto_secretbox_open_easy(bytes.subarray(length), bytes.subarray(0, length), secret, 'text');
  expect(JSON.parse(opened)).toEqual(payload);
});

test.each([
  '',
  'AAAA',
  base64(Buffer.alloc(33)),
  base64(Buffer.alloc(32)).slice(0, -1),
  `${base64(Buffer.alloc(32))} `,
])('no key: %j', (text) => {
  expect(() => acceptPushKey(text)).toThrow('Invalid push_key');
});
