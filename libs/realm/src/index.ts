export * from './realm.client-events.js';
export * from './realm.module.js';
