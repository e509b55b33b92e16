import { gone } from './gone.js';

export const found = gone;
