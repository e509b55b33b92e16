export { importArchive } from './import-archive.js';
export type { Imported } from './imported.js';
export { ownerOf, randomPassword, recordOwnerAccess } from './owner-access.js';
