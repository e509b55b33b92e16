import { BlobSpace, BlobStore } from './blob-store.js';
import type { BlobInfo, ByteRange, OpenBlob, StagedBlob } from './blob-store.js';

/** A store that removes nothing, for a copy of a server: the content may be that of the server which it was copied from. */
export class KeepingBlobStore extends BlobStore {
  constructor(private readonly inner: BlobStore) {
    super();
  }

  override space(name: string): BlobSpace {
    return new KeepingBlobSpace(this.inner.space(name));
  }

  override cleanUp(): Promise<void> {
    return Promise.resolve();
  }
}

class KeepingBlobSpace extends BlobSpace {
  constructor(private readonly inner: BlobSpace) {
    super();
  }

  override stage(content: AsyncIterable<Uint8Array>): Promise<StagedBlob> {
    return this.inner.stage(content);
  }

  override open(hash: string, range?: ByteRange): Promise<OpenBlob | undefined> {
    return this.inner.open(hash, range);
  }

  override stat(hash: string): Promise<BlobInfo | undefined> {
    return this.inner.stat(hash);
  }

  override remove(): Promise<boolean> {
    return Promise.resolve(false);
  }

  override list(): AsyncIterable<BlobInfo> {
    return this.inner.list();
  }
}
