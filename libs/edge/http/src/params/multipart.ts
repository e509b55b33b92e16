import { badRequest, Refusal } from '#kernel';
import { Busboy } from '@fastify/busboy';
import type { BusboyConfig, BusboyInstance } from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';
import type { RawParams } from './raw-params.js';
import { FILES, tooMany, unreadable } from './raw-params.js';
import { replacementsIn, SentReplacements } from './replacements.js';
import { fileTooLarge, type SmallFiles } from './small-files.js';
import { BODY_LIMIT_BYTES, PARAMETERS_MAX } from '../limits/limits.js';

const PART_HEADERS_MAX = 20;
const NAME_LENGTH_MAX = 200;
/**
 * More than a body delivers at a time. The parser waits for a part whose buffer is full, and for ever when it skips the part; all
 * parts are read as they come, so their buffers stay small.
 */
const PART_BUFFER_BYTES = 1024 * 1024;

export function busboyFor(
  request: IncomingMessage,
  limits: BusboyConfig['limits'],
  more: Pick<BusboyConfig, 'isPartAFile'> = {},
): BusboyInstance {
  const contentType = request.headers['content-type'];
  if (contentType === undefined) throw malformed();
  try {
    const busboy = new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      fileHwm: PART_BUFFER_BYTES,
      ...more,
      limits: { fieldNameSize: NAME_LENGTH_MAX, headerPairs: PART_HEADERS_MAX, ...limits },
    });
    // A body that breaks off is an error of the parser and of the file that it is in; an error that nobody listens to ends the process.
    return busboy.on('file', (_name, file) => file.on('error', () => undefined));
  } catch {
    // Missing or invalid boundary.
    throw malformed();
  }
}

export function malformed(): Refusal {
  return badRequest('Malformed multipart body');
}

function tooLarge(limitBytes: number): Refusal {
  return new Refusal('PAYLOAD_TOO_LARGE', `The request is too large (limit: ${limitBytes} bytes)`);
}

/** The parser also takes bytes without a name of a file for one, which is right where files are expected. */
function hasFilename(_name: string | undefined, _type: string | undefined, filename: string | undefined): boolean {
  return filename !== undefined;
}

/**
 * Reads the fields of a multipart body as parameters: zulip-js sends every POST that way. Files go to `files`, for routes
 * that take them; for others, their names are unsupported parameters, also where a parameter has that name. Fields without
 * a name are skipped, like parts that are no fields. An empty body, which some clients send for a form without fields, has
 * no parameters.
 */
export function readMultipart(request: IncomingMessage, files?: SmallFiles): Promise<RawParams> {
  return new Promise((resolve, reject) => {
    const given = Object.create(null) as RawParams;
    if (request.headers['content-length'] === '0') {
      resolve(given);
      return;
    }
    const fileLimit = files?.limitBytes ?? 0;
    const limit = fileLimit + BODY_LIMIT_BYTES;
    const excessive = files === undefined ? tooLarge(limit) : fileTooLarge(fileLimit);
    if (Number(request.headers['content-length']) > limit) throw excessive;
    const ofFiles = files === undefined ? {} : { fileSize: fileLimit };
    const limits = { fieldSize: BODY_LIMIT_BYTES, parts: PARAMETERS_MAX, ...ofFiles };
    const busboy = busboyFor(request, limits, files === undefined ? { isPartAFile: hasFilename } : {});
    let receivedBytes = 0;
    // The decoder hides bytes that are no UTF-8, so what it put in their place is compared with what was sent as that.
    const sent = new SentReplacements();
    let replacements = 0;
    const fail = (error: Error): void => {
      request.unpipe(busboy);
      request.resume();
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      sent.read(chunk);
      if (receivedBytes > limit) fail(excessive);
    });
    request.once('error', () => {
      fail(malformed());
    });
    request.once('close', () => {
      if (!request.readableEnded) fail(malformed());
    });
    busboy.on('field', (name: string | undefined, value) => {
      if (name === undefined) return;
      replacements += replacementsIn(name) + replacementsIn(value);
      given[name] = value;
    });
    busboy.on('file', (name: string | undefined, file, filename: string | undefined) => {
      if (files !== undefined) {
        files.take(filename ?? '', file, fail);
        return;
      }
      if (name !== undefined) (given[FILES] ??= new Set()).add(name);
      file.resume();
    });
    busboy.once('partsLimit', () => {
      fail(tooMany());
    });
    busboy.on('error', () => {
      // A body without an end delimiter; one of unknown length may be empty.
      if (receivedBytes === 0) resolve(given);
      else fail(malformed());
    });
    busboy.once('finish', () => {
      if (replacements > sent.count) fail(unreadable());
      else resolve(given);
    });
    request.pipe(busboy);
  });
}
