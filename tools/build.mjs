// Compiles apps/ and libs/ to dist/ with the same folders, which is where package.json's "imports" points, and joins them
// and the packages that they import into few files, dist/bin/: Node needs four times as long to load 3,000. Does not
// check types (`npm run typecheck` does). Compiles only what changed: dist/.build.json has a hash of each source and of
// the settings. Files without a source are removed. The chat page is built beside, by tools/build-web.mjs.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isWebCompilerMissing, staleWeb } from './build-web.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const MANIFEST = '.build.json';
const SOURCE_FOLDERS = ['apps', 'libs'];
/** Main file of a program, whose name it captures: dist/bin/ has one file for each. */
const PROGRAM = /^apps\/([^/]+)\/src\/main\.ts$/;
/**
 * First lines of each joined file. CommonJS packages call `require`, which an ES module does not have. Decorators need
 * reflect-metadata, and files that programs share come before the programs' own imports.
 */
const PRELUDE = `import 'reflect-metadata';
const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);`;
/**
 * Packages that are not joined: they have binaries or files of their own, or are loaded only where somebody installed them. The
 * clients of EventStoreDB and S3 are CommonJS and imported at run time, where a joined file has no named exports.
 */
const SEPARATE_PACKAGES = [
  ...['@aws-sdk/client-s3', '@eventstore/db-client', '@node-rs/argon2', 'libsql', 'sharp', 'swagger-ui-dist'],
  ...['@fastify/multipart', '@fastify/view', '@nestjs/microservices', '@nestjs/platform-express', '@nestjs/websockets'],
  ...['class-transformer', 'reflect-metadata'],
];

const hashOf = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');

/** Everything except tests and their helpers, types and notes; files other than TypeScript are copied. */
const isSource = (path) => !/^libs\/testing\/|(\.(spec|contract|fixture)\.ts|\.d\.ts|\.md)$|(^|\/)\.[^/]*$/.test(path);

async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** Hash of each source's content, by path relative to the root. */
async function hashSources() {
  const files = (await Promise.all(SOURCE_FOLDERS.map((folder) => filesBelow(join(ROOT, folder))))).flat();
  const sources = files.map((file) => relative(ROOT, file)).filter(isSource);
  const hashes = await Promise.all(sources.map(async (path) => [path, hashOf(await readFile(join(ROOT, path)))]));
  return Object.fromEntries(hashes.sort());
}

/** Hash of everything else that the output depends on. */
async function hashSettings() {
  const files = ['.swcrc', 'package-lock.json', 'tools/build.mjs'].map((path) => join(ROOT, path));
  return hashOf(...(await Promise.all(files.map((file) => readFile(file)))));
}

async function readManifest() {
  try {
    return JSON.parse(await readFile(join(DIST, MANIFEST), 'utf8'));
  } catch {
    // Missing, or truncated by a crash: build everything.
    return { settings: '', sources: {} };
  }
}

/** Atomic: a server that starts meanwhile reads the old file or the new one, never half of it. */
async function writeWhole(path, content) {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, content);
  await rename(draft, path);
}

const outputsOf = (source) => {
  if (!source.endsWith('.ts')) return [source];
  const script = source.replace(/\.ts$/, '.js');
  return [script, `${script}.map`];
};

async function compile(swc, source) {
  const outputs = outputsOf(source).map((path) => join(DIST, path));
  if (outputs.length === 1) return writeWhole(outputs[0], await readFile(join(ROOT, source)));
  const { code, map } = await swc.transformFile(join(ROOT, source), {
    root: ROOT,
    configFile: join(ROOT, '.swcrc'),
    sourceFileName: relative(dirname(outputs[0]), join(ROOT, source)),
    outputPath: outputs[0],
  });
  await writeWhole(outputs[1], map);
  return writeWhole(outputs[0], `${code}\n//# sourceMappingURL=${basename(outputs[1])}\n`);
}

/**
 * Joins the compiled files of each program and the packages that they import. What is imported at run time alone stays in
 * files of its own.
 * @returns paths in dist/
 */
async function joinPrograms(sources) {
  const { build: bundle } = await import('esbuild');
  const programs = sources.flatMap((source) => {
    const name = PROGRAM.exec(source)?.[1];
    return name === undefined ? [] : [{ in: join(DIST, outputsOf(source)[0]), out: name }];
  });
  const { outputFiles } = await bundle({
    entryPoints: programs,
    outdir: join(DIST, 'bin'),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: SEPARATE_PACKAGES,
    sourcemap: 'linked',
    sourcesContent: false,
    // V8 keeps the text of a program as long as it runs. Names stay, and lines stay short, for stack traces.
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'external',
    banner: { js: PRELUDE },
    logLevel: 'error',
    write: false,
  });
  // A program comes after what it imports.
  const isProgram = ({ path }) => programs.some(({ out }) => path === join(DIST, 'bin', `${out}.js`));
  for (const files of [outputFiles.filter((file) => !isProgram(file)), outputFiles.filter(isProgram)])
    await Promise.all(files.map(({ path, text }) => writeWhole(path, path.endsWith('.js') ? inLatin1(text) : text)));
  return outputFiles.map(({ path }) => relative(DIST, path));
}

/**
 * The same program without characters that need two bytes: one of them doubles what V8 keeps. The compiler leaves them in regular
 * expressions and templates, where the escape means the same.
 */
const inLatin1 = (program) =>
  program.replaceAll(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Whether tools/build-web.mjs looks after a path in dist/. */
const isOfWeb = (path) => /^\.?web[/-]/.test(path);

/** In a process of its own: it runs beside the compiler, and nobody else pays for loading Vite. */
const buildWeb = () =>
  promisify(execFile)(process.execPath, [join(ROOT, 'tools/build-web.mjs'), '--quiet']).catch((error) => {
    throw new Error(`The chat page could not be built:\n${error.stderr || error.message}`);
  });

async function removeStale(sources, joined) {
  const expected = new Set([MANIFEST, ...joined, ...sources.flatMap(outputsOf)]);
  const present = (await filesBelow(DIST)).map((file) => relative(DIST, file));
  // A draft belongs to a build that may be running in parallel.
  const stale = present.filter((path) => !expected.has(path) && !path.endsWith('.draft') && !isOfWeb(path));
  await Promise.all(stale.map((path) => rm(join(DIST, path), { force: true })));
  return stale.length;
}

/**
 * Plan of a build: the sources that differ from the last one, their hashes, and the files in dist/bin/, undefined when they
 * have to be made; and whether the chat page has to be made. Loads no compiler.
 */
export async function plan() {
  const [before, settings, sources, web] = await Promise.all([
    readManifest(),
    hashSettings(),
    hashSources(),
    staleWeb(),
  ]);
  const current = before.settings === settings ? before.sources : {};
  const paths = Object.keys(sources);
  if (paths.length === 0) throw new Error('There are no sources to build from: apps/ and libs/ are missing.');
  const changed = paths.filter(
    (path) => current[path] !== sources[path] || outputsOf(path).some((output) => !existsSync(join(DIST, output))),
  );
  const isJoined = changed.length === 0 && before.joined?.every((path) => existsSync(join(DIST, path)));
  const isWebStale = web !== undefined && !isWebCompilerMissing();
  return { settings, sources, paths, changed, joined: isJoined ? before.joined : undefined, isWebStale };
}

/**
 * Brings dist/ up to date. Resolves to what was done; compiles nothing, and loads no compiler, when nothing changed.
 */
export async function build() {
  const { settings, sources, paths, changed, joined: present, isWebStale } = await plan();
  const web = isWebStale ? buildWeb() : Promise.resolve();
  // Reported below, after the compiler.
  web.catch(() => undefined);
  if (changed.length > 0) {
    // A build that fails half-way must not leave files that a later one takes for fresh.
    const unchanged = Object.entries(sources).filter(([path]) => !changed.includes(path));
    await writeWhole(join(DIST, MANIFEST), JSON.stringify({ settings, sources: Object.fromEntries(unchanged) }));
    const swc = await import('@swc/core');
    await Promise.all(changed.map((path) => compile(swc, path)));
  }
  const joined = present ?? (await joinPrograms(paths));
  await web;
  const removed = await removeStale(paths, joined);
  if (present === undefined || removed > 0)
    await writeWhole(join(DIST, MANIFEST), JSON.stringify({ settings, sources, joined }));
  return { sources: paths.length, compiled: changed.length, removed };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const startedMs = performance.now();
  const { sources, compiled, removed } = await build();
  const tookMs = Math.round(performance.now() - startedMs);
  // Standard output belongs to the program that runs after the build.
  if (!process.argv.includes('--quiet'))
    console.error(`Built ${compiled} of ${sources} files, removed ${removed} stale ones, in ${tookMs} ms.`);
}
