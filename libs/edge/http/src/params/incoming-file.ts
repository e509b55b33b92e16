import { badRequest, nextSlice, type Refusal } from '#kernel';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { BODY_LIMIT_BYTES, PARAMETERS_MAX } from '../limits/limits.js';
import { contextOf } from '../request-context.js';
import { BodyFlow, FilePieces } from './file-pieces.js';
import { busboyFor, malformed } from './multipart.js';
import type { RawParams } from './raw-params.js';
import { fileTooLarge } from './small-files.js';

/** An incoming file. The handler must read the content to its end or abandon it. */
export interface IncomingFile {
  /** Name from the client, without folders: may contain anything else. */
  readonly filename: string;
  /** In pieces, each valid until the next one is asked for; never held in memory as a whole. Fails with `BAD_REQUEST` when the file is too large or the body breaks off. */
  readonly content: AsyncIterable<Buffer>;
  /**
   * Resolves when the rest of the body is read as well; fails with `BAD_REQUEST` when it has another file or breaks off.
   * To be awaited after the content.
   */
  readonly end: Promise<void>;
  /** Reads the rest of the body without keeping it. */
  abandon(): void;
}

const MIB = 1024 * 1024;

/**
 * The only file of a multipart body, under any part name (clients.md §3), for handlers marked
 * `@TakesFile`. Fields before it are the request's parameters.
 * @throws Refusal `BAD_REQUEST` when there is no file, or it is too large
 */
export async function incomingFile(request: FastifyRequest, limitMib: number): Promise<IncomingFile> {
  // Many uploads may begin at a time, and each takes a millisecond or two until its content flows.
  await nextSlice();
  const { raw } = request;
  if (raw.readableEnded) throw noFile();
  if (raw.destroyed) throw malformed();
  const limitBytes = limitMib * MIB;
  return new Promise((resolve, reject) => {
    if (!/^multipart\/form-data/i.test(raw.headers['content-type'] ?? '')) throw noFile();
    // The rest of the form is small.
    if (Number(raw.headers['content-length']) > limitBytes + BODY_LIMIT_BYTES) throw fileTooLarge(limitBytes);
    // One more than allowed, so that a second file is noticed.
    const limits = { fieldSize: BODY_LIMIT_BYTES, fields: PARAMETERS_MAX, files: 2, fileSize: limitBytes };
    const busboy = busboyFor(raw, limits);
    const given = Object.create(null) as RawParams;
    let content: Readable | undefined;
    const end = outcome();
    const flow = new BodyFlow(raw, busboy);
    const fail = (error: Error): void => {
      flow.stop();
      end.reject(error);
      if (content === undefined) reject(error);
      else content.destroy(error);
    };
    raw.once('close', () => {
      if (!raw.readableEnded) fail(malformed());
    });
    busboy.on('field', (name: string | undefined, value) => {
      if (name !== undefined) given[name] = value;
    });
    busboy.on('file', (_field, file, filename: string | undefined) => {
      if (content !== undefined) {
        file.on('error', () => undefined).resume();
        fail(badRequest('You may only upload one file at a time'));
        return;
      }
      content = file;
      contextOf(request).overriddenForm = given;
      // The body may break off after the handler has read the content, and stopped listening.
      file.on('error', () => {
        fail(malformed());
      });
      file.once('close', () => {
        // The handler has given up: the rest of the body is not read, and must not block the connection.
        if (!file.readableEnded) fail(malformed());
      });
      file.once('limit', () => {
        fail(fileTooLarge(limitBytes));
      });
      resolve({
        filename: filename ?? '',
        content: contentOf(new FilePieces(file, flow), end.promise),
        end: end.promise,
        abandon: () => file.destroy(),
      });
    });
    busboy.on('error', () => {
      fail(malformed());
    });
    busboy.once('finish', () => {
      if (content === undefined) reject(noFile());
      else end.resolve();
    });
  });
}

/** Fails as the request does: the parser's own errors tell clients nothing. */
async function* contentOf(pieces: AsyncIterable<Buffer>, end: Promise<void>): AsyncIterable<Buffer> {
  try {
    yield* pieces;
  } catch (error) {
    await end;
    throw error;
  }
}

interface Outcome {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function outcome(): Outcome {
  let [resolve, reject]: [Outcome['resolve'], Outcome['reject']] = [() => undefined, () => undefined];
  const promise = new Promise<void>((succeed, fail) => {
    [resolve, reject] = [succeed, fail];
  });
  // The content fails as well, and a handler that stops there does not wait for the end.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

function noFile(): Refusal {
  return badRequest('You must specify a file to upload');
}
