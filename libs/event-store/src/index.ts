export { BoundedMap } from './bounded-map.js';
export * from './command-path.js';
export * from './event-store.js';
export * from './open-event-store.js';
export * from './registry.js';
export { acknowledgedPosition } from './sqlite/acknowledged-mark.js';
export * from './sqlite/sqlite-event-store.js';
export * from './streams.js';
export * from './visibility.js';
