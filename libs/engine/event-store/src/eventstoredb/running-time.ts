import { setMaxListeners } from 'node:events';

/**
 * Makes a controller whose signal may have many listeners; their number is bounded elsewhere. Node warns of more than
 * ten.
 */
export function quietController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Number of parts into which a wait is divided. */
const WAIT_PARTS = 8;

/**
 * Calls back after a period in which this process was running. A process that was suspended, or too busy to read its
 * sockets, must not take its own silence for that of the server: each part of the wait counts once, however late its
 * timer fires, and arrived data are read in between.
 * @returns a function that cancels the wait
 */
export function afterRunning(ms: number, callback: () => void): () => void {
  let left = WAIT_PARTS;
  const pass = (): void => {
    left -= 1;
    if (left === 0) callback();
    else timer = setTimeout(pass, ms / WAIT_PARTS);
  };
  let timer = setTimeout(pass, ms / WAIT_PARTS);
  return () => {
    left = 0;
    clearTimeout(timer);
  };
}

/**
 * Timeout for an answer, measured as running time of this process.
 * @throws the error that `late` makes
 */
export async function answerWithin<Answer>(ms: number, asked: Promise<Answer>, late: () => Error): Promise<Answer> {
  let cancel: () => void = () => undefined;
  const limit = new Promise<never>((_, reject) => {
    cancel = afterRunning(ms, () => reject(late()));
  });
  try {
    return await Promise.race([asked, limit]);
  } finally {
    cancel();
  }
}
