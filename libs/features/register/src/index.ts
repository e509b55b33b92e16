export { RegisterModule } from './register.module.js';
export { StillReads } from './still-reads.js';
