import { flags } from '../../reading/src/index.js';

export const seen = flags;
