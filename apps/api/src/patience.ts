import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreUnavailable } from '#event-store';
import type { Logger } from '#http';
import { Refusal } from '#kernel';
import { ReadStoreUnavailable } from '#read-store';

const PAUSE_FIRST_MS = 100;
const PAUSE_MAX_MS = 3_000;
/** The same trouble is told again after this long. */
const TOLD_EVERY_MS = 60_000;
/** Different troubles that are remembered. */
const TROUBLES_MAX = 32;

/** Whether it may work later without anybody changing anything here. */
function isPassing(error: unknown): error is Error {
  if (error instanceof Refusal) return error.code === 'SERVER_NOT_READY';
  return error instanceof EventStoreUnavailable || error instanceof ReadStoreUnavailable;
}

/** Passes on what is wrong when it is new, and now and then while it lasts: a store that is away fails many times a second. */
export function nowAndThen(tell: (error: Error) => void): (error: unknown) => void {
  const toldAtMs = new Map<string, number>();
  return (thrown) => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    if (performance.now() - (toldAtMs.get(error.message) ?? -Infinity) < TOLD_EVERY_MS) return;
    if (toldAtMs.size >= TROUBLES_MAX) toldAtMs.clear();
    toldAtMs.set(error.message, performance.now());
    tell(error);
  };
}

/** Tries until the stores let it work, or the signal aborts; says what is wrong when it changes, and now and then. */
export async function untilAvailable<Result>(
  work: () => Promise<Result>,
  logger: Logger,
  signal?: AbortSignal,
): Promise<Result> {
  const tell = nowAndThen(({ message }) => {
    logger.warn({ reason: message }, 'Not ready yet; trying again.');
  });
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || signal?.aborted === true) throw error;
      tell(error);
      await pause(pauseMs, undefined, { ...(signal === undefined ? {} : { signal }) });
    }
  }
}
