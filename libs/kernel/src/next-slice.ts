import { setTimeout as pause } from 'node:timers/promises';

/** Long enough for several rounds of the event loop while there is other work, and hardly noticeable without. */
const PAUSE_MS = 1;

let last: Promise<unknown> = Promise.resolve();

/**
 * Cooperative multitasking: long work awaits this between its slices, so that other requests run meanwhile. One slice
 * runs at a time, however many pieces of work there are: each request waits for at most one slice. A slice is a few
 * milliseconds of work, counted in documents and bytes.
 */
export function nextSlice(): Promise<void> {
  const turn = last.then(() => pause(PAUSE_MS));
  last = turn;
  return turn;
}
