import { setTimeout as pause } from 'node:timers/promises';

/** Guards against hanging only. */
const LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 2;
/** What asks a server costs as much as a test: the longer it was waited for, the less it matters when it is seen. */
const ASK_EVERY_MS_MAX = 50;
const SHARE_OF_WAIT = 1 / 10;

/**
 * Resolves once the condition holds. One that answers at once is looked at all the time.
 * @throws Error when it does not hold in time
 */
export async function until(isSo: () => boolean | Promise<boolean>, limitMs = LIMIT_MS): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    const verdict = isSo();
    if (await verdict) return;
    const waitedMs = performance.now() - startedMs;
    if (waitedMs > limitMs) throw new Error('It has not come about.');
    const isAsked = typeof verdict !== 'boolean';
    await pause(
      isAsked ? Math.max(LOOK_EVERY_MS, Math.min(ASK_EVERY_MS_MAX, waitedMs * SHARE_OF_WAIT)) : LOOK_EVERY_MS,
    );
  }
}
