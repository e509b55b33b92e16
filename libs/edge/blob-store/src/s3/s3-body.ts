import { Readable } from 'node:stream';
import { within } from '#kernel';

/**
 * The body of an answer as it arrives. It fails when nothing arrives for `idleMs` while it is being read, so a reader that is
 * slow itself has all the time that it wants.
 * @param failure turns an error of the connection into the one that the reader gets
 */
export function watchedBody(body: Readable, idleMs: number, failure: (error: unknown) => Error): Readable {
  const watched = Readable.from(chunksOf(body, idleMs, failure), { objectMode: false });
  // Ends the wait for the next chunk, which the generator is in.
  watched.once('close', () => body.destroy());
  return watched;
}

async function* chunksOf(
  body: Readable,
  idleMs: number,
  failure: (error: unknown) => Error,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const late = (): Error => new DOMException(`no content for ${idleMs} ms`, 'TimeoutError');
  try {
    for (;;) {
      const next = await within(idleMs, () => chunks.next(), late);
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    throw failure(error);
  } finally {
    body.destroy();
  }
}
