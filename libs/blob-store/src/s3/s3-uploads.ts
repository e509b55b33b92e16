import type { Readable } from 'node:stream';
import { Semaphore } from '#kernel';
import { ABANDONED_AFTER_MS, type StagedFile } from '../staging.js';
import { isMissing, type S3Calls, type S3Session } from './s3-calls.js';
import { type FilePart, hashOf, lengthOf, sending, signedWith } from './s3-sending.js';

/** The smallest part that S3 allows: what is sent again after a failure. */
export const PART_BYTES = 5 * 1024 * 1024;
const PARTS_MAX = 10_000;
/** More at a time would slow each other down, up to the deadline of a call. */
const TRANSFERS_MAX = 8;

/** An upload in parts. */
interface Upload {
  readonly key: string;
  readonly id: string;
}

/** Sends local files into a bucket, in parts when they are large. No content is in memory but what a connection takes next. */
export class S3Uploads {
  readonly #transfers = new Semaphore(TRANSFERS_MAX);
  /** Keys of uploads in parts that this process is at. */
  readonly #underWay = new Set<string>();

  constructor(private readonly calls: S3Calls) {}

  /** Stores a file; complete and durable when resolved. */
  async send(file: StagedFile, key: string): Promise<void> {
    if (file.size > PART_BYTES) return this.#sendInParts(file, key);
    const part = { path: file.path, start: 0, end: file.size - 1 };
    await this.#transfer(part, (body, { sdk, client, bucket, signal }) => {
      const command = { Bucket: bucket, Key: key, Body: body, ContentLength: file.size };
      return client.send(signedWith(file.hash, new sdk.PutObjectCommand(command)), { abortSignal: signal });
    });
  }

  /**
   * Ends uploads in parts whose process has ended: their parts take space and are no objects.
   * @param isOurs tells keys of content from those of other users of the bucket
   * @param isOnlyUser whether all of these uploads are of this process: else recent ones are left alone
   */
  async cleanUp(prefix: string, isOurs: (key: string) => boolean, isOnlyUser: boolean): Promise<void> {
    const abandonedBeforeMs = isOnlyUser ? Infinity : Date.now() - ABANDONED_AFTER_MS;
    for (let [keyMarker, idMarker] = ['', '']; ;) {
      const page = await this.calls.call(
        ({ sdk, client, bucket, signal }) => {
          const markers = keyMarker === '' ? {} : { KeyMarker: keyMarker, UploadIdMarker: idMarker };
          const command = new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...markers });
          return client.send(command, { abortSignal: signal });
        },
        // It is called again soon, and at the start others wait for it.
        { attempts: 1 },
      );
      for (const { Key: key, UploadId: id, Initiated: begun } of page.Uploads ?? []) {
        if (key === undefined || id === undefined || !isOurs(key) || this.#underWay.has(key)) continue;
        if ((begun?.getTime() ?? 0) < abandonedBeforeMs) await this.#abort({ key, id });
      }
      if (page.IsTruncated !== true) return;
      [keyMarker, idMarker] = [page.NextKeyMarker ?? '', page.NextUploadIdMarker ?? ''];
    }
  }

  async #sendInParts(file: StagedFile, key: string): Promise<void> {
    this.#underWay.add(key);
    try {
      const begun = await this.calls.call(({ sdk, client, bucket, signal }) =>
        client.send(new sdk.CreateMultipartUploadCommand({ Bucket: bucket, Key: key }), { abortSignal: signal }),
      );
      const upload = { key, id: begun.UploadId ?? '' };
      try {
        await this.#complete(upload, await this.#sendParts(file, upload), file.size);
      } catch (error) {
        // What fails here, the clean-up does later.
        await this.#abort(upload).catch(() => undefined);
        throw error;
      }
    } finally {
      this.#underWay.delete(key);
    }
  }

  /** @returns the tags of the parts, in their order */
  async #sendParts({ path, size }: StagedFile, { key, id }: Upload): Promise<readonly (string | undefined)[]> {
    const partBytes = Math.max(PART_BYTES, Math.ceil(size / PARTS_MAX));
    const tags: (string | undefined)[] = [];
    for (let start = 0; start < size; start += partBytes) {
      const part = { path, start, end: Math.min(start + partBytes, size) - 1 };
      const hash = await hashOf(part);
      const number = tags.length + 1;
      const sent = await this.#transfer(part, (body, { sdk, client, bucket, signal }) => {
        const place = { Bucket: bucket, Key: key, UploadId: id, PartNumber: number };
        const command = new sdk.UploadPartCommand({ ...place, Body: body, ContentLength: lengthOf(part) });
        return client.send(signedWith(hash, command), { abortSignal: signal });
      });
      tags.push(sent.ETag);
    }
    return tags;
  }

  async #complete({ key, id }: Upload, tags: readonly (string | undefined)[], size: number): Promise<void> {
    const parts = tags.map((tag, index) => ({ ETag: tag, PartNumber: index + 1 }));
    await this.calls.call(
      async ({ sdk, client, bucket, signal }) => {
        const options = { abortSignal: signal };
        const command = { Bucket: bucket, Key: key, UploadId: id, MultipartUpload: { Parts: parts } };
        try {
          await client.send(new sdk.CompleteMultipartUploadCommand(command), options);
        } catch (error) {
          if (!isMissing(error)) throw error;
          // The answer to an earlier attempt was lost, which had completed it.
          const found = await client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: key }), options);
          if (found.ContentLength !== size) throw error;
        }
      },
      // The server may put the parts together first.
      { limitMs: this.calls.limits.sendMs },
    );
  }

  async #abort({ key, id }: Upload): Promise<void> {
    await this.calls.call(({ sdk, client, bucket, signal }) =>
      client
        .send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: id }), { abortSignal: signal })
        .catch((error: unknown) => {
          if (!isMissing(error)) throw error;
        }),
    );
  }

  /** Sends a part of a file, one of a few at a time; each attempt reads it anew. */
  #transfer<Result>(part: FilePart, send: (body: Readable, session: S3Session) => Promise<Result>): Promise<Result> {
    return this.#transfers.run(() =>
      this.calls.call((session) => sending(part, (body) => send(body, session)), {
        limitMs: this.calls.limits.sendMs,
      }),
    );
  }
}
