import { sends } from '../send.js';

export const channel = sends;
