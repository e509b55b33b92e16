export type { NotedUse, UseKind, UsesNoted } from './use.events.js';
export { shownName, type Use, UseLog } from './use-log.js';
export { uses } from './uses.feature.js';
