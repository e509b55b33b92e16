/**
 * The text of a stream of bytes, which stops being read when it is too long.
 * @throws the error `tooLong`
 */
export async function textUpTo(
  limitBytes: number,
  stream: AsyncIterable<Uint8Array>,
  tooLong: () => Error,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the stream.
    if (bytes > limitBytes) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
