import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { useMemoryForFiles } from './tools/memory-for-files.mjs';

const { imports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
/** `#name` is the face of a lib, from its source. */
const faces = Object.fromEntries(
  Object.entries(imports).map(([name, { types }]) => [`^${name}$`, types.replace('.', '<rootDir>')]),
);

const isNightly = process.env.NIGHTLY === '1';

/** Against hanging only: a machine that is slow or busy needs ten times what a quiet one does. What waits inside waits for less. */
const TEST_LIMIT_MS = 300_000;

/**
 * Most code of a run is called a few times: V8 optimizes it later than usual, and collects young garbage less often, which saves an
 * eighth of the processor's time.
 */
const FLAGS = ['--interrupt-budget=1000000', '--max-semi-space-size=64'];
// Later versions of V8 know the first one no more.
if (process.version.startsWith('v20.')) {
  // Jest starts its workers with the arguments of this process, for which the size of the young generation is settled.
  process.execArgv.push(...FLAGS);
  setFlagsFromString(FLAGS[0]);
}

// A night's data may be larger than the memory.
if (!isNightly) useMemoryForFiles();

export default {
  testEnvironment: '<rootDir>/tools/jest-environment.mjs',
  runtime: '<rootDir>/tools/jest-runtime.cjs',
  testMatch: [
    '<rootDir>/apps/**/*.spec.ts',
    '<rootDir>/libs/**/*.spec.ts',
    '<rootDir>/test/**/*.spec.ts',
    ...(isNightly ? [] : ['!**/test/nightly/**']),
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  transform: { '^.+\\.[cm]?[jt]s$': '<rootDir>/tools/jest-transform.cjs' },
  moduleNameMapper: {
    ...faces,
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  reporters: ['default', '<rootDir>/test/support/client-event-kinds.reporter.mjs'],
  setupFiles: ['<rootDir>/libs/testing/src/chance.ts'],
  // More rounds may take longer.
  testTimeout: TEST_LIMIT_MS * Math.max(1, Number(process.env.FUZZ ?? 1)),
  // Most of the time is spent waiting for disks, sockets and children.
  maxWorkers: 3,
};
