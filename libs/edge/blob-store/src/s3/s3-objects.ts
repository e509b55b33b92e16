import { Readable } from 'node:stream';
import type { ByteRange } from '../blob-store.js';
import { watchedBody } from './s3-body.js';
import { isMissing, type S3Calls } from './s3-calls.js';

export interface S3Object {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  /** By the clock of the server, in milliseconds since the epoch. */
  readonly storedAtMs: number;
}

export interface OpenS3Object extends S3Object {
  readonly content: Readable;
}

/** Reads, lists and deletes objects in a bucket. */
export class S3Objects {
  /**
   * @param calls for everything but content
   * @param reads for content, which occupies a connection for as long as its reader takes
   */
  constructor(
    private readonly calls: S3Calls,
    private readonly reads: S3Calls,
  ) {}

  /** Objects whose keys begin with the prefix, in the order of their keys; asked for in pages of a thousand. */
  async *list(prefix: string): AsyncGenerator<S3Object> {
    for (let after: string | undefined; ;) {
      // A key instead of the server's token: clean-ups go on with a listing hours later.
      const page = await this.calls.call(({ sdk, client, bucket, signal }) =>
        client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, StartAfter: after }), {
          abortSignal: signal,
        }),
      );
      for (const { Key: key, Size: size, LastModified: at } of page.Contents ?? []) {
        if (key === undefined) continue;
        after = key;
        yield { key, size: size ?? 0, storedAtMs: at?.getTime() ?? 0 };
      }
      if (page.IsTruncated !== true) return;
    }
  }

  /** @returns undefined when there is no such object */
  async open(key: string, range: ByteRange | undefined): Promise<OpenS3Object | undefined> {
    const { reads } = this;
    const answer = await reads.call(({ sdk, client, bucket, signal }) =>
      client
        .send(
          new sdk.GetObjectCommand({
            Bucket: bucket,
            Key: key,
            Range: range && `bytes=${range.start}-${range.end}`,
          }),
          { abortSignal: signal },
        )
        .catch((error: unknown) => {
          if (isMissing(error)) return undefined;
          throw error;
        }),
    );
    if (answer === undefined) return undefined;
    const { Body: body, ContentLength: length, ContentRange: part, LastModified: at } = answer;
    const content =
      body instanceof Readable
        ? watchedBody(body, reads.limits.idleMs, (error) => reads.unavailable(error))
        : Readable.from([]);
    const size = Number(/\/(\d+)$/.exec(part ?? '')?.[1] ?? length ?? 0);
    return { key, size, storedAtMs: at?.getTime() ?? 0, content };
  }

  /** Deletes an object, or nothing. */
  async remove(key: string): Promise<void> {
    await this.calls.call(({ sdk, client, bucket, signal }) =>
      client
        .send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }), { abortSignal: signal })
        .catch((error: unknown) => {
          // Servers of others say so when another process deletes it at the same time.
          if (!isMissing(error)) throw error;
        }),
    );
  }
}
