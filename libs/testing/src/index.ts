export * from './decider-spec.js';
export * from './apply-events.js';
export type { ClientState } from './client-state.js';
export * from './manual-clock.js';
export * from './memory-side-store.js';
export * from './mongo-servers.js';
export * from './projection-spec.js';
export * from './sample-user.js';
export * from './until.js';
