import { port } from '../../../runtime/src/index.js';

export const address = `127.0.0.1:${port}`;
