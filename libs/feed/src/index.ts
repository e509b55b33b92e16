export * from './feed-entry.js';
