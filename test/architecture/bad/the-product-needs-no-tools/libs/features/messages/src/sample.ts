import { integer } from 'fast-check';

export const anyId = integer();
