export * from './projection.js';
export * from './read-store.js';
export { SqliteReadStore } from './sqlite/sqlite-read-store.js';
export { SqliteSideStore } from './sqlite/sqlite-side-store.js';
export type * from './engine/engine-status.js';
export type { EngineFailure } from './engine/failures.js';
export { ProjectionEngine } from './engine/projection-engine.js';
export { projectionSpec, recorded } from './testing.js';
export type { ProjectionOutcome, TestFact } from './testing.js';
