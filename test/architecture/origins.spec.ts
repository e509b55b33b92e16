import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const APPENDS = /\b(?:store|events|eventStore|target)\s*\.append\(/;

/** Files that append to the log without `CommandRunner`, which takes nothing without an origin. */
const APPENDING: Readonly<Record<string, string>> = {
  'libs/engine/event-store/src/command-runner.ts': 'the one place',
  'libs/engine/event-store/src/copy-log.ts': 'copies keep the metadata of their events',
  'libs/engine/event-store/src/origins/visits.ts': 'withOrigin',
  'libs/engine/follow-ups/src/follow-ups.ts': 'withOrigin',
  'libs/features/import/src/owner-access.ts': 'withOrigin',
  'libs/features/operator/src/repairs/record-repairs.ts': 'withOrigin',
  'apps/cli/src/reactivate.ts': 'withOrigin',
};

const sources = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter(
      (path) => path.endsWith('.ts') && !/\.(?:spec|fixture|contract)\.ts$|^libs\/testing\/|\/contract\//.test(path),
    ),
);
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

test('events are appended where it is known who acts, and nowhere else', () => {
  const appending = sources.filter((path) => APPENDS.test(textOf(path)));
  expect(appending.toSorted()).toEqual(Object.keys(APPENDING).toSorted());
});

test.each(Object.entries(APPENDING).filter(([, how]) => how === 'withOrigin'))('%s says who acts', (path) => {
  expect(textOf(path)).toMatch(/withOrigin\(/);
});

test('work beside the requests takes the origin of a request from nowhere', () => {
  // Follow-ups, timers and work act as the server: because of their event, or by themselves.
  const working = sources.filter((path) =>
    /implements .*\b(?:FollowUp<|TimerHandler|GatedWork|LookingWork)/.test(textOf(path)),
  );
  expect(working.length).toBeGreaterThan(25);
  expect(working.filter((path) => /originFrom\(|FromRequest/.test(textOf(path)))).toEqual([]);
});
