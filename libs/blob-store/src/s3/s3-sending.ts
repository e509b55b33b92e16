import type { PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { BlobStoreUnavailable, type ByteRange } from '../blob-store.js';

/** A part of a local file. */
export interface FilePart extends ByteRange {
  readonly path: string;
}

export function lengthOf({ start, end }: ByteRange): number {
  return end - start + 1;
}

/** SHA-256 of the part, in hexadecimal digits. */
export async function hashOf(part: FilePart): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of contentOf(part)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/**
 * Sends a part of a file as a stream, which is closed afterwards.
 * @throws BlobStoreUnavailable when the file cannot be read
 */
export async function sending<Result>(part: FilePart, send: (body: Readable) => Promise<Result>): Promise<Result> {
  const body = contentOf(part);
  // The client does not look at errors of what it sends.
  const broken = new Promise<never>((_, reject) => {
    body.once('error', (cause) => {
      reject(new BlobStoreUnavailable('An upload cannot be read from the local disk.', { cause }));
    });
  });
  try {
    return await Promise.race([send(body), broken]);
  } finally {
    body.destroy();
  }
}

function contentOf({ path, start, end }: FilePart): Readable {
  return end < start ? Readable.from([]) : createReadStream(path, { start, end });
}

/**
 * Signs content with its SHA-256, so that the server refuses anything else; of a stream the client would sign nothing.
 * @param hash in hexadecimal digits
 */
export function signedWith<Command extends PutObjectCommand | UploadPartCommand>(
  hash: string,
  command: Command,
): Command {
  // Both kinds of commands have the same stack, but for the types of their input.
  (command as PutObjectCommand).middlewareStack.add(
    (next) => (args) => {
      (args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = hash;
      return next(args);
    },
    { step: 'build', name: 'signContent' },
  );
  return command;
}
