import fc from 'fast-check';

/** How many times as many rounds as usual. */
const FUZZ = Number(process.env['FUZZ'] ?? 1);
const USUAL_ROUNDS = 100;

/** Where chance begins. Always in the same place, so that a change fails no test that it has nothing to do with; `npm run fuzz` looks elsewhere. */
export const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

/** How often to try what is usually tried so often. */
export function rounds(usual: number): number {
  return Math.ceil(usual * FUZZ);
}

/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
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
