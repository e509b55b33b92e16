import { setTimeout as pause } from 'node:timers/promises';

/** Guards against hanging only. */
const GIVE_UP_AFTER_MS = 120_000;
const TRY_EVERY_MS = 50;

/** Repeats a call until the server is ready, like real clients. */
export async function patiently<Result>(call: () => Promise<Result>): Promise<Result> {
  const giveUpAtMs = performance.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const isAway = /No answer|fetch failed| 503 /.test(String(error));
      if (!isAway || performance.now() > giveUpAtMs) throw error;
      await pause(TRY_EVERY_MS);
    }
  }
}
