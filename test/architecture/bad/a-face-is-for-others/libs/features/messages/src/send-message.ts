import { MAX_LENGTH } from './index.js';

export const fits = (text: string): boolean => text.length <= MAX_LENGTH;
