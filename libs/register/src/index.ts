export * from './register.module.js';
export * from './still-reads.js';
