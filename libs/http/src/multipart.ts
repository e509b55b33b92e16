import { badRequest, Refusal } from '#kernel';
import { Busboy } from '@fastify/busboy';
import type { BusboyConfig, BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { edgeOf } from './edge.js';
import type { Given } from './given.js';
import { tooMany } from './given.js';
import { BODY_LIMIT_BYTES, PARAMETERS_MAX } from './limits.js';

const PART_HEADERS_MAX = 20;
const NAME_LENGTH_MAX = 200;

function busboyFor(request: IncomingMessage, limits: BusboyConfig['limits']): BusboyInstance {
  const contentType = request.headers['content-type'];
  if (contentType === undefined) throw malformed();
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: { fieldNameSize: NAME_LENGTH_MAX, headerPairs: PART_HEADERS_MAX, ...limits },
    });
  } catch {
    // No boundary, or none that can be one.
    throw malformed();
  }
}

function malformed(): Refusal {
  return badRequest('Malformed multipart body');
}

function tooLarge(limitBytes: number): Refusal {
  return new Refusal('PAYLOAD_TOO_LARGE', `The request is too large (limit: ${limitBytes} bytes)`);
}

/**
 * Reads the fields of a multipart body as parameters: zulip-js sends every POST so. Files have no meaning here; their
 * part names count as parameters that nobody asked for.
 */
export function readMultipart(request: IncomingMessage): Promise<Given> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > BODY_LIMIT_BYTES) throw tooLarge(BODY_LIMIT_BYTES);
    const busboy = busboyFor(request, { fieldSize: BODY_LIMIT_BYTES, parts: PARAMETERS_MAX });
    const given = Object.create(null) as Given;
    let receivedBytes = 0;
    const fail = (error: Error): void => {
      request.unpipe(busboy);
      request.resume();
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > BODY_LIMIT_BYTES) fail(tooLarge(BODY_LIMIT_BYTES));
    });
    request.once('error', () => {
      fail(malformed());
    });
    request.once('close', () => {
      if (!request.readableEnded) fail(malformed());
    });
    busboy.on('field', (name, value) => {
      given[name] = value;
    });
    busboy.on('file', (name, file) => {
      given[name] = '';
      file.resume();
    });
    busboy.once('partsLimit', () => {
      fail(tooMany());
    });
    busboy.once('error', () => {
      fail(malformed());
    });
    busboy.once('finish', () => {
      resolve(given);
    });
    request.pipe(busboy);
  });
}

/** A file on its way in. Whoever gets it reads the content to its end or destroys it. */
export interface IncomingFile {
  /** As the client named it: may hold anything, path separators included. */
  readonly filename: string;
  readonly mimeType: string;
  /** Ends early with `PAYLOAD_TOO_LARGE` when the file is larger than the limit. */
  readonly content: Readable;
}

/**
 * The first file of a multipart body, whatever its part is called (supplement, clients §3), for handlers marked
 * `@TakesFile`. Fields that came before it are the request's parameters; what follows it is read and dropped.
 * @throws Refusal `BAD_REQUEST` when there is no file, `PAYLOAD_TOO_LARGE`
 */
export function incomingFile(request: FastifyRequest, sizeLimitBytes: number): Promise<IncomingFile> {
  const { raw } = request;
  return new Promise((resolve, reject) => {
    if (!/^multipart\/form-data/i.test(raw.headers['content-type'] ?? ''))
      throw badRequest('You must specify a file to upload');
    // The form around the file is small.
    if (Number(raw.headers['content-length']) > sizeLimitBytes + BODY_LIMIT_BYTES) throw tooLarge(sizeLimitBytes);
    const limits = { fieldSize: BODY_LIMIT_BYTES, fields: PARAMETERS_MAX, files: 1, fileSize: sizeLimitBytes };
    const busboy = busboyFor(raw, limits);
    const given = Object.create(null) as Given;
    const content = new PassThrough();
    let found = false;
    const fail = (error: Error): void => {
      raw.unpipe(busboy);
      raw.resume();
      if (found) content.destroy(error);
      else reject(error);
    };
    content.once('close', () => {
      // Nobody reads on: the rest of the body must not hold up the connection.
      raw.unpipe(busboy);
      raw.resume();
    });
    raw.once('close', () => {
      if (!raw.readableEnded) fail(malformed());
    });
    busboy.on('field', (name, value) => {
      given[name] = value;
    });
    busboy.on('file', (_field, file, filename: string | undefined, _encoding, mimeType) => {
      if (found) {
        file.resume();
        return;
      }
      found = true;
      edgeOf(request).overriddenForm = given;
      file.once('limit', () => {
        fail(tooLarge(sizeLimitBytes));
      });
      file.pipe(content);
      resolve({ filename: filename ?? '', mimeType, content });
    });
    busboy.once('error', () => {
      fail(malformed());
    });
    busboy.once('finish', () => {
      if (!found) reject(badRequest('You must specify a file to upload'));
    });
    raw.pipe(busboy);
  });
}
