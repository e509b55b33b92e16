export * from './projection.js';
export * from './read-store.js';
export { SqliteReadStore } from './sqlite/sqlite-read-store.js';
export { SqliteSideStore } from './sqlite/sqlite-side-store.js';
