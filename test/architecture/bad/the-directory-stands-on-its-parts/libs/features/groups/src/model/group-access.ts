import { directory } from '../../../people/src/index.js';

export const mayMention = directory;
