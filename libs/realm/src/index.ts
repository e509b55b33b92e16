export * from './linkifiers.client-events.js';
export * from './realm.client-events.js';
export * from './realm.module.js';
export { wireLinkifiers } from './wire-linkifiers.js';
