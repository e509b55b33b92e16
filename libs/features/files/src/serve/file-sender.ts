import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { BlobStore } from '#blob-store';
import { hasContent } from '#http';
import { fileSpaceOf } from '../model/file-space.js';
import { rangeOf } from './byte-range.js';
import { noSuchFile } from './readable-files.js';
import { FileReports, VerifiedContent } from './verified-content.js';

/** Content to be sent. */
export interface SentFile {
  readonly hash: string;
  readonly size: number;
  readonly contentType: string;
  /** The name that people see. */
  readonly title: string;
}

/** Types that browsers show, and that cannot contain scripts, or not outside of a viewer of their own. */
const SHOWN =
  /^(?:application\/pdf|text\/plain|image\/(?:avif|gif|jpeg|png|webp)|audio\/(?:aac|flac|mp4|mpeg|ogg|wav)|video\/(?:mp4|ogg|quicktime|webm))$/;

/** Content security policy of files: a browser runs no script in them and loads nothing from other sites. */
const INERT = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";
/** Viewers of PDF do not work in a sandbox. */
const INERT_PDF = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'";

/** Sends content of files: in parts when the client asks for them, and not at all when it has it. */
@Injectable()
export class FileSender {
  readonly #content: VerifiedContent;

  constructor(blobs: BlobStore, reports: FileReports) {
    this.#content = new VerifiedContent(fileSpaceOf(blobs), reports);
  }

  /**
   * Sets the headers of the answer.
   * @param isDownload it is saved, whatever its type
   * @throws Refusal NOT_FOUND for content that is missing or damaged
   * @returns the body; undefined for none: an empty text would have a type, and a 304 its length
   */
  async send(
    file: SentFile,
    { method, headers }: FastifyRequest,
    reply: FastifyReply,
    isDownload: boolean,
  ): Promise<Readable | undefined> {
    const { hash, size, contentType } = file;
    const etag = `"${hash}"`;
    // Addresses are never used again for other content. Only the user's own client may keep it.
    const kept = { 'cache-control': 'private, immutable', etag, 'accept-ranges': 'bytes' };
    if (hasContent(headers['if-none-match'], etag)) {
      reply.code(304).headers(kept);
      return undefined;
    }
    const ifRange = headers['if-range'];
    const range = ifRange === undefined || ifRange === etag ? rangeOf(headers.range, size) : 'whole';
    if (range === 'unsatisfiable') {
      reply.code(416).headers({ ...kept, 'content-range': `bytes */${size}` });
      return undefined;
    }
    // Fastify counts the bytes of a text; a stream keeps the length that is announced.
    const opened = await this.#content.open(hash, size, range === 'whole' ? undefined : range);
    if (opened === undefined) throw noSuchFile();
    if (method === 'HEAD') opened.destroy();
    const content = method === 'HEAD' ? Readable.from([]) : opened;
    const isShown = !isDownload && SHOWN.test(contentType);
    // An answer that there is no content at the moment must have none of these.
    reply.headers({
      ...kept,
      'content-type': contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType,
      'content-disposition': dispositionOf(isShown ? 'inline' : 'attachment', file.title),
      'content-security-policy': isShown && contentType === 'application/pdf' ? INERT_PDF : INERT,
      'content-length': range === 'whole' ? size : range.end - range.start + 1,
    });
    if (range !== 'whole') reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
    return content;
  }
}

/** The header in the form of RFC 6266. Clients differ in how they read quotes, backslashes and `%` in the plain name. */
function dispositionOf(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["%\\]/g, '_');
  const disposition = `${type}; filename="${plain}"`;
  return plain === name ? disposition : `${disposition}; filename*=UTF-8''${extendedValueOf(name)}`;
}

/** Of the characters that `encodeURIComponent` leaves, `'`, `(`, `)` and `*` are to be encoded (RFC 8187). */
function extendedValueOf(name: string): string {
  const encode = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(name).replaceAll(/['()*]/g, encode);
}
