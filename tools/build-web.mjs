// Builds the chat page from web/ into dist/web/: index.html, and files with a hash in their names in app/, each also
// compressed. Does nothing when neither sources nor settings have changed. A child of tools/build.mjs, so that the server
// keeps no memory of the compiler.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Folder of the built page. */
export const WEB = join(ROOT, 'dist/web');
const MANIFEST = '.build.json';
/** Sources of the page. */
const SOURCES = ['web', 'libs/client/src'];
/** Everything else that the output depends on. */
const SETTINGS = ['package-lock.json', 'tools/build-web.mjs'];
const IS_SOURCE = /^(?!.*\.(spec|fixture|harness)\.tsx?$).*\.(tsx?|css|html|svg|mjs|json|woff2)$/;

/**
 * Limits of what a browser loads, gzip, in bytes. Until the first row stands: the entry, and what it imports statically; and
 * the whole of chat.
 */
const FIRST_LIMIT_BYTES = 140_000;
const WHOLE_LIMIT_BYTES = 340_000;

async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

async function hashOfSources() {
  const found = (await Promise.all(SOURCES.map((folder) => filesBelow(join(ROOT, folder))))).flat();
  const paths = found.map((file) => relative(ROOT, file)).filter((path) => IS_SOURCE.test(path));
  const hash = createHash('sha256');
  for (const path of [...paths.sort(), ...SETTINGS]) hash.update(`${path}\n`).update(await readFile(join(ROOT, path)));
  return hash.digest('hex');
}

/** @returns hash of the sources when dist/web/ is not built from them; undefined when it is, or when there are no sources */
export async function staleWeb() {
  if (!existsSync(join(ROOT, 'web/index.html'))) return undefined;
  const [hash, built] = await Promise.all([hashOfSources(), readFile(join(WEB, MANIFEST), 'utf8').catch(() => '{}')]);
  try {
    const { sources, files } = JSON.parse(built);
    const isPresent = Array.isArray(files) && files.every((path) => existsSync(join(WEB, path)));
    return isPresent && sources === hash ? undefined : hash;
  } catch {
    // Truncated by a crash: build again.
    return hash;
  }
}

/** Whether Vite is installed; it is a development dependency. */
export function isWebCompilerMissing() {
  try {
    createRequire(import.meta.url).resolve('vite/package.json');
    return false;
  } catch {
    return true;
  }
}

const [brotliOf, gzipOf] = [promisify(brotliCompress), promisify(gzip)];

/** Compressed forms of a file, by the ending of their names. Pictures and fonts are compressed already. */
async function compressed(path, content) {
  if (!/\.(js|css|html|svg|json)$/.test(path)) return [];
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [br, gz] = await Promise.all([brotliOf(content, { params }), gzipOf(content, { level: 9 })]);
  return [
    [`${path}.br`, br],
    [`${path}.gz`, gz],
  ];
}

/** Atomic: a server that reads meanwhile finds the old file or the new one. */
async function writeWhole(path, content) {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, content);
  await rename(draft, path);
}

/** The service worker, told of the files that it keeps. */
function withFiles(source, paths) {
  const files = paths.filter((path) => path.startsWith('app/')).map((path) => `/${path}`);
  const version = createHash('sha256').update(files.sort().join()).digest('hex').slice(0, 12);
  const head = `const __FILES__=${JSON.stringify(files)},__VERSION__=${JSON.stringify(version)};\n`;
  return Buffer.concat([Buffer.from(head), source]);
}

/** Sum of the sizes of files in bytes, gzip. */
const sizeOf = (names, outputs) => [...names].reduce((sum, name) => sum + (outputs.get(`${name}.gz`)?.length ?? 0), 0);

/**
 * @param chunks Vite's manifest: each chunk by its source
 * @throws Error when the page has become larger than its budget
 */
function assertBudget(chunks, outputs) {
  const first = new Set();
  const add = (key) => {
    const { file, imports = [], css = [] } = chunks[key];
    if (first.has(file)) return;
    for (const name of [file, ...css]) first.add(name);
    imports.forEach(add);
  };
  add('index.html');
  const whole = [...outputs.keys()].filter((name) => /\.(js|css)$/.test(name));
  for (const [what, names, limit] of [
    ['until the first row', first, FIRST_LIMIT_BYTES],
    ['as a whole', whole, WHOLE_LIMIT_BYTES],
  ]) {
    const size = sizeOf(names, outputs);
    if (size > limit) throw new Error(`The page takes ${size} bytes (gzip) ${what}, more than its budget of ${limit}.`);
  }
  return sizeOf(first, outputs);
}

/** @returns size in bytes (gzip) of what a browser loads until the first row stands */
async function buildWeb(hash) {
  const draft = join(ROOT, `dist/.web-${process.pid}`);
  // Whatever it is here: elsewhere React would be built for developers.
  process.env.NODE_ENV = 'production';
  try {
    const [{ build }, { default: config }] = await Promise.all([import('vite'), import('../web/vite.config.mjs')]);
    await build({ ...config, configFile: false, build: { ...config.build, outDir: draft } });
    const outputs = new Map();
    const paths = (await filesBelow(draft))
      .map((file) => relative(draft, file))
      .filter((path) => !path.startsWith('.vite/'));
    for (const path of paths) {
      const read = await readFile(join(draft, path));
      const content = path === 'sw.js' ? withFiles(read, paths) : read;
      outputs.set(path, content);
      for (const [name, small] of await compressed(path, content)) outputs.set(name, small);
    }
    const chunks = JSON.parse(await readFile(join(draft, '.vite/manifest.json'), 'utf8'));
    const first = assertBudget(chunks, outputs);
    // The page comes after the files that it names.
    const names = [...outputs.keys()].sort((a, b) => Number(a.startsWith('index.')) - Number(b.startsWith('index.')));
    for (const name of names) await writeWhole(join(WEB, name), outputs.get(name));
    const kept = new Set([...names, MANIFEST]);
    for (const file of await filesBelow(WEB)) {
      const path = relative(WEB, file);
      if (!kept.has(path) && !path.endsWith('.draft')) await rm(file, { force: true });
    }
    await writeWhole(join(WEB, MANIFEST), JSON.stringify({ sources: hash, files: names }));
    return first;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const startedMs = performance.now();
  const hash = await staleWeb();
  if (hash !== undefined) {
    const bytes = await buildWeb(hash);
    if (!process.argv.includes('--quiet'))
      console.error(
        `Built the page, ${bytes} bytes (gzip) at first, in ${Math.round(performance.now() - startedMs)} ms.`,
      );
  }
}
