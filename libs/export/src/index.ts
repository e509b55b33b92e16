export { type ArchivedEvent } from './documents/archived-log.js';
export {
  type ArchiveRequest,
  type ArchiveSource,
  makeArchive,
  type PreparedArchive,
} from './documents/make-archive.js';
export { exporting } from './export.feature.js';
export { ExportModule } from './export.module.js';
export { ExportSurroundings } from './making/export-surroundings.js';
export { withWholeSource } from './documents/whole-source.js';
export { EXPORTS_SPACE } from './making/exports-space.js';
