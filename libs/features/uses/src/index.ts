export type { NotedUse, UsesNoted } from './use.events.js';
export { shownName, UseLog } from './use-log.js';
export { uses } from './uses.feature.js';
