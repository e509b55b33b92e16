import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobStoreComplaint, openBlobStore } from './open-blob-store.js';

let mockIsLoaded = false;
jest.mock('@aws-sdk/client-s3', () => {
  mockIsLoaded = true;
  return {};
});

test('the client of S3 is loaded when files are there, and used', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'scrollback-blobs-'));
  const disk = openBlobStore(`file:${folder}`, { isOnlyUser: true });
  const { hash } = await disk.space('files').put(Buffer.from('hello'));
  const s3 = openBlobStore('s3://127.0.0.1:1/files?tls=false', { isOnlyUser: true, stagingFolder: folder });
  expect(mockIsLoaded).toBe(false);
  await expect(s3.space('files').stat(hash)).rejects.toThrow();
  expect(mockIsLoaded).toBe(true);
  await rm(folder, { recursive: true });
});

test('certificates to trust are read when the store is opened', () => {
  const open = (): unknown => openBlobStore('s3://host/files?tlsCAFile=/no/such/file', { isOnlyUser: true });
  expect(open).toThrow('ENOENT');
});

test.each(['file:/var/files', 'file:files', 's3://host/files'])('%s is an address', (url) => {
  expect(blobStoreComplaint(url)).toBeUndefined();
});

test.each(['', '/var/files', 'https://host/files', 's3://host'])('%j is none', (url) => {
  expect(blobStoreComplaint(url)).toMatch(/^it/);
});
