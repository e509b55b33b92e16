export * from './preferences.client-events.js';
export * from './preferences.module.js';
export * from './wire-preferences.js';
