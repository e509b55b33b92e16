import { Mutex, Refusal } from '#kernel';
import { SMALL_PIXELS_MAX, WAITING_MAX } from './image-limits.js';

const small = new Mutex();
const large = new Mutex();
let waiting = 0;

/**
 * Runs the work when its lane is free: one small and one large image at a time, so that two of libuv's four threads stay
 * free for files and passwords, and memory is bounded.
 * @throws Refusal SERVER_NOT_READY when too much work waits already
 */
export async function inLane<Result>(pixels: number, work: () => Promise<Result>): Promise<Result> {
  if (waiting >= WAITING_MAX)
    throw new Refusal('SERVER_NOT_READY', 'Too many images at once. Please try again in a moment.');
  waiting++;
  try {
    return await (pixels <= SMALL_PIXELS_MAX ? small : large).run(work);
  } finally {
    waiting--;
  }
}
