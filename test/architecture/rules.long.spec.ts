import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

interface Cruise {
  readonly rules: readonly string[];
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly module: string; readonly resolved: string }[];
  }[];
  readonly violations: readonly { readonly rule: string; readonly from: string; readonly to: string }[];
}

const ROOT = join(__dirname, '..', '..');
const BAD = 'test/architecture/bad';
/** Guards against hanging only. */
const CRUISE_LIMIT_MS = 180_000;

const cruised = JSON.parse(
  execFileSync(process.execPath, ['test/architecture/cruise.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: CRUISE_LIMIT_MS,
  }),
) as Cruise;

const isExample = (path: string): boolean => path.startsWith(`${BAD}/`);
const ours = cruised.modules.filter(({ source }) => /^(?:apps|libs|test|web)\//.test(source) && !isExample(source));

test('the code obeys the rules', () => {
  expect(cruised.violations.filter(({ from }) => !isExample(from))).toEqual([]);
});

/** Pairs of folders of one library, or of one model, whose files import each other, without tests. */
function mutualFolders(modules: Cruise['modules']): string[] {
  const folderOf = (path: string): string | undefined =>
    /^(libs\/(?:(?:engine|edge|features)\/)?[^/]+\/src\/(?:model\/)?[^/]+)\/.*(?<!\.(?:spec|fixture|contract)\.ts)$/.exec(
      path,
    )?.[1];
  const imports = new Set(
    modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => `${folderOf(source)} ${folderOf(resolved)}`),
    ),
  );
  return [...imports]
    .map((pair) => pair.split(' ') as [string, string])
    .filter(([a, b]) => a < b && dirname(a) === dirname(b) && imports.has(`${b} ${a}`))
    .map(([a, b]) => `${dirname(dirname(a))}: ${basename(a)}, ${basename(b)}`)
    .sort();
}

test('folders of a library import each other in one direction', () => {
  expect(mutualFolders(ours)).toEqual([
    'libs/edge/http: openapi, params',
    'libs/edge/markdown: blocks, inline',
    'libs/edge/markdown: inline, links',
    'libs/engine/feed: delivery, log',
    'libs/engine/feed: delivery, queues',
    'libs/engine/feed: log, queues',
    'libs/features/notifications: devices, push',
    'libs/features/notifications: missed, notices',
    'libs/features/users: accounts, profile',
  ]);
});

/** TypeScript files below a folder, from the file system. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.tsx?$/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => !isExample(path));
}

// A cruiser without a supported compiler sees no modules, and therefore no violations.
test('the cruise saw every file', () => {
  const files = ['apps', 'libs', 'test', 'web'].flatMap(filesBelow);
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !ours.some(({ source }) => source === file))).toEqual([]);
});

test("'#name' leads to the face of a lib, '#name/model' to that of its model, and every face has a name", () => {
  const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    imports: Record<string, { types: string; default: string }>;
  };
  const named = ours.flatMap(({ source }) => {
    const [, lib, model = ''] =
      /^(?:libs\/(?:(?:engine|edge|features)\/)?([^/]+))\/src(\/model)?\/index\.ts$/.exec(source) ?? [];
    if (lib === undefined) return [];
    return [[`#${lib}${model}`, { types: `./${source}`, default: `./dist/${source.replace(/\.ts$/, '.js')}` }]];
  });
  expect(imports).toEqual(Object.fromEntries(named));
  const faces = ours.flatMap(({ dependencies }) => dependencies).filter(({ module }) => module.startsWith('#'));
  expect(faces.length).toBeGreaterThan(5);
  for (const { module, resolved } of faces) expect(`./${resolved}`).toBe(imports[module]?.types);
});

test('nest-cli.json names every app and lib, where nest generate finds it, and nothing else', () => {
  const { projects } = JSON.parse(readFileSync(join(ROOT, 'nest-cli.json'), 'utf8')) as {
    projects: Record<string, { sourceRoot: string }>;
  };
  const folders = ours.flatMap(
    ({ source }) => /^(?:apps|libs(?:\/(?:engine|edge|features))?)\/[^/]+\/src(?=\/)/.exec(source) ?? [],
  );
  const named = [...new Set(folders)].map((sourceRoot) => [basename(dirname(sourceRoot)), { sourceRoot }]);
  expect(projects).toEqual(Object.fromEntries(named));
});

test('every rule has a bad example, and every bad example a rule', () => {
  expect(readdirSync(join(ROOT, BAD)).sort()).toEqual([...cruised.rules].sort());
});

test.each(cruised.rules)('%s catches its bad example, alone', (rule) => {
  const fired = cruised.violations
    .filter(({ from }) => from.startsWith(`${BAD}/${rule}/`))
    .map((violation) => violation.rule);
  expect(new Set(fired)).toEqual(new Set([rule]));
});
