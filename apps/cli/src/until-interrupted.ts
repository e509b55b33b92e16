import type { Terminal } from './command.js';

const TOLD_EVERY_MS = 1_000;

/** Runs the work of a command and prints its result. A signal stops the work, which can go on later. */
export async function untilInterrupted(
  terminal: Terminal,
  work: (signal: AbortSignal) => Promise<object>,
): Promise<number> {
  const interruption = new AbortController();
  terminal.onInterrupt(() => {
    interruption.abort();
  });
  try {
    await terminal.print(JSON.stringify(await work(interruption.signal)));
    return 0;
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    terminal.tell('Interrupted. The same command goes on from here.');
    return 130;
  }
}

/** Calls `say` about once a second while the work goes on, and at its end. */
export async function telling<Result>(say: () => void, work: () => Promise<Result>): Promise<Result> {
  const repeated = setInterval(say, TOLD_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(repeated);
    say();
  }
}
