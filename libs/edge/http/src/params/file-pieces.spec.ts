import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable, Writable } from 'node:stream';
import { BodyFlow, FilePieces } from './file-pieces.js';

const PIECE = 128 * 1024;

describe('pieces of a file', () => {
  let file: Readable;
  let isPaused: boolean;
  let pieces: FilePieces;

  beforeEach(() => {
    isPaused = false;
    file = new Readable({ read: () => undefined });
    pieces = new FilePieces(file, { pause: () => (isPaused = true), resume: () => (isPaused = false) });
  });

  const SIZES = [0, 1, 16 * 1024, 16 * 1024 + 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE];

  test.each(SIZES.flatMap((size) => [50_000, 5_000].map((chunk) => [size, chunk] as const)))(
    'hold its %d bytes, which come %d at a time, and leave the body flowing',
    async (size, chunk) => {
      const content = randomBytes(size);
      for (let from = 0; from < size; from += chunk) file.push(content.subarray(from, from + chunk));
      file.push(null);
      const found: Buffer[] = [];
      for await (const piece of pieces) found.push(Buffer.from(piece));
      expect(Buffer.concat(found).equals(content)).toBe(true);
      expect(isPaused).toBe(false);
    },
  );

  test('keep what comes while one is in use, which stays as it is', async () => {
    const content = randomBytes(3 * PIECE);
    file.push(content.subarray(0, PIECE));
    const found: Buffer[] = [];
    for await (const piece of pieces) {
      if (found.length === 0) {
        expect(isPaused).toBe(true);
        file.push(content.subarray(PIECE));
        file.push(null);
        await new Promise(setImmediate);
      }
      found.push(Buffer.from(piece));
    }
    expect(found[0]).toHaveLength(PIECE);
    expect(Buffer.concat(found).equals(content)).toBe(true);
  });

  test('end with the error of the file', async () => {
    file.push('some');
    file.destroy(new Error('broken off'));
    await expect(pieces[Symbol.asyncIterator]().next()).rejects.toThrow('broken off');
  });
});

describe('the flow of a body', () => {
  const bodyOf = (...chunks: string[]): IncomingMessage => {
    const socket = { pause: () => undefined, resume: () => undefined };
    return Object.assign(Readable.from(chunks.map(Buffer.from)), { socket }) as unknown as IncomingMessage;
  };

  test('passes on a chunk at a time, and none while it is paused', async () => {
    const seen: string[] = [];
    const parser = new Writable({
      write(chunk: Buffer, _, done) {
        seen.push(String(chunk));
        if (String(chunk) === 'b') flow.pause();
        done();
      },
    });
    const flow = new BodyFlow(bodyOf('a', 'b', 'c'), parser);
    while (seen.length < 2) await new Promise(setImmediate);
    for (let round = 0; round < 10; round++) await new Promise(setImmediate);
    expect(seen).toEqual(['a', 'b']);
    flow.resume();
    await once(parser, 'finish');
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  test('drops the rest once it is stopped, also when the parser fails at a chunk that filled a piece', async () => {
    const seen: string[] = [];
    const parser = new Writable({
      write(chunk: Buffer, _, done) {
        seen.push(String(chunk));
        flow.pause();
        flow.stop();
        done();
      },
    });
    const body = bodyOf('a', 'b', 'c');
    const flow = new BodyFlow(body, parser);
    await once(body, 'end');
    expect(seen).toEqual(['a']);
  });
});
