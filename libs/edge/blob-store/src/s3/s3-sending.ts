import type { PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { webcrypto } from 'node:crypto';
import { open } from 'node:fs/promises';
import { BlobStoreUnavailable } from '../blob-store.js';

/**
 * Fills `buffer` from a local file.
 * @param start offset in the file, in bytes
 * @throws BlobStoreUnavailable when the file cannot be read, or ends before the buffer is full
 */
export async function readPart(path: string, start: number, buffer: Buffer): Promise<void> {
  try {
    const file = await open(path);
    try {
      for (let read = 0; read < buffer.length;) {
        const { bytesRead } = await file.read(buffer, read, buffer.length - read, start + read);
        if (bytesRead === 0) throw new Error('The file is shorter than it was.');
        read += bytesRead;
      }
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw new BlobStoreUnavailable('An upload cannot be read from the local disk.', { cause });
  }
}

/** SHA-256 in hexadecimal digits, computed off the main thread: a part of 5 MiB takes some milliseconds. */
export async function hashOf(content: Buffer): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', content)).toString('hex');
}

/**
 * Signs content with its SHA-256, so that the server refuses anything else. The client would hash it on the main thread.
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
