import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const FOLDER = resolve(__dirname, '../../libs/client/src');

/** What loads with it, in bytes, compressed by gzip. A limit may only come down: what is added is paid for elsewhere. */
const LIMITS = [
  [
    'a client with its windows, for a bot or a reader',
    `export { Client, FetchTransport, viewOf } from './index.js';`,
    15_000,
  ],
  ['all of the library', `export * from './index.js';`, 18_480],
] as const;

test.each(LIMITS)('%s is small', async (_what, contents, limit) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: FOLDER, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThanOrEqual(limit);
});
