export { makeArchive } from './documents/make-archive.js';
export { exporting } from './export.feature.js';
export { ExportSurroundings } from './making/export-surroundings.js';
export { withWholeSource } from './documents/whole-source.js';
export { EXPORTS_SPACE } from './requests/exports-space.js';
