import { setTimeout as pause } from 'node:timers/promises';

/** Guards against hanging only. */
const LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 2;

/**
 * Resolves once the condition holds.
 * @throws Error when it does not hold in time
 */
export async function until(isSo: () => boolean | Promise<boolean>, limitMs = LIMIT_MS): Promise<void> {
  for (const endMs = performance.now() + limitMs; !(await isSo());) {
    if (performance.now() > endMs) throw new Error('It has not come about.');
    await pause(LOOK_EVERY_MS);
  }
}
