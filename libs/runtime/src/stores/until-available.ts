import { EventStoreUnavailable } from '#event-store';
import type { Logger } from '#http';
import { Backoff, Refusal, sleep } from '#kernel';
import { ReadStoreUnavailable } from '#read-store';

const PAUSE_FIRST_MS = 100;
const PAUSE_MAX_MS = 3_000;
/** A lasting failure is reported again after this long. */
const TOLD_EVERY_MS = 60_000;
/** Maximum different failures remembered. */
const TROUBLES_MAX = 32;

/** Whether a later attempt may succeed without a change here. */
export function isPassing(error: unknown): error is Error {
  if (error instanceof Refusal) return error.code === 'SERVER_NOT_READY';
  return error instanceof EventStoreUnavailable || error instanceof ReadStoreUnavailable;
}

/**
 * Reports a failure when it is new, and once a minute while it lasts: calls to an unavailable store fail many times a
 * second.
 */
export function nowAndThen(tell: (error: Error) => void): (error: unknown) => void {
  const once = oncePerMinute(({ message }: Error) => message, tell);
  return (thrown) => {
    once(thrown instanceof Error ? thrown : new Error(String(thrown)));
  };
}

/** Reports what has not been reported under the same key within a minute. */
export function oncePerMinute<Trouble>(
  keyOf: (trouble: Trouble) => string,
  tell: (trouble: Trouble) => void,
): (trouble: Trouble) => void {
  const toldAtMs = new Map<string, number>();
  return (trouble) => {
    const key = keyOf(trouble);
    if (performance.now() - (toldAtMs.get(key) ?? -Infinity) < TOLD_EVERY_MS) return;
    if (toldAtMs.size >= TROUBLES_MAX) toldAtMs.clear();
    toldAtMs.set(key, performance.now());
    tell(trouble);
  };
}

/**
 * Runs the work, and retries while a store is unavailable, until the signal aborts. Logs new failures, and lasting ones
 * once a minute.
 */
export async function untilAvailable<Result>(
  work: () => Promise<Result>,
  logger: Logger,
  signal: AbortSignal = new AbortController().signal,
): Promise<Result> {
  const tell = nowAndThen(({ message }) => {
    logger.warn({ reason: message }, 'Not ready yet; trying again.');
  });
  const backoff = new Backoff(PAUSE_FIRST_MS, PAUSE_MAX_MS);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      tell(error);
      await sleep(backoff.next(), signal);
      signal.throwIfAborted();
    }
  }
}
