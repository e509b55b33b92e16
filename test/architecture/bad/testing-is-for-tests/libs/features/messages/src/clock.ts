import { fixedClock } from '../../../testing/src/index.js';

export const clock = fixedClock;
