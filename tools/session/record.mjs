// Records a session at one build of the server, or compares those of two.
//
//   npm run session -- [FILE]              records this checkout, builds it first; fails for a route that is missing,
//                                          and for an event that does not say who acts
//   npm run session -- --compare OTHER     records another build and this one, and prints how they differ
//   npm run session -- --opened OTHER      what the other build has written, read by both
//   npm run session -- --examples          writes the examples of the OpenAPI document
//
// OTHER is a revision, or a folder with a built checkout.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { opened, recorded } from './session.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLES = join(ROOT, 'apps/api/src/openapi-examples.generated.ts');
const EXAMPLES_HEAD =
  '// Answers of the recorded session by operation ID: npm run session -- --examples\n' +
  'export const EXAMPLES: Readonly<Record<string, object>> = ';
const scratch = mkdtempSync(join(tmpdir(), 'session-compared-'));

function build(checkout) {
  execFileSync(process.execPath, ['tools/build.mjs', '--quiet'], { cwd: checkout, stdio: 'inherit' });
  return checkout;
}

/** A folder with a built checkout of the other version. */
function otherBuild(name) {
  if (existsSync(join(name, 'dist/bin/api.js'))) return name;
  const checkout = join(scratch, 'checkout');
  execFileSync('git', ['worktree', 'add', '--detach', checkout, name], { cwd: ROOT, stdio: 'inherit' });
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  return build(checkout);
}

/** Writes both down, and prints their difference. @returns whether there is none */
function compare(theirs, ours) {
  const files = ['other', 'this'].map((name) => join(scratch, `${name}.txt`));
  writeFileSync(files[0], theirs);
  writeFileSync(files[1], ours);
  try {
    execFileSync('git', ['diff', '--no-index', '--unified=6', ...files], { stdio: 'inherit' });
    return true;
  } catch {
    return false;
  }
}

async function run([option, other]) {
  if (option === '--compare' && other !== undefined) {
    const [theirs, ours] = await Promise.all([otherBuild(other), build(ROOT)].map(recorded));
    return compare(theirs.text, ours.text);
  }
  if (option === '--opened' && other !== undefined) {
    const { before, after } = await opened(otherBuild(other), build(ROOT));
    return compare(before, after);
  }
  const { text, missing, examples } = await recorded(build(ROOT));
  if (option === '--examples') {
    writeFileSync(EXAMPLES, `${EXAMPLES_HEAD}${JSON.stringify(examples, null, 1)};\n`);
    return true;
  }
  if (option === undefined) process.stdout.write(text);
  else writeFileSync(option, text);
  for (const sentence of missing) console.error(sentence);
  return missing.length === 0;
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

try {
  process.exitCode = (await run(process.argv.slice(2))) ? 0 : 1;
} finally {
  if (existsSync(join(scratch, 'checkout')))
    execFileSync('git', ['worktree', 'remove', '--force', join(scratch, 'checkout')], { cwd: ROOT });
  rmSync(scratch, { recursive: true, force: true });
}
