// `npm start`: builds what changed, then serves from this process, so that a signal reaches the server itself and
// nothing is left behind when it ends.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build, plan } from './build.mjs';

const main = new URL('../dist/bin/api.js', import.meta.url);

const source = new URL('../apps/api/src/main.ts', import.meta.url);

function isCompilerMissing() {
  try {
    createRequire(import.meta.url).resolve('@swc/core');
    return false;
  } catch {
    return true;
  }
}

async function buildWhatChanged() {
  // A deployment may contain only dist/.
  if (!existsSync(source) && existsSync(main)) return;
  const { joined, isWebStale } = await plan();
  if (joined === undefined && isCompilerMissing() && existsSync(main)) {
    // Without the development dependencies there is no compiler.
    console.error('The sources differ from the last build, and the compiler is not installed: serving the last build.');
    return;
  }
  if (joined !== undefined && !isWebStale) {
    await build();
    return;
  }
  // In a separate process: a server would keep the compiler's 40 MB for its whole lifetime.
  const built = spawnSync(process.execPath, [fileURLToPath(new URL('./build.mjs', import.meta.url))], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (built.status !== 0) process.exit(built.status ?? 1);
}

await buildWhatChanged();
await import(main.href);
