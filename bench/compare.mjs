// Parts of the bench in turns with another revision, which is checked out and built beside this one: the machine changes from minute to
// minute, and the two meet the same.
//   npm run bench -- --compare main receivers
//   BENCH_PAIRS=8   how often
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, temporaryFolder } from './support/processes.mjs';

const PAIRS = Number(process.env.BENCH_PAIRS ?? 8);
const loud = { stdio: ['ignore', 'ignore', 'inherit'] };

export async function compare(revision, parts) {
  if (revision === undefined || parts.length === 0)
    throw new Error('Usage: npm run bench -- --compare REVISION PART …');
  const scratch = temporaryFolder();
  const other = join(scratch.folder, 'other');
  try {
    execFileSync('git', ['worktree', 'add', '--detach', other, revision], { cwd: ROOT, ...loud });
    symlinkSync(join(ROOT, 'node_modules'), join(other, 'node_modules'));
    execFileSync(process.execPath, ['tools/build.mjs', '--quiet'], { cwd: other, ...loud });
    print(revision, inTurns(other, parts));
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', other], { cwd: ROOT, ...loud });
    scratch.remove();
  }
}

/** @returns of each figure, its values there and here, pair by pair */
function inTurns(other, parts) {
  const figures = new Map();
  for (let pair = 0; pair < PAIRS; pair++) {
    // Neither is always the first.
    const order = pair % 2 === 0 ? [other, ROOT] : [ROOT, other];
    const measured = new Map(order.map((root) => [root, run(root, parts)]));
    for (const { what, unit, value } of measured.get(ROOT)) {
      const there = measured.get(other).find((one) => one.what === what)?.value;
      if (there === undefined) continue;
      if (!figures.has(what)) figures.set(what, { unit, pairs: [] });
      figures.get(what).pairs.push([there, value]);
    }
  }
  return figures;
}

function run(root, parts) {
  execFileSync(process.execPath, ['bench/run.mjs', ...parts], { cwd: root, ...loud });
  return JSON.parse(readFileSync(join(root, 'bench/results/latest.json'), 'utf8')).results;
}

function print(revision, figures) {
  console.log(`| What | ${revision} | Here | Here ÷ ${revision} (least, median, most) |\n|---|---|---|---|`);
  for (const [what, { unit, pairs }] of figures) {
    const ratios = sorted(pairs.map(([there, here]) => here / there));
    const [there, here] = [0, 1].map((side) => median(sorted(pairs.map((pair) => pair[side]))));
    const share = [ratios[0], median(ratios), ratios.at(-1)].map((ratio) => ratio.toFixed(2)).join(', ');
    console.log(`| ${what} | ${there.toPrecision(3)} ${unit} | ${here.toPrecision(3)} ${unit} | ${share} |`);
  }
}

const sorted = (values) => [...values].sort((a, b) => a - b);
const median = (values) => values[Math.floor(values.length / 2)];
