import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describeOnS3, type S3Server } from '#testing';
import { blobStoreContract, type BlobStoreHarness } from '../blob-store.contract.js';
import { BlobStoreUnavailable, type OpenBlob } from '../blob-store.js';
import { s3AddressOf } from './s3-address.js';
import { S3BlobStore } from './s3-blob-store.js';
import { S3_LIMITS, S3Calls } from './s3-calls.js';
import { S3Objects } from './s3-objects.js';

const MIB = 1024 * 1024;
/** The end of a key of content. */
const HALF = `ab/ab${'0'.repeat(62)}-00000000-0000-0000-0000-000000000000`;
/** Of three parts. */
const LARGE = randomBytes(12 * MIB);
const LARGE_HASH = createHash('sha256').update(LARGE).digest('hex');

async function bytesOf(opened: OpenBlob | undefined): Promise<Buffer> {
  return Buffer.concat(await (opened?.content ?? Readable.from([])).toArray());
}

async function putObject(url: string, key: string): Promise<void> {
  const calls = new S3Calls(s3AddressOf(url), S3_LIMITS, 1);
  await calls.call(({ sdk, client, bucket }) =>
    client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key: key, Body: 'notes' })),
  );
}

/** Begins an upload in parts as a process does that is killed then. */
async function beginUpload(url: string, key: string): Promise<void> {
  const calls = new S3Calls(s3AddressOf(url), S3_LIMITS, 1);
  await calls.call(async ({ sdk, client, bucket: Bucket }) => {
    const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key: key }));
    await client.send(new sdk.UploadPartCommand({ Bucket, Key: key, UploadId, PartNumber: 1, Body: 'half' }));
  });
}

interface Harness extends BlobStoreHarness {
  readonly url: string;
  readonly stagingFolder: string;
  readonly store: S3BlobStore;
}

async function open(server: S3Server, url = server.freshUrl(), isOnlyUser = true): Promise<Harness> {
  const stagingFolder = await mkdtemp(join(tmpdir(), 'scrollback-staging-'));
  const reopen = (): S3BlobStore => new S3BlobStore(s3AddressOf(url), { isOnlyUser, stagingFolder });
  return {
    url,
    stagingFolder,
    store: reopen(),
    reopen,
    async age(space, hash) {
      await Promise.resolve();
      const longAgo = new Date(Date.now() - 3_600_000);
      for (const key of server.keys(url))
        if (key.includes(`${space}/${hash.slice(0, 2)}/${hash}-`)) server.age(url, key, longAgo);
    },
    temporaryFiles: async () => (await readdir(stagingFolder)).length + server.incompleteUploads(url).length,
    destroy: () => rm(stagingFolder, { recursive: true }),
  };
}

describeOnS3('a server with S3’s protocol', (server) => {
  blobStoreContract('S3', () => open(server));

  blobStoreContract('S3, under a prefix', () => open(server, server.freshUrl().replace('?', '/chat/one?')));

  describe('on S3', () => {
    let harness: Harness;
    beforeEach(async () => {
      harness = await open(server);
    });
    afterEach(() => harness.destroy());

    const files = () => harness.store.space('files');

    test('keys have a prefix, a space and the hash', async () => {
      const url = harness.url.replace('?', '/chat?');
      const { store, destroy } = await open(server, url);
      const { hash } = await store.space('files').put(Buffer.from('hello'));
      expect(server.keys(url)).toEqual([
        expect.stringMatching(new RegExp(`^chat/files/${hash.slice(0, 2)}/${hash}-[0-9a-f-]{36}$`)),
      ]);
      await destroy();
    });

    test('large content goes in parts, and comes back whole and in ranges', async () => {
      expect(await files().put(LARGE)).toEqual({ hash: LARGE_HASH, size: LARGE.length });
      expect(await harness.temporaryFiles()).toBe(0);
      const whole = await files().open(LARGE_HASH);
      expect(whole?.size).toBe(LARGE.length);
      expect((await bytesOf(whole)).equals(LARGE)).toBe(true);
      // Across the end of a part.
      const range = { start: 5 * MIB - 10, end: 5 * MIB + 9 };
      const part = await files().open(LARGE_HASH, range);
      expect(part?.size).toBe(LARGE.length);
      expect(await bytesOf(part)).toEqual(LARGE.subarray(range.start, range.end + 1));
    });

    test('an upload in parts that another process has left is ended at the start', async () => {
      await beginUpload(harness.url, `files/${HALF}`);
      expect(server.incompleteUploads(harness.url)).toHaveLength(1);
      await harness.store.cleanUp();
      expect(server.incompleteUploads(harness.url)).toEqual([]);
    });

    test('where others use the bucket as well, recent uploads in parts are left alone', async () => {
      await beginUpload(harness.url, `files/${HALF}`);
      const { store, destroy } = await open(server, harness.url, false);
      await store.cleanUp();
      expect(server.incompleteUploads(harness.url)).toHaveLength(1);
      await destroy();
    });

    test('uploads in parts outside of the prefix are left alone', async () => {
      await beginUpload(harness.url, `files/${HALF}`);
      const { store, destroy } = await open(server, harness.url.replace('?', '/chat?'));
      await store.cleanUp();
      expect(server.incompleteUploads(harness.url)).toHaveLength(1);
      await destroy();
    });

    test('uploads in parts of others who use the bucket are left alone', async () => {
      for (const key of [`chat/files/${HALF}`, 'backups/today', `files/${HALF}.txt`])
        await beginUpload(harness.url, key);
      await harness.store.cleanUp();
      expect(server.incompleteUploads(harness.url)).toHaveLength(3);
    });

    test('a clean-up in the middle of uploads in parts leaves them alone', async () => {
      const contents = Array.from({ length: 4 }, (_, index) => Buffer.concat([LARGE, Buffer.from([index])]));
      const storing = contents.map((content) => files().put(content));
      for (let round = 0; round < 20; round++) await harness.store.cleanUp();
      const refs = await Promise.all(storing);
      for (const { hash, size } of refs) expect(await files().stat(hash)).toMatchObject({ hash, size });
    });

    test('content that changes on the local disk is refused by the server', async () => {
      const staged = await files().stage(Readable.from([Buffer.from('hello')]));
      await writeFile(staged.path, 'jello');
      await expect(staged.keep()).rejects.toThrow('400 XAmzContentSHA256Mismatch');
      expect(await files().stat(staged.hash)).toBeUndefined();
    });

    test.each([
      ['short', Buffer.from('hello')],
      ['in parts', LARGE],
    ])('%s content that is cut off on the local disk is not stored', async (_, content) => {
      const staged = await files().stage(Readable.from([content]));
      await truncate(staged.path, content.length - 1);
      await expect(staged.keep()).rejects.toThrow(BlobStoreUnavailable);
      expect(await files().stat(staged.hash)).toBeUndefined();
      expect(await harness.temporaryFiles()).toBe(0);
    });

    test('content that another process has stored again is found', async () => {
      await files().put(Buffer.from('hello'));
      const [first = ''] = server.keys(harness.url);
      server.age(harness.url, first, new Date(0));
      const other = await open(server, harness.url);
      const { hash } = await other.store.space('files').put(Buffer.from('hello'));
      expect(server.keys(harness.url)).toHaveLength(1);
      expect(server.keys(harness.url)).not.toContain(first);
      // This process knows the first key.
      const opened = await files().open(hash);
      expect((await bytesOf(opened)).toString()).toBe('hello');
      await other.destroy();
    });

    test('an object that others delete at the same time is deleted', async () => {
      const calls = new S3Calls(s3AddressOf(harness.url), S3_LIMITS, 8);
      const objects = new S3Objects(calls, calls);
      for (let round = 0; round < 30; round++) {
        await putObject(harness.url, 'files/notes.txt');
        await Promise.all(Array.from({ length: 8 }, () => objects.remove('files/notes.txt')));
      }
      expect(server.keys(harness.url)).toEqual([]);
    });

    test('objects of others are no content', async () => {
      const { hash } = await files().put(Buffer.from('hello'));
      for (const key of ['files/notes.txt', `filesystem/${hash.slice(0, 2)}/${hash}-1`])
        await putObject(harness.url, key);
      const listed: string[] = [];
      for await (const info of files().list()) listed.push(info.hash);
      expect(listed).toEqual([hash]);
    });

    test('a wrong secret is told without any secret', async () => {
      const url = harness.url.replace(/:[^:@]+@/, ':another-secret@');
      const { store, destroy } = await open(server, url);
      const failure: unknown = await store
        .space('files')
        .put(Buffer.from('hello'))
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(BlobStoreUnavailable);
      expect((failure as Error).message).toMatch(/fails: 403 SignatureDoesNotMatch\.$/);
      const told = JSON.stringify(failure, Object.getOwnPropertyNames(failure));
      for (const secret of [...server.secrets, 'another-secret']) expect(told).not.toContain(secret);
      await destroy();
    });

    test('a missing bucket is not missing content', async () => {
      const { store, destroy } = await open(server, harness.url.replace(/\/files-[0-9a-f]+/, '/no-such-bucket'));
      await expect(store.space('files').stat(LARGE_HASH)).rejects.toThrow('404 NoSuchBucket');
      await expect(store.space('files').put(Buffer.from('hello'))).rejects.toThrow('404 NoSuchBucket');
      await destroy();
    });
  });

  describe('when the server of S3 stops answering', () => {
    const limits = { ...S3_LIMITS, connectMs: 500, callMs: 500, sendMs: 500, idleMs: 500, pauseMs: 1 };
    afterEach(() => server.thaw());

    test('every call ends', async () => {
      const stagingFolder = await mkdtemp(join(tmpdir(), 'scrollback-staging-'));
      const address = s3AddressOf(server.freshUrl());
      const patient = new S3BlobStore(address, { isOnlyUser: true, stagingFolder }).space('files');
      const { hash } = await patient.put(LARGE);
      const store = new S3BlobStore(address, { isOnlyUser: true, stagingFolder, limits });
      const space = store.space('files');
      const opened = await space.open(hash);
      server.freeze();
      for (const call of [
        () => space.put(Buffer.from('hello')),
        () => space.put(LARGE),
        () => space.open(hash),
        () => space.stat(hash),
        () => space.remove(hash, Infinity),
        () => space.list()[Symbol.asyncIterator]().next(),
        () => store.cleanUp(),
        () => bytesOf(opened),
      ])
        await expect(call()).rejects.toThrow(BlobStoreUnavailable);
      expect(await readdir(stagingFolder)).toEqual([]);
      server.thaw();
      expect(await patient.stat(hash)).toMatchObject({ size: LARGE.length });
      await rm(stagingFolder, { recursive: true });
    });
  });
});
