import { FastifyAdapter } from '@nestjs/platform-fastify';
import { StreamableFile } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type JsonPiece, Slices } from '#kernel';
import { PAGE_HEADERS, PageReply, RedirectReply } from '../pages/page.js';
import type { EdgeReply } from '../exchange.js';
import { contextOf } from '../request-context.js';

export const JSON_TYPE = 'application/json; charset=utf-8';
/** Asks for the other address by GET, whatever this request was. */
const SEE_OTHER = 303;
const SUCCESS = '{"result":"success","msg":""}';
const SUCCESS_OPEN = '{"result":"success","msg":"",';

/**
 * Adds the success envelope to results of controllers (rules.md §1). It is
 * placed where Nest passes a result to Fastify: an interceptor would cost each request an observable, and a
 * serialization hook a copy of the payload.
 */
export class EnvelopingAdapter extends FastifyAdapter {
  override reply(response: FastifyReply, body: unknown, statusCode?: number): FastifyReply {
    if (body instanceof PageReply) return response.code(body.status).headers(PAGE_HEADERS).send(body.render());
    if (body instanceof RedirectReply)
      return response.code(SEE_OTHER).header('location', body.location).header('referrer-policy', 'no-referrer').send();
    if (!isPayload(body)) return super.reply(response, body, statusCode);
    const edge = contextOf(response.request);
    if (!edge.policy.enveloped) return super.reply(response, body, statusCode);
    response.code(200).header('content-type', JSON_TYPE);
    return response.send(envelope(body, edge.ignored()));
  }

  /** Errors and unknown paths are answered by the hooks of `installRequestContext`; Nest would use its own format. */
  override setErrorHandler(): FastifyInstance {
    return this.getInstance();
  }

  override setNotFoundHandler(): FastifyInstance {
    return this.getInstance();
  }
}

function isPayload(body: unknown): body is object | null | undefined {
  if (body === undefined || body === null) return true;
  return (
    typeof body === 'object' && !(body instanceof StreamableFile) && !ArrayBuffer.isView(body) && !('pipe' in body)
  );
}

/** The JSON text of a success. */
export function envelope(payload: object | null | undefined, ignored: readonly string[]): string {
  if (Array.isArray(payload)) throw new TypeError('A list cannot be a reply: name it in an object.');
  const all = ignored.length === 0 ? payload : { ...payload, ignored_parameters_unsupported: ignored };
  if (all === undefined || all === null) return SUCCESS;
  const text = JSON.stringify(all);
  return text === '{}' ? SUCCESS : SUCCESS_OPEN + text.slice(1);
}

/** Short texts are written together. */
const WRITTEN_TOGETHER_LENGTH = 32_768;
/** Shorter than usual: others need several turns of the event loop, and such an answer takes seconds. */
const WRITING_SLICE_MS = 3;
/** A client that takes nothing for so long has gone. */
const TAKEN_WITHIN_MS = 60_000;

/** Pieces of at least this length are sent from where they are; copying shorter ones costs less than a write of their own. */
const WRITTEN_BYTES_MIN = 2_048;

/**
 * Answers with a success whose fields are JSON text already, such as `"events":[],"queue_id":"…"`. For replies that are
 * too large or too frequent to build an object. Large ones come in pieces, and those that are bytes may be shared by many
 * replies: they are not copied.
 */
export function sendFields(reply: EdgeReply, fields: string | readonly (string | Uint8Array)[]): void {
  const [open, close] = aroundFields(reply, fields.length === 0);
  reply.code(200).header('content-type', JSON_TYPE);
  if (typeof fields === 'string') void reply.send(`${open}${fields}${close}`);
  else sendChunks(reply, chunksOf([open, ...fields, close]));
}

/**
 * As `sendFields`, but some pieces may be made when they are written: in slices, and no faster than the client takes them, so they
 * are never together in memory.
 */
export async function sendLateFields(reply: EdgeReply, fields: readonly JsonPiece[]): Promise<void> {
  if (fields.every(isReady)) {
    sendFields(reply, fields);
    return;
  }
  const [open, close] = aroundFields(reply, false);
  reply.code(200).header('content-type', JSON_TYPE).hijack();
  const { raw } = reply;
  try {
    raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
    await writePieces(raw, [open, ...fields, close]);
    raw.end();
  } catch (error) {
    // The head has been sent: the client must see that the answer is cut off.
    raw.destroy();
    throw error;
  }
}

/** As `sendFields`, with the beginning of the answer at once, and the fields when they are known. */
export async function sendFieldsAfter(reply: EdgeReply, fields: () => Promise<string>): Promise<void> {
  const [open, close] = aroundFields(reply, false);
  reply.code(200).header('content-type', JSON_TYPE).hijack();
  const { raw } = reply;
  try {
    raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
    raw.write(open);
    raw.end(`${await fields()}${close}`);
  } catch (error) {
    raw.destroy();
    throw error;
  }
}

/** The text before and after the fields of a success. */
function aroundFields(reply: EdgeReply, isEmpty: boolean): readonly [string, string] {
  const ignored = contextOf(reply.request).ignored();
  const close = ignored.length === 0 ? '}' : `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}}`;
  return [isEmpty ? SUCCESS_OPEN.slice(0, -1) : SUCCESS_OPEN, close];
}

function isReady(piece: JsonPiece): piece is string | Uint8Array {
  return typeof piece !== 'function';
}

async function writePieces(raw: ServerResponse, pieces: readonly JsonPiece[]): Promise<void> {
  const slices = new Slices(WRITING_SLICE_MS);
  let text = '';
  for (const piece of pieces) {
    if (raw.destroyed) return;
    if (piece instanceof Uint8Array) {
      await taken(raw, text);
      await taken(raw, piece);
      text = '';
    } else text += isReady(piece) ? piece : piece();
    if (text.length >= WRITTEN_TOGETHER_LENGTH) {
      await taken(raw, text);
      text = '';
    }
    if (slices.isOver) await slices.next();
  }
  await taken(raw, text);
}

/** Writes and, when the connection holds enough, waits until the client has taken it or is gone. */
export async function taken(raw: ServerResponse, chunk: string | Uint8Array): Promise<void> {
  if (chunk.length === 0 || raw.destroyed || raw.write(chunk)) return;
  const patience = setTimeout(() => raw.destroy(), TAKEN_WITHIN_MS);
  await new Promise<void>((resolve) => {
    const go = (): void => {
      raw.off('drain', go).off('close', go);
      resolve();
    };
    raw.on('drain', go).on('close', go);
  });
  clearTimeout(patience);
}

/** Fastify takes one buffer or a stream, which costs more than the writing. */
function sendChunks(reply: EdgeReply, chunks: readonly Uint8Array[]): void {
  const [whole] = chunks;
  if (chunks.length === 1 && whole !== undefined) {
    void reply.send(whole);
    return;
  }
  reply.hijack();
  const { raw } = reply;
  const length = chunks.reduce((total, chunk) => total + chunk.length, 0);
  raw.writeHead(reply.statusCode, { ...reply.getHeaders(), 'content-length': length } as OutgoingHttpHeaders);
  raw.cork();
  for (const chunk of chunks) raw.write(chunk);
  raw.end();
}

/** The pieces as bytes, of which short neighbours are joined. */
function chunksOf(pieces: readonly (string | Uint8Array)[]): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let short: (string | Uint8Array)[] = [];
  const join = (): void => {
    if (short.length > 0) chunks.push(joined(short));
    short = [];
  };
  for (const piece of pieces) {
    if (typeof piece === 'string' || piece.length < WRITTEN_BYTES_MIN) {
      short.push(piece);
      continue;
    }
    join();
    chunks.push(piece);
  }
  join();
  return chunks;
}

/** Copies each piece once. */
function joined(pieces: readonly (string | Uint8Array)[]): Buffer {
  const lengths = pieces.map((piece) => Buffer.byteLength(piece));
  const bytes = Buffer.allocUnsafe(lengths.reduce((total, length) => total + length, 0));
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    if (typeof piece === 'string') bytes.write(piece, at);
    else bytes.set(piece, at);
    at += lengths[index] ?? 0;
  }
  return bytes;
}
