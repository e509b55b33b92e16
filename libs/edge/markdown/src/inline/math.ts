import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { escapeText, isDeeperThan } from '../html.js';
import type { Rendering } from '../rendering.js';

interface Katex {
  renderToString(tex: string, options: Readonly<Record<string, unknown>>): string;
}

/** Longer formulas are shown as source: typesetting time grows faster than length for deep nesting. */
const FORMULA_LENGTH_LIMIT = 1_000;
/** Sizes above this, in em, are reduced: a formula must not cover the page. */
const SIZE_LIMIT_EM = 20;
/** Each nested fraction takes about ten nested elements. */
const DEPTH_LIMIT = 150;
/** Macro expansions of one formula: the library's own macros use some for each symbol. */
const EXPANSIONS_LIMIT = 500;
/**
 * Formulas that define macros are shown as source: a short definition can expand beyond any limit on the source's
 * length.
 */
const DEFINITION = /\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand)(?![A-Za-z@])/;

let katex: Katex | undefined;

/** Whether the content may have a formula, and the first formula of the process takes long: `loadFormulas` does that part. */
export function awaitsFormulas(content: string): boolean {
  return katex === undefined && /\$\$|math/i.test(content);
}

/**
 * KaTeX is loaded for the first formula, since most servers have none at the start; it takes some 50 ms. It writes
 * characters without metrics to the console, where user content must not appear, so it gets a silent console.
 */
export function loadFormulas(): Katex {
  if (katex !== undefined) return katex;
  const filename = createRequire(import.meta.url).resolve('katex');
  const module: { exports: unknown } = { exports: {} };
  const silent = { warn: () => undefined, error: () => undefined };
  const run = compileFunction(readFileSync(filename, 'utf8'), ['module', 'exports', 'console'], { filename });
  (run as (...parameters: readonly unknown[]) => void)(module, module.exports, silent);
  katex = module.exports as Katex;
  return katex;
}

/**
 * `<span class="katex">…</span>` (in `katex-display` when `display`), or `undefined` for invalid or too expensive TeX.
 */
function typeset(tex: string, display: boolean, rendering: Rendering): string | undefined {
  if (tex.length > FORMULA_LENGTH_LIMIT || DEFINITION.test(tex) || !rendering.spendMath(tex.length)) return undefined;
  try {
    const html = loadFormulas().renderToString(tex, {
      displayMode: display,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxSize: SIZE_LIMIT_EM,
      maxExpand: EXPANSIONS_LIMIT,
    });
    return isDeeperThan(html, DEPTH_LIMIT) ? undefined : html;
  } catch {
    // Invalid TeX is common: the reader sees the source.
    return undefined;
  }
}

/** A formula in a line, or its source. */
export function inlineHtml(tex: string, rendering: Rendering): string {
  return shown(`$$${tex}$$`, () => typeset(tex, false, rendering), rendering);
}

/** A formula on a line of its own, or its source. */
export function displayedHtml(tex: string, rendering: Rendering): string {
  return shown(`${tex}\n`, () => typeset(tex, true, rendering), rendering);
}

/** HTML of a formula, or its source: marked as an error, or without markup once the message has all the HTML it may have. */
function shown(source: string, typesetIt: () => string | undefined, rendering: Rendering): string {
  if (!rendering.showsMath) return escapeText(source);
  const html = typesetIt() ?? errorHtml(source.trimEnd());
  return rendering.spendMathBytes(Buffer.byteLength(html)) ? html : escapeText(source);
}

function errorHtml(source: string): string {
  return `<span class="tex-error">${escapeText(source)}</span>`;
}
