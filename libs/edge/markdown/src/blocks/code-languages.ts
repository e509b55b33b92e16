import { LANGUAGE_LINES } from './code-languages.generated.js';

/** Modules of highlight.js, each with its languages: canonical names, then names that are only in use. */
const HIGHLIGHTED: readonly (readonly [highlighter: string, languages: readonly string[], otherNames?: string])[] = [
  ['python', ['Python']],
  ['python-repl', ['Python console session']],
  ['javascript', ['JavaScript', 'JSX'], 'mjs cjs node'],
  ['typescript', ['TypeScript', 'TSX']],
  ['json', ['JSON', 'JSON5'], 'jsonc'],
  ['xml', ['HTML', 'XML'], 'xhtml xsl svg rss'],
  ['css', ['CSS']],
  ['scss', ['SCSS']],
  ['less', ['LessCss']],
  ['c', ['C'], 'h'],
  ['cpp', ['C++'], 'cxx hpp cc'],
  ['csharp', ['C#']],
  ['fsharp', ['F#'], 'fs'],
  ['java', ['Java']],
  ['kotlin', ['Kotlin'], 'kt'],
  ['scala', ['Scala']],
  ['groovy', ['Groovy']],
  ['clojure', ['Clojure']],
  ['go', ['Go']],
  ['rust', ['Rust']],
  ['swift', ['Swift']],
  ['objectivec', ['Objective-C']],
  ['dart', ['Dart']],
  ['ruby', ['Ruby']],
  ['php', ['PHP']],
  ['perl', ['Perl']],
  ['lua', ['Lua']],
  ['r', ['S'], 'rscript'],
  ['julia', ['Julia']],
  ['haskell', ['Haskell']],
  ['ocaml', ['OCaml'], 'ml'],
  ['sml', ['Standard ML']],
  ['elixir', ['Elixir']],
  ['erlang', ['Erlang', 'Erlang erl session']],
  ['elm', ['Elm']],
  ['lisp', ['Common Lisp']],
  ['scheme', ['Scheme']],
  ['nim', ['Nimrod']],
  ['d', ['D']],
  ['fortran', ['Fortran']],
  ['matlab', ['Matlab']],
  ['bash', ['Bash']],
  ['shell', ['Bash Session']],
  ['powershell', ['PowerShell']],
  ['dos', ['Batchfile']],
  ['sql', ['SQL', 'PostgreSQL SQL dialect', 'MySQL']],
  ['graphql', ['GraphQL']],
  ['yaml', ['YAML']],
  ['ini', ['TOML', 'INI']],
  ['properties', ['Properties']],
  ['dockerfile', ['Docker']],
  ['makefile', ['Makefile']],
  ['cmake', ['CMake']],
  ['nix', ['Nix']],
  ['nginx', ['Nginx configuration file']],
  ['apache', ['ApacheConf']],
  ['diff', ['Diff'], 'patch'],
  ['markdown', ['Markdown']],
  ['latex', ['TeX']],
  ['vim', ['VimL']],
  ['protobuf', ['Protocol Buffer']],
  ['http', ['HTTP']],
  ['django', ['Django/Jinja']],
  ['handlebars', ['Handlebars']],
  ['wasm', ['WebAssembly']],
  ['x86asm', ['GAS', 'NASM']],
  ['glsl', ['GLSL']],
];

export interface CodeLanguage {
  /** Value of `data-code-language`. */
  readonly canonical: string;
  /** Module of highlight.js; absent for a language without highlighting. */
  readonly highlighter?: string;
}

const byAlias = new Map<string, CodeLanguage>();
const highlighters = new Map(
  HIGHLIGHTED.flatMap(([highlighter, languages]) => languages.map((name) => [name, highlighter])),
);
for (const line of LANGUAGE_LINES.trim().split('\n')) {
  const [canonical = '', aliases = ''] = line.split('|');
  const highlighter = highlighters.get(canonical);
  const language: CodeLanguage = highlighter === undefined ? { canonical } : { canonical, highlighter };
  for (const alias of aliases.split(' ')) byAlias.set(alias, language);
}
const byOtherName = new Map(
  HIGHLIGHTED.flatMap(([highlighter, , names = '']) => names.split(' ').map((name) => [name, highlighter])),
);

/** The language of a fence, by the aliases of Pygments. Unknown names are kept; some of them are highlighted. */
export function codeLanguage(name: string): CodeLanguage {
  const known = byAlias.get(name.toLowerCase());
  if (known !== undefined) return known;
  const highlighter = byOtherName.get(name.toLowerCase());
  return highlighter === undefined ? { canonical: name } : { canonical: name, highlighter };
}

/** All modules of highlight.js that are used. */
export const HIGHLIGHTERS: readonly string[] = HIGHLIGHTED.map(([highlighter]) => highlighter);
