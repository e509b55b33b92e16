export { ArchiveProblem } from './archive-problem.js';
export { ArchiveReader, type Numbered } from './archive-reader.js';
export { archiveOf, type EntrySource } from './archive-writer.js';
export { FILE_SPACES, fileEntry, parsedFileEntry } from './file-entries.js';
export {
  ARCHIVE_FORMAT,
  type ArchiveKind,
  type Manifest,
  MANIFEST,
  type ManifestEntry,
  readManifest,
} from './manifest.js';
