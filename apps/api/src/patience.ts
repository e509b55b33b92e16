import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreUnavailable } from '#event-store';
import type { Logger } from '#http';
import { Refusal } from '#kernel';
import { ReadStoreUnavailable } from '#read-store';

const PAUSE_FIRST_MS = 100;
const PAUSE_MAX_MS = 3_000;
/** The same trouble is told again after this long. */
const TOLD_EVERY_MS = 60_000;

/** Whether it may work later without anybody changing anything here. */
function isPassing(error: unknown): error is Error {
  if (error instanceof Refusal) return error.code === 'SERVER_NOT_READY';
  return error instanceof EventStoreUnavailable || error instanceof ReadStoreUnavailable;
}

/** Tries until the stores let it work, or the signal aborts; says what is wrong when it changes, and now and then. */
export async function untilAvailable<Result>(
  work: () => Promise<Result>,
  logger: Logger,
  signal?: AbortSignal,
): Promise<Result> {
  let told = { message: '', atMs: 0 };
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || signal?.aborted === true) throw error;
      if (error.message !== told.message || performance.now() - told.atMs > TOLD_EVERY_MS) {
        logger.warn({ reason: error.message }, 'Not ready yet; trying again.');
        told = { message: error.message, atMs: performance.now() };
      }
      await pause(pauseMs, undefined, { ...(signal === undefined ? {} : { signal }) });
    }
  }
}
