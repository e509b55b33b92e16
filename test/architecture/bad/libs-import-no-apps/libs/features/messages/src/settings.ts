import { port } from '../../../../apps/api/src/main.js';

export const address = `127.0.0.1:${port}`;
