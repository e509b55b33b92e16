/**
 * The languages that code fences commonly name: their canonical name, the aliases people type, and the module of highlight.js that
 * colours them, where there is one. Names are those that Pygments gives, since clients know them.
 */
const LANGUAGES: readonly (readonly [canonical: string, aliases: string, highlighter?: string])[] = [
  ['Python', 'python py python3 py3 sage', 'python'],
  ['Python console session', 'pycon python-console', 'python-repl'],
  ['Python Traceback', 'pytb py3tb'],
  ['JavaScript', 'javascript js mjs cjs node', 'javascript'],
  ['TypeScript', 'typescript ts', 'typescript'],
  ['TSX', 'tsx', 'typescript'],
  ['JSX', 'jsx react', 'javascript'],
  ['JSON', 'json json-object jsonc json5', 'json'],
  ['HTML', 'html xhtml', 'xml'],
  ['XML', 'xml xsl svg rss', 'xml'],
  ['CSS', 'css', 'css'],
  ['SCSS', 'scss', 'scss'],
  ['LessCss', 'less', 'less'],
  ['Sass', 'sass'],
  ['C', 'c h', 'c'],
  ['C++', 'c++ cpp cxx hpp cc', 'cpp'],
  ['C#', 'c# csharp cs', 'csharp'],
  ['F#', 'f# fsharp fs', 'fsharp'],
  ['Java', 'java', 'java'],
  ['Kotlin', 'kotlin kt', 'kotlin'],
  ['Scala', 'scala', 'scala'],
  ['Groovy', 'groovy', 'groovy'],
  ['Clojure', 'clojure clj', 'clojure'],
  ['Go', 'go golang', 'go'],
  ['Rust', 'rust rs', 'rust'],
  ['Swift', 'swift', 'swift'],
  ['Objective-C', 'objective-c objectivec obj-c objc', 'objectivec'],
  ['Dart', 'dart', 'dart'],
  ['Ruby', 'ruby rb duby', 'ruby'],
  ['PHP', 'php php3 php4 php5', 'php'],
  ['Perl', 'perl pl', 'perl'],
  ['Lua', 'lua', 'lua'],
  ['R', 'r s rscript splus', 'r'],
  ['Julia', 'julia jl', 'julia'],
  ['Haskell', 'haskell hs', 'haskell'],
  ['OCaml', 'ocaml ml', 'ocaml'],
  ['Standard ML', 'sml', 'sml'],
  ['Elixir', 'elixir ex exs', 'elixir'],
  ['Erlang', 'erlang erl', 'erlang'],
  ['Elm', 'elm', 'elm'],
  ['Common Lisp', 'common-lisp cl lisp', 'lisp'],
  ['Scheme', 'scheme scm', 'scheme'],
  ['EmacsLisp', 'emacs-lisp elisp emacs'],
  ['Lean', 'lean lean3'],
  ['Lean4', 'lean4'],
  ['Coq', 'coq rocq rocq-prover'],
  ['Zig', 'zig'],
  ['Nim', 'nim nimrod', 'nim'],
  ['D', 'd', 'd'],
  ['Fortran', 'fortran f90', 'fortran'],
  ['Matlab', 'matlab', 'matlab'],
  ['Bash', 'bash sh ksh zsh shell openrc', 'bash'],
  ['Bash Session', 'console shell-session', 'shell'],
  ['PowerShell', 'powershell pwsh posh ps1 psm1', 'powershell'],
  ['Batchfile', 'batch bat dosbatch winbatch', 'dos'],
  ['SQL', 'sql', 'sql'],
  ['PostgreSQL SQL dialect', 'postgresql postgres', 'sql'],
  ['MySQL', 'mysql', 'sql'],
  ['GraphQL', 'graphql', 'graphql'],
  ['YAML', 'yaml yml', 'yaml'],
  ['TOML', 'toml', 'ini'],
  ['INI', 'ini cfg dosini', 'ini'],
  ['Properties', 'properties jproperties', 'properties'],
  ['Docker', 'docker dockerfile', 'dockerfile'],
  ['Makefile', 'make makefile mf bsdmake', 'makefile'],
  ['CMake', 'cmake', 'cmake'],
  ['Terraform', 'terraform tf hcl'],
  ['Nix', 'nix nixos', 'nix'],
  ['Nginx configuration file', 'nginx', 'nginx'],
  ['ApacheConf', 'apache apacheconf aconf', 'apache'],
  ['Diff', 'diff udiff patch', 'diff'],
  ['Markdown', 'markdown md', 'markdown'],
  ['reStructuredText', 'restructuredtext rst rest'],
  ['TeX', 'tex latex', 'latex'],
  ['VimL', 'vim', 'vim'],
  ['Protocol Buffer', 'protobuf proto', 'protobuf'],
  ['HTTP', 'http', 'http'],
  ['Django/Jinja', 'django jinja', 'django'],
  ['Handlebars', 'handlebars', 'handlebars'],
  ['WebAssembly', 'wast wat', 'wasm'],
  ['GAS', 'gas asm', 'x86asm'],
  ['NASM', 'nasm', 'x86asm'],
  ['GLSL', 'glsl', 'glsl'],
  ['Text only', 'text'],
];

export interface CodeLanguage {
  /** What `data-code-language` says. */
  readonly canonical: string;
  /** The module of highlight.js, if the language can be coloured. */
  readonly highlighter?: string;
}

const byAlias = new Map<string, CodeLanguage>();
for (const [canonical, aliases, highlighter] of LANGUAGES) {
  const language: CodeLanguage = highlighter === undefined ? { canonical } : { canonical, highlighter };
  for (const alias of aliases.split(' ')) byAlias.set(alias, language);
}

/** The language a fence names; unknown ones keep the name they were given. */
export function codeLanguage(name: string): CodeLanguage {
  return byAlias.get(name.toLowerCase()) ?? { canonical: name };
}

/** All that can be coloured, by the modules of highlight.js. */
export const HIGHLIGHTERS: readonly string[] = [
  ...new Set(LANGUAGES.flatMap(([, , highlighter]) => highlighter ?? [])),
];
