/** What an action waits for: a delay, and optionally a promise. */
interface Wait {
  readonly delayMs: number;
  readonly released?: Promise<void> | undefined;
}

/** Runs actions in their order, each after its wait. At once, when none waits. */
export function inOrder(): (wait: Wait, action: () => void) => void {
  const waiting: { dueMs: number; released: Promise<void> | undefined; action: () => void }[] = [];
  const runDue = (): void => {
    for (let first = waiting[0]; first; first = waiting[0]) {
      const { released } = first;
      if (released) {
        first.released = undefined;
        void released.then(runDue);
        return;
      }
      const restMs = first.dueMs - performance.now();
      if (restMs > 0) {
        setTimeout(runDue, restMs).unref();
        return;
      }
      waiting.shift();
      first.action();
    }
  };
  return ({ delayMs, released }, action) => {
    if (waiting.length === 0 && delayMs <= 0 && !released) {
      action();
      return;
    }
    waiting.push({ dueMs: performance.now() + delayMs, released, action });
    if (waiting.length === 1) runDue();
  };
}
