import { codeLanguage } from './code-languages.js';
import { highlighterFor } from './highlighters.js';
import { byteLength, escapeCode, isDeeperThan, openTag } from '../html.js';
import { ports } from '../ports.js';
import type { Rendering } from '../rendering.js';

/** A longer line is data, not code, and is not highlighted: grammars look ahead to the end of the line. */
const LINE_LENGTH_LIMIT = 400;
/** Grammars nest as deep as the brackets in the code. */
const DEPTH_LIMIT = 20;

/** highlight.js scopes by the short classes of Pygments, which clients' style sheets use. */
const CLASSES: Readonly<Record<string, string>> = {
  keyword: 'k',
  built_in: 'nb',
  type: 'kt',
  literal: 'kc',
  number: 'm',
  operator: 'o',
  punctuation: 'p',
  property: 'na',
  regexp: 'sr',
  string: 's',
  char: 'sc',
  subst: 'si',
  symbol: 'ss',
  class: 'nc',
  function: 'nf',
  variable: 'nv',
  title: 'nf',
  params: 'n',
  comment: 'c',
  doctag: 'cs',
  meta: 'cp',
  section: 'gh',
  tag: 'nt',
  name: 'nt',
  attr: 'na',
  attribute: 'na',
  bullet: 'k',
  code: 's',
  emphasis: 'ge',
  strong: 'gs',
  formula: 's',
  link: 's',
  quote: 'c',
  addition: 'gi',
  deletion: 'gd',
  'selector-tag': 'nt',
  'selector-id': 'nf',
  'selector-class': 'nc',
  'selector-attr': 'na',
  'selector-pseudo': 'nd',
  'template-tag': 'cp',
  'template-variable': 'nv',
};
const OTHER = 'n';

/** The library escapes its input, so a literal `<span class=` is its own, as is its entity of a quote. */
const SCOPE = /<span class="(?:hljs-)?([a-z_-]*)[^"]*">/g;

const QUOTE = /&#x27;/g;

const EMPTY_LINES_AROUND = /^\n+|\n+$/g;

/**
 * `<div class="codehilite" data-code-language="Python"><pre><span></span><code>…</code></pre></div>`; `name` as
 * written, or "". Empty lines before and after the code are left out, and blanks at the end of a line.
 */
export function codeBlockHtml(source: string, name: string, rendering: Rendering): string {
  const lines = source.split('\n').map((line) => line.trimEnd());
  const code = `${lines.join('\n').replace(EMPTY_LINES_AROUND, '')}\n`;
  const language = name === '' ? undefined : codeLanguage(name);
  const open = openTag('div', { class: 'codehilite', 'data-code-language': language?.canonical });
  const inner = (language?.highlighter && highlighted(code, language.highlighter, rendering)) ?? escapeCode(code);
  return `${open}<pre><span></span><code>${inner}</code></pre></div>`;
}

function highlighted(code: string, language: string, rendering: Rendering): string | undefined {
  if (!ports().colours(language)) return undefined;
  if (!rendering.spendHighlight(code.length) || code.split('\n').some((line) => line.length > LINE_LENGTH_LIMIT))
    return undefined;
  const { value } = highlighterFor(language).highlight(code, { language, ignoreIllegals: true });
  if (isDeeperThan(value, DEPTH_LIMIT)) return undefined;
  const html = value
    .replace(SCOPE, (_, scope: string) => `<span class="${CLASSES[scope] ?? OTHER}">`)
    .replace(QUOTE, escapeCode("'"));
  return rendering.spendHtml(byteLength(html)) ? html : undefined;
}
