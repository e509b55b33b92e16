export { DueTimers } from './due-timers.js';
export { dueIndexCollection, dueIndexProjection, type TimerDocument } from './due-index.projection.js';
export { type TimerChange, type TimerSource, timersOf } from './timer-source.js';
export type { TimerHandler } from './timer-loop.js';
export { Timers, type TimersParts } from './timers.js';
