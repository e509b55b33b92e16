export * from './api-keys.js';
export * from './directory-authenticator.js';
export * from './first-start.js';
export * from './users.client-events.js';
export * from './users.module.js';
export * from './wire-user.js';
