import fc from 'fast-check';

/** Multiplier of the number of rounds. */
const FUZZ = Number(process.env['FUZZ'] ?? 1);
const USUAL_ROUNDS = 100;

/** Seed of random tests. Constant by default, so that an unrelated change fails no test; `npm run fuzz` varies it. */
export const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

/** Number of rounds for a test with this usual number. */
export function rounds(usual: number): number {
  return Math.ceil(usual * FUZZ);
}

/** Random numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Jest loads this file before each spec.
fc.configureGlobal({ seed: SEED, numRuns: rounds(USUAL_ROUNDS) });
