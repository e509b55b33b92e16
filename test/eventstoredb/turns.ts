/** Runs actions in the order in which they came, each not before its delay is over. At once, when nobody waits. */
export function inOrder(): (delayMs: number, action: () => void) => void {
  const waiting: { dueMs: number; action: () => void }[] = [];
  const runDue = (): void => {
    for (let first = waiting[0]; first; first = waiting[0]) {
      const restMs = first.dueMs - performance.now();
      if (restMs > 0) {
        setTimeout(runDue, restMs).unref();
        return;
      }
      waiting.shift();
      first.action();
    }
  };
  return (delayMs, action) => {
    if (waiting.length === 0 && delayMs <= 0) {
      action();
      return;
    }
    waiting.push({ dueMs: performance.now() + delayMs, action });
    if (waiting.length === 1) runDue();
  };
}
