// Runs the stand-in by itself, for manual experiments. It keeps everything in memory, so it always starts empty.
//
//   node test/eventstoredb/run.mjs [PORT]
//
// The default port is 2113.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transform } from '@swc/core';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const BUILT = fileURLToPath(new URL('../../node_modules/.cache/eventstoredb-stand-in/', import.meta.url));

await mkdir(BUILT, { recursive: true });
await writeFile(join(BUILT, 'package.json'), '{"type":"module"}');
for (const name of await readdir(HERE)) {
  if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) continue;
  const { code } = await transform(await readFile(join(HERE, name), 'utf8'), {
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'es6' },
  });
  await writeFile(join(BUILT, name.replace(/\.ts$/, '.js')), code);
}

const { EventStoreDbStandIn } = await import(pathToFileURL(join(BUILT, 'index.js')).href);
const standIn = await EventStoreDbStandIn.start({ port: Number(process.argv[2] ?? 2113) });
console.log(standIn.url);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void standIn.stop());
