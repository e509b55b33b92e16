import { shrunk, sized } from '#testing';
import type { Act } from './acts.js';

const SHRINKING = { withinMs: sized({ nightly: 300_000, usual: 60_000 }), attempts: 2 };

/** Plays a story; one that fails is told again in as few acts as fail. */
export async function tell(acts: readonly Act[], play: (acts: readonly Act[]) => Promise<void>): Promise<void> {
  const failures = new Map<readonly Act[], unknown>();
  const fails = async (some: readonly Act[]): Promise<boolean> => {
    try {
      await play(some);
      return false;
    } catch (error) {
      failures.set(some, error);
      return true;
    }
  };
  if (!(await fails(acts))) return;
  const short = await shrunk(acts, fails, SHRINKING);
  const lines = short.map((act) => `  ${JSON.stringify(act)}`).join('\n');
  const cause = failures.get(short);
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new Error(`A story of ${short.length} acts (of ${acts.length}) fails:\n${lines}\n${reason}`);
}
