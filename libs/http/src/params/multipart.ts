import { badRequest, Refusal } from '#kernel';
import { Busboy } from '@fastify/busboy';
import type { BusboyConfig, BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { contextOf } from '../request-context.js';
import type { RawParams } from './raw-params.js';
import { tooMany } from './raw-params.js';
import { BODY_LIMIT_BYTES, PARAMETERS_MAX } from '../limits/limits.js';

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
    // Missing or invalid boundary.
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
 * Reads the fields of a multipart body as parameters: zulip-js sends every POST that way. Files are ignored; their part
 * names count as unsupported parameters. An empty body, which some clients send for a form without fields, has no
 * parameters.
 */
export function readMultipart(request: IncomingMessage): Promise<RawParams> {
  return new Promise((resolve, reject) => {
    const given = Object.create(null) as RawParams;
    if (request.headers['content-length'] === '0') {
      resolve(given);
      return;
    }
    if (Number(request.headers['content-length']) > BODY_LIMIT_BYTES) throw tooLarge(BODY_LIMIT_BYTES);
    const busboy = busboyFor(request, { fieldSize: BODY_LIMIT_BYTES, parts: PARAMETERS_MAX });
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
      // A body without an end delimiter; one of unknown length may be empty.
      if (receivedBytes === 0) resolve(given);
      else fail(malformed());
    });
    busboy.once('finish', () => {
      resolve(given);
    });
    request.pipe(busboy);
  });
}

/** An incoming file. The handler must read the content to its end or destroy it. */
export interface IncomingFile {
  /** Name from the client: may contain anything, including path separators. */
  readonly filename: string;
  readonly mimeType: string;
  /** Fails with `PAYLOAD_TOO_LARGE` when the file exceeds the limit. */
  readonly content: Readable;
}

/**
 * The first file of a multipart body, under any part name (supplement, clients §3), for handlers marked
 * `@TakesFile`. Fields before it are the request's parameters; the rest is read and dropped.
 * @throws Refusal `BAD_REQUEST` when there is no file, `PAYLOAD_TOO_LARGE`
 */
export function incomingFile(request: FastifyRequest, sizeLimitBytes: number): Promise<IncomingFile> {
  const { raw } = request;
  return new Promise((resolve, reject) => {
    if (!/^multipart\/form-data/i.test(raw.headers['content-type'] ?? ''))
      throw badRequest('You must specify a file to upload');
    // The rest of the form is small.
    if (Number(raw.headers['content-length']) > sizeLimitBytes + BODY_LIMIT_BYTES) throw tooLarge(sizeLimitBytes);
    const limits = { fieldSize: BODY_LIMIT_BYTES, fields: PARAMETERS_MAX, files: 1, fileSize: sizeLimitBytes };
    const busboy = busboyFor(raw, limits);
    const given = Object.create(null) as RawParams;
    const content = new PassThrough();
    let found = false;
    const fail = (error: Error): void => {
      raw.unpipe(busboy);
      raw.resume();
      if (found) content.destroy(error);
      else reject(error);
    };
    content.once('close', () => {
      // The rest of the body is not read, and must not block the connection.
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
      contextOf(request).overriddenForm = given;
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
