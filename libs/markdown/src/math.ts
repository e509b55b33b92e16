import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { escapeText, isDeeperThan } from './html.js';
import type { Rendering } from './rendering.js';

interface Katex {
  renderToString(tex: string, options: Readonly<Record<string, unknown>>): string;
}

/** Longer formulas are shown as source: typesetting time grows faster than length for deep nesting. */
const FORMULA_LENGTH_LIMIT = 1_000;
/** Sizes above this, in em, are cut: a formula must not cover the page. */
const SIZE_LIMIT_EM = 20;
/** A fraction within a fraction takes about ten elements around each other. */
const DEPTH_LIMIT = 150;
/** Macro expansions of one formula: what the library defines by macros uses some for each symbol. */
const EXPANSIONS_LIMIT = 500;
/** Formulas that define macros are shown as source: a few of them write more than any limit on the length of the source allows. */
const DEFINITION = /\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand)(?![A-Za-z@])/;

let katex: Katex | undefined;

/**
 * KaTeX is loaded with the first formula: most servers start without one. It writes characters that it has no measures for to the
 * console, where what people write to each other has no place, so it gets one of its own.
 */
function loadKatex(): Katex {
  if (katex !== undefined) return katex;
  const filename = createRequire(import.meta.url).resolve('katex');
  const module: { exports: unknown } = { exports: {} };
  const silent = { warn: () => undefined, error: () => undefined };
  const run = compileFunction(readFileSync(filename, 'utf8'), ['module', 'exports', 'console'], { filename });
  (run as (...parameters: readonly unknown[]) => void)(module, module.exports, silent);
  katex = module.exports as Katex;
  return katex;
}

/** `<span class="katex">…</span>` (in `katex-display` when `display`), or `undefined` when the source is no valid or too costly TeX. */
function typeset(tex: string, display: boolean, rendering: Rendering): string | undefined {
  if (tex.length > FORMULA_LENGTH_LIMIT || DEFINITION.test(tex) || !rendering.spendMath(tex.length)) return undefined;
  try {
    const html = loadKatex().renderToString(tex, {
      displayMode: display,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxSize: SIZE_LIMIT_EM,
      maxExpand: EXPANSIONS_LIMIT,
    });
    return isDeeperThan(html, DEPTH_LIMIT) ? undefined : html;
  } catch {
    // Wrong TeX is an ordinary thing to write: the reader sees the source.
    return undefined;
  }
}

/** A formula in a line, or its source. */
export function inlineHtml(tex: string, rendering: Rendering): string {
  return typeset(tex, false, rendering) ?? errorHtml(`$$${tex}$$`);
}

/** A formula on a line of its own, or its source. */
export function displayedHtml(tex: string, rendering: Rendering): string {
  return typeset(tex, true, rendering) ?? errorHtml(tex);
}

function errorHtml(source: string): string {
  return `<span class="tex-error">${escapeText(source)}</span>`;
}
