import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const BAD = 'test/architecture/bad';
/** What it exports is for programs that are written elsewhere. */
const PUBLISHED = '#client';

type Imports = Readonly<Record<string, { readonly types: string }>>;
const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { imports: Imports };

const sources = ['apps', 'bench', 'examples', 'libs', 'test', 'tools', 'web'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !path.startsWith(`${BAD}/`) && !path.includes('/node_modules/')),
);

/** Names in the braces of an import or an export, as the module calls them that has them, or as importers see them. */
function namesIn(braces: string, side: 'theirs' | 'ours'): string[] {
  const listed = braces.replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '').split(',');
  const both = listed.map((one) =>
    one
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+as\s+/),
  );
  return both.map((names) => names.at(side === 'ours' ? -1 : 0) ?? '').filter((name) => name !== '');
}

/** What each library's index exports, by the name of the library. */
function exported(index: string): string[] {
  const text = readFileSync(join(ROOT, index), 'utf8');
  expect([index, /^export (?!(?:type )?\{)/m.exec(text)?.[0]]).toEqual([index, undefined]);
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, braces = '']) => namesIn(braces, 'ours'));
}

/** Names that are imported from libraries: `#library name`. */
function imported(): Set<string> {
  const found = new Set<string>();
  for (const path of sources) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    for (const [, braces = '', library] of text.matchAll(
      /\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(#[^']+)'/g,
    ))
      for (const name of namesIn(braces, 'theirs')) found.add(`${library} ${name}`);
  }
  return found;
}

test('what the index of a library exports is used elsewhere', () => {
  const used = imported();
  expect(used.size).toBeGreaterThan(1000);
  const unused = Object.entries(imports)
    .filter(([library]) => library !== PUBLISHED)
    .flatMap(([library, { types }]) => exported(types).map((name) => `${library} ${name}`))
    .filter((name) => !used.has(name));
  expect(unused).toEqual([]);
});
