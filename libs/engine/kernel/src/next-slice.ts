import { setTimeout as pause } from 'node:timers/promises';

/** Long enough for several rounds of the event loop while there is other work, and hardly noticeable without. */
const PAUSE_MS = 1;
/** Pause after a slice that may have been long, as a share of its length: enough for a send (some rounds of the event loop, and a sync). */
const REST_SHARE = 0.25;
const REST_MAX_MS = 15;

let last: Promise<unknown> = Promise.resolve();

/**
 * Cooperative multitasking: long work awaits this between its slices, so that other requests run meanwhile. One slice
 * runs at a time, however many pieces of work there are: each request waits for at most one slice. A slice is a few
 * milliseconds of work, counted in documents and bytes.
 * @param workedMs how long the slice took, where it may have been longer: then others get time to finish in between
 */
export function nextSlice(workedMs = 0): Promise<void> {
  const pauseMs = Math.max(PAUSE_MS, Math.min(workedMs * REST_SHARE, REST_MAX_MS));
  const turn = last.then(() => pause(pauseMs));
  last = turn;
  return turn;
}

/** Length of a slice of work: long enough that the pauses add little, and a tenth of the time for which a request may delay others. */
const SLICE_MS = 8;

/** Divides work into slices by time, for items that cost little or much: between two items, `if (slices.isOver) await slices.next()`. */
export class Slices {
  #endsMs: number;

  /** @param nextTurn waits between two slices */
  constructor(
    private readonly lengthMs = SLICE_MS,
    private readonly nextTurn: () => Promise<unknown> = nextSlice,
  ) {
    this.#endsMs = performance.now() + lengthMs;
  }

  get isOver(): boolean {
    return performance.now() > this.#endsMs;
  }

  async next(): Promise<void> {
    await this.nextTurn();
    this.#endsMs = performance.now() + this.lengthMs;
  }
}
