import { textUpTo } from './text-up-to.js';

/** Chunks of one byte each; says how many were read, and whether the stream was ended. */
function streamOf(text: string): { readonly chunks: AsyncIterable<Uint8Array>; read: number; isEnded: boolean } {
  const stream = { chunks: bytes(), read: 0, isEnded: false };
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for (const byte of Buffer.from(text)) {
        stream.read++;
        yield await Promise.resolve(Uint8Array.of(byte));
      }
    } finally {
      stream.isEnded = true;
    }
  }
  return stream;
}

const tooLong = (): Error => new RangeError('too long');

test.each(['', 'plain', 'zwölf'])('%j is put together from its bytes', async (text) => {
  expect(await textUpTo(6, streamOf(text).chunks, tooLong)).toBe(text);
});

test('what is too long is not read to its end', async () => {
  const stream = streamOf('0123456789');
  await expect(textUpTo(6, stream.chunks, tooLong)).rejects.toThrow(RangeError);
  expect(stream).toMatchObject({ read: 7, isEnded: true });
});
