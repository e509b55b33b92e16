/** The pages of the interface: every citation leads to one of their sections, and what they list is what the code has. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EVENTS } from '../support/reader/events.schema.js';
import { OBJECTS } from '../support/reader/objects.schema.js';

const ROOT = resolve(__dirname, '../..');
const PAGES = ['clients', 'endpoints', 'events', 'objects', 'register', 'rules'];
const FOLDERS = ['apps', 'bench', 'libs', 'test', 'tools'];
const CITATION = /\b(\w+)\.md((?:,? §\d+(?:\.\d+)?|, "[^"]+")*)/g;

const pathsIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/(^|\/)node_modules\//.test(name))
    .map((name) => join(folder, name));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const pages = new Map(PAGES.map((page) => [page, read(`docs/interface/${page}.md`)]));
const textOf = (page: string): string => pages.get(page) ?? '';
const sources = FOLDERS.flatMap((folder) => pathsIn(folder, /\.(ts|mjs|cjs|py)$/));
const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** What a page lacks of the sections and words that a citation names. */
function missingIn(page: string, cited: string): string[] {
  const text = textOf(page);
  const sections = Array.from(cited.matchAll(/§(\d+(?:\.\d+)?)/g), ([, section = '']) => section);
  const phrases = Array.from(cited.matchAll(/"([^"]+)"/g), ([, phrase = '']) => phrase);
  return [
    ...sections.filter((section) => !new RegExp(`^#{2,3} ${section.replace('.', '\\.')}\\.? `, 'm').test(text)),
    ...phrases.filter((phrase) => !text.toLowerCase().includes(phrase.toLowerCase())),
  ];
}

test('every citation leads to a section of a page', () => {
  const lost: string[] = [];
  let followed = 0;
  for (const path of sources) {
    // A citation may go on in the next line of a comment.
    const text = read(path).replaceAll(/\n\s*(?:\*|\/\/)\s/g, ' ');
    for (const [citation, page = '', cited = ''] of text.matchAll(CITATION)) {
      if (!pages.has(page)) continue;
      followed++;
      for (const missing of missingIn(page, cited)) lost.push(`${path}: ${citation}, ${missing}`);
    }
  }
  expect(lost).toEqual([]);
  expect(followed).toBeGreaterThan(350);
});

test('nothing is cited that is not here', () => {
  const foreign = /\((?:specification|supplement)\b|\b(?:specification|supplement), [A-Zr"]/;
  expect(sources.filter((path) => !path.endsWith('interface-pages.spec.ts') && foreign.test(read(path)))).toEqual([]);
});

test('the pages have the shapes by which the suites read all answers and events', () => {
  const shapes = (page: string): Map<string, string> => {
    const blocks = Array.from(textOf(page).matchAll(/```text\n([^`]*)```/g), ([, block = '']) => block);
    const lines = blocks.flatMap((block) => block.split(/\n(?! )/));
    return new Map(lines.map((line) => [/^[\w/]+/.exec(line)?.[0] ?? '', words(line.slice(line.indexOf('=') + 1))]));
  };
  const expected = (of: Readonly<Record<string, string>>, names: readonly string[]): [string, string][] =>
    names.map((name) => [name, words(of[name] ?? 'no shape')]);
  const objects = [...shapes('objects').keys()].filter((name) => name !== '');
  expect(shapes('objects')).toEqual(new Map([...expected(OBJECTS, objects), ...emptyOf(shapes('objects'))]));
  expect(objects.length).toBeGreaterThan(40);
  const events = Object.keys(EVENTS);
  expect(shapes('events')).toEqual(new Map([...expected(EVENTS, events), ...emptyOf(shapes('events'))]));
});

/** The end of a block is no shape. */
function emptyOf(shapes: Map<string, string>): [string, string][] {
  return [...shapes].filter(([name]) => name === '');
}

/** Names in the table of a file. */
function tableNames(file: string): string[] {
  const [path = ''] = pathsIn('libs', new RegExp(`(^|/)${file}$`));
  const [, table = ''] = /^export const \w+(?:_TABLE|_PERMISSIONS) = \{$(.*?)^\}/ms.exec(read(path)) ?? [];
  return Array.from(table.matchAll(/^ {2}(\w+): /gm), ([, name = '']) => name);
}

test.each([
  ['realm-settings.table.ts', 40],
  ['realm-permissions.ts', 25],
  ['user-settings.table.ts', 60],
])('the page of the register has every setting of %s', (file, atLeast) => {
  const names = tableNames(file);
  expect(names.length).toBeGreaterThanOrEqual(atLeast);
  expect(names.filter((name) => !textOf('register').includes(`\`${name}\``))).toEqual([]);
});

test('the page of the rules has every code of a refusal', () => {
  const [path = ''] = pathsIn('libs', /(^|\/)answers\/failure\.ts$/);
  const codes = Array.from(read(path).matchAll(/^ {2}([A-Z_]{6,}): \d{3},/gm), ([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(40);
  expect(codes.filter((code) => code !== 'NOT_FOUND' && !textOf('rules').includes(code))).toEqual([]);
});

interface Catalogue {
  readonly routes: readonly string[];
  readonly events: readonly string[];
}
const catalogue = JSON.parse(read('docs/interface/catalogue.json')) as Catalogue;
const nameless = (text: string): string => text.replaceAll(/\{[^}]*\}/g, '{}');

test('the page of endpoints has the path of every route', () => {
  const text = nameless(textOf('endpoints'));
  const paths = catalogue.routes.map((route) => nameless(route.split(' ')[1]?.replace('SERVER', '/') ?? ''));
  expect([...new Set(paths)].filter((path) => !text.includes(path))).toEqual([]);
});

test('the page of events has every kind', () => {
  const text = textOf('events');
  const types = catalogue.events.map((kind) => kind.split('/')[0] ?? '');
  expect([...new Set(types)].filter((type) => !text.includes(`\`${type}\``) && !text.includes(`${type} =`))).toEqual(
    [],
  );
});
