import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import type { BlobSpace } from '#blob-store';
import { hasContent } from '#http';
import { Refusal } from '#kernel';

/**
 * Pictures are of this server's own encoding and never change under their address. A browser that opens one as a page runs
 * and loads nothing. Everybody may show them, since their addresses are not guessed.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
};

export function noSuchPicture(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such picture');
}

/** Answers with a picture that is drawn. */
export function answerDrawn(reply: FastifyReply, bytes: Buffer, contentType: string): void {
  if (isAnsweredAsKnown(reply, createHash('sha256').update(bytes).digest('hex'))) return;
  void reply.code(200).header('content-type', contentType).send(bytes);
}

/**
 * Answers with a picture in the store of files.
 * @throws Refusal NOT_FOUND
 */
export async function answerStored(
  reply: FastifyReply,
  space: BlobSpace,
  hash: string,
  contentType: string,
): Promise<void> {
  if (isAnsweredAsKnown(reply, hash)) return;
  const found = await space.open(hash);
  if (found === undefined) throw noSuchPicture();
  void reply.code(200).header('content-type', contentType).header('content-length', found.size).send(found.content);
}

/** Sets the headers; true when the client has the picture already, and is told so. */
function isAnsweredAsKnown(reply: FastifyReply, hash: string): boolean {
  const etag = `"${hash}"`;
  reply.headers(HEADERS).header('etag', etag);
  const isKnown = hasContent(reply.request.headers['if-none-match'], etag);
  if (isKnown) void reply.code(304).send();
  return isKnown;
}
