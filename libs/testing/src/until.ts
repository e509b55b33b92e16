import { setTimeout as pause } from 'node:timers/promises';

const LIMIT_MS = 15_000;
const LOOK_EVERY_MS = 2;

/** Resolves once it is so. @throws Error when it has not come about in time */
export async function until(isSo: () => boolean | Promise<boolean>, limitMs = LIMIT_MS): Promise<void> {
  for (const endMs = performance.now() + limitMs; !(await isSo());) {
    if (performance.now() > endMs) throw new Error('It has not come about.');
    await pause(LOOK_EVERY_MS);
  }
}
