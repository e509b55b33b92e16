import { port } from '../../api/src/port.js';

export const address = `127.0.0.1:${port}`;
