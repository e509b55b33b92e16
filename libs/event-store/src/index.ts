export * from './event-store.js';
export * from './registry.js';
export * from './streams.js';
export * from './visibility.js';
export * from './sqlite/sqlite-event-store.js';
