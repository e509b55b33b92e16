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

/** Long enough that the pauses add little to the work, and a tenth of what a request may make others wait. */
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
