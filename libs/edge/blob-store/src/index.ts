export {
  type BlobInfo,
  type BlobRef,
  BlobSpace,
  BlobStore,
  BlobStoreUnavailable,
  type ByteRange,
  type StagedBlob,
} from './blob-store.js';
export { KeepingBlobStore } from './keeping-blob-store.js';
export { blobStoreComplaint, openBlobStore } from './open-blob-store.js';
