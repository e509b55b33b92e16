import { Semaphore } from '#kernel';
import { ABANDONED_AFTER_MS, type StagedFile } from '../staging.js';
import { isMissing, type S3Calls, type S3Session } from './s3-calls.js';
import { hashOf, readPart, signedWith } from './s3-sending.js';

/** The smallest part that S3 allows: what is sent again after a failure. */
const PART_BYTES = 5 * 1024 * 1024;
const PARTS_MAX = 10_000;
/** Each holds a part in memory. More at a time would slow each other down, up to the deadline of a call. */
const TRANSFERS_MAX = 4;

/** An upload in parts. */
interface Upload {
  readonly key: string;
  readonly id: string;
}

/** What a transfer sends. */
interface Part {
  readonly path: string;
  /** Offset in the file, in bytes. */
  readonly start: number;
  readonly length: number;
}

/**
 * Sends local files into a bucket, in parts when they are large. A part is read, hashed and handed to its connection as a
 * whole: as a stream of chunks it took the event loop several times as long.
 */
export class S3Uploads {
  readonly #transfers = new Semaphore(TRANSFERS_MAX);
  /** Buffers of ended transfers, kept while others are under way: each new one is garbage that only a full collection frees. */
  #buffers: Buffer[] = [];
  #transferring = 0;
  /** Keys of uploads in parts that this process is at. */
  readonly #underWay = new Set<string>();

  constructor(private readonly calls: S3Calls) {}

  /** Stores a file; complete and durable when resolved. */
  async send(file: StagedFile, key: string): Promise<void> {
    if (file.size > PART_BYTES) return this.#sendInParts(file, key);
    await this.#transfer({ path: file.path, start: 0, length: file.size }, (content) =>
      this.#sendContent(({ sdk, client, bucket, signal }) => {
        const command = { Bucket: bucket, Key: key, Body: content, ContentLength: file.size };
        return client.send(signedWith(file.hash, new sdk.PutObjectCommand(command)), { abortSignal: signal });
      }),
    );
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
      const length = Math.min(partBytes, size - start);
      const number = tags.length + 1;
      const sent = await this.#transfer({ path, start, length }, async (content) => {
        const hash = await hashOf(content);
        return this.#sendContent(({ sdk, client, bucket, signal }) => {
          const place = { Bucket: bucket, Key: key, UploadId: id, PartNumber: number };
          const command = new sdk.UploadPartCommand({ ...place, Body: content, ContentLength: length });
          return client.send(signedWith(hash, command), { abortSignal: signal });
        });
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

  /** A call that carries content. */
  #sendContent<Result>(send: (session: S3Session) => Promise<Result>): Promise<Result> {
    return this.calls.call(send, { limitMs: this.calls.limits.sendMs });
  }

  /** Reads a part of a file and sends it, one of a few at a time. */
  #transfer<Result>({ path, start, length }: Part, send: (content: Buffer) => Promise<Result>): Promise<Result> {
    return this.#transfers.run(async () => {
      this.#transferring++;
      try {
        const buffer = this.#bufferOf(length);
        const content = buffer.subarray(0, length);
        await readPart(path, start, content);
        const sent = await send(content);
        // After a failure, a connection that was given up may still read from it.
        this.#buffers.push(buffer);
        return sent;
      } finally {
        if (--this.#transferring === 0) this.#buffers = [];
      }
    });
  }

  #bufferOf(length: number): Buffer {
    const kept = this.#buffers.pop();
    return kept !== undefined && kept.length >= length ? kept : Buffer.allocUnsafeSlow(Math.max(length, PART_BYTES));
  }
}
