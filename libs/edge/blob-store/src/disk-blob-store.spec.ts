import { mkdir, mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobStoreContract, type BlobStoreHarness } from './blob-store.contract.js';
import { BlobStoreUnavailable } from './blob-store.js';
import { DiskBlobStore } from './disk-blob-store.js';

async function open(): Promise<BlobStoreHarness & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'scrollback-blobs-'));
  const longAgo = new Date(Date.now() - 3_600_000);
  return {
    folder,
    store: new DiskBlobStore(folder, true),
    reopen: () => new DiskBlobStore(folder, true),
    age: (space, hash) => utimes(join(folder, space, hash.slice(0, 2), hash), longAgo, longAgo),
    temporaryFiles: async () => (await readdir(join(folder, '.incoming')).catch(() => [])).length,
    destroy: () => rm(folder, { recursive: true }),
  };
}

blobStoreContract('disk', open);

describe('on disk', () => {
  test('content that has lost its end is stored again', async () => {
    const { folder, store, destroy } = await open();
    const { hash } = await store.space('uploads').put(Buffer.from('hello'));
    await truncate(join(folder, 'uploads', hash.slice(0, 2), hash), 2);
    await store.space('uploads').put(Buffer.from('hello'));
    expect(await store.space('uploads').stat(hash)).toMatchObject({ size: 5 });
    await destroy();
  });

  test('a folder that cannot be used is reported as such', async () => {
    const { folder, store, destroy } = await open();
    await writeFile(join(folder, '.incoming'), '');
    await expect(store.space('uploads').put(Buffer.from('hello'))).rejects.toThrow(BlobStoreUnavailable);
    await destroy();
  });

  test('abandoned temporary files of other processes are removed when they are old', async () => {
    const { folder, destroy } = await open();
    const incoming = join(folder, '.incoming');
    await mkdir(incoming);
    for (const name of ['young', 'old']) await writeFile(join(incoming, name), '');
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(incoming, 'old'), longAgo, longAgo);
    await new DiskBlobStore(folder, false).cleanUp();
    expect(await readdir(incoming)).toEqual(['young']);
    await destroy();
  });
});
