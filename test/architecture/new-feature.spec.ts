/** The page about adding a feature lists every file that speaks of its example. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const FOLDERS = ['apps', 'bench', 'docs/interface', 'libs', 'test', 'tools'];
const EXAMPLE = /reminder/i;
/** They have the word, and another meaning of it. */
const OTHERS = new Map([
  ['emoji.generated.ts', 'an emoji'],
  ['types.generated.ts', 'all types of the interface'],
  ['openapi-examples.generated.ts', 'all answers of the recorded session'],
  ['openapi.spec.ts', 'names of objects in the second reader'],
  ['emoji-names.txt', 'an emoji'],
  ['translate-slack.ts', 'those of Slack, which are left out'],
  ['views.decider.ts', 'a built-in view of clients'],
  ['actors.ts', 'events from before they had origins'],
  ['new-feature.spec.ts', 'this test'],
]);

const page = readFileSync(join(ROOT, 'docs/new-feature.md'), 'utf8');
const [, block = ''] = /```text\n(.*?)```/s.exec(page) ?? [];
const listed = block
  .trim()
  .split('\n')
  .map((line) => line.split(' ')[0] ?? '');

test('the page lists the files of its example', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile() && !OTHERS.has(entry.name) && /\.(ts|mjs|json|md)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const speaking = files.filter((path) => EXAMPLE.test(path) || EXAMPLE.test(readFileSync(path, 'utf8')));
  expect(listed.toSorted()).toEqual(speaking.map((path) => path.slice(ROOT.length + 1)).toSorted());
});

test('each step of the page has files, and each file a step', () => {
  const steps = new Set(Array.from(page.matchAll(/^## (\d+)\. /gm), ([, step = '']) => step));
  const named = new Set(block.trim().split('\n').map((line) => / +(\d+)\b/.exec(line)?.[1] ?? line)); // prettier-ignore
  expect(named).toEqual(steps);
});
