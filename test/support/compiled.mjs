// Compiles folders of test/ for programs that run outside Jest, to the same folders below node_modules/.cache/.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transform } from '@swc/core';

const TEST = fileURLToPath(new URL('..', import.meta.url));
const BUILT = fileURLToPath(new URL('../../node_modules/.cache/scrollback-test/', import.meta.url));

/** @returns the address of the compiled test/ */
export async function compiled(...folders) {
  await mkdir(BUILT, { recursive: true });
  await writeFile(join(BUILT, 'package.json'), '{"type":"module"}');
  for (const folder of folders) {
    for (const name of await readdir(join(TEST, folder))) {
      if (!name.endsWith('.ts') || /\.(spec|fixture)\.ts$/.test(name)) continue;
      const { code } = await transform(await readFile(join(TEST, folder, name), 'utf8'), {
        swcrc: false,
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'es6' },
      });
      const output = join(BUILT, folder, name.replace(/\.ts$/, '.js'));
      await mkdir(dirname(output), { recursive: true });
      await writeFile(output, code);
    }
  }
  return pathToFileURL(BUILT);
}
