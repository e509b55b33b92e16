export { clientComponents } from './client-components.js';
export { RegisterModule } from './register.module.js';
export { StillReads } from './still-reads.js';
