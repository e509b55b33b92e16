import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { streams } from '#event-store';

const ROOT = resolve(__dirname, '../..');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

test.each(PAGES)('%s names files that exist', (page) => {
  const text = textOf(page);
  const links = Array.from(text.matchAll(/\]\((?!https?:)([^)#]+)/g), ([, path = '']) => join(dirname(page), path));
  const named = Array.from(
    text.matchAll(/`((?:apps|libs|test|tools|deploy|docs|bench)\/[\w./-]+)`/g),
    ([, path = '']) => path,
  );
  expect([...links, ...named].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

/** An editor beside another shows so much; the row of a table may be longer, since its columns are padded. */
const WIDTH_MAX = 160;

test.each(PAGES)('%s has lines and cells that fit', (page) => {
  const lines = textOf(page).split('\n');
  const parts = lines.flatMap((line) => (line.startsWith('|') ? line.split(/(?<!\\)\|/) : [line]));
  const texts = parts.map((part) => part.trim()).filter((part) => !/^[-:]+$/.test(part));
  expect(texts.filter((text) => text.length > WIDTH_MAX)).toEqual([]);
});

test('the page of the architecture names every library, and every stream', () => {
  const text = textOf('docs/architecture.md');
  const { imports } = JSON.parse(textOf('package.json')) as { imports: Record<string, { types: string }> };
  const libraries = Object.values(imports).map(({ types }) =>
    types.replace(/^\.\/(.*)\/src\/(?:model\/)?index\.ts$/, '`$1`'),
  );
  const names = Object.values(streams).map((name) => (typeof name === 'string' ? name : name(0 as never, 0)));
  const families = names.filter((name) => name !== streams.prefix).map((name) => `\`${name.replace(/(?<=-)0.*$/, '')}`);
  expect([...libraries, ...families].filter((name) => !text.includes(name))).toEqual([]);
});

function settingNames(): string[] {
  const source = textOf('libs/runtime/src/settings/environment.ts');
  return Array.from(source.matchAll(/^ {2}readonly ([A-Z_]+):/gm), ([, name = '']) => name);
}

test('the page of operations names every setting', () => {
  const text = textOf('docs/operations.md');
  const settings = settingNames();
  expect(settings.length).toBeGreaterThan(30);
  expect(settings.filter((name) => !text.includes(`\`${name}`))).toEqual([]);
  // And its tables name no others.
  const tables = Array.from(text.matchAll(/^\| Setting .*?(?=\n\n)/gms), ([table]) =>
    table.split('\n').slice(2),
  ).flat();
  const named = tables.flatMap((row) =>
    Array.from((row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g), ([, name]) => name ?? ''),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !settings.includes(name))).toEqual([]);
});

test.each([
  // With stores in files these have one value, or none.
  ['docker-compose.embedded.yml', ['EVENT_STORE_URL', 'STREAM_PREFIX', 'READ_STORE_URL', 'NODE_ENV', 'PROJECTOR']],
  // Within the container, and said by the image; or for stores in files.
  ['docker-compose.yml', ['HOST', 'DATA_DIR', 'READ_MODEL_SNAPSHOT_HOUR', 'NODE_ENV']],
])('%s hands on every setting', (file, others) => {
  // One line for each, in the list or in a map of the environment.
  const named = new Set(Array.from(textOf(file).matchAll(/^ +(?:- )?([A-Z_]+)(?:[:=]|$)/gm), ([, name]) => name));
  expect(settingNames().filter((name) => !named.has(name))).toEqual(others);
});
