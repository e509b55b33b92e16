// `npm start`: builds what changed, then serves from this very process, so that a signal reaches the server itself and
// nothing is left behind when it ends.
import { existsSync } from 'node:fs';
import { build } from './build.mjs';

const main = new URL('../dist/apps/api/src/main.js', import.meta.url);

const source = new URL('../apps/api/src/main.ts', import.meta.url);

async function buildWhatChanged() {
  // A deployment may carry dist/ alone.
  if (!existsSync(source) && existsSync(main)) return;
  try {
    const { compiled } = await build();
    if (compiled > 0) console.error(`Built ${compiled} files.`);
  } catch (error) {
    // Without the development dependencies there is no compiler.
    if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !existsSync(main)) throw error;
    console.error('The sources differ from the last build, and the compiler is not installed: serving the last build.');
  }
}

await buildWhatChanged();
process.setSourceMapsEnabled(true);
await import(main.href);
