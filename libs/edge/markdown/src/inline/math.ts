import { byteLength, escapeText, isDeeperThan } from '../html.js';
import { type Formulas, ports } from '../ports.js';
import type { Rendering } from '../rendering.js';

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

/**
 * `<span class="katex">…</span>` (in `katex-display` when `display`), or `undefined` for invalid or too expensive TeX.
 */
function typeset(formulas: Formulas, tex: string, display: boolean, rendering: Rendering): string | undefined {
  if (tex.length > FORMULA_LENGTH_LIMIT || DEFINITION.test(tex) || !rendering.spendMath(tex.length)) return undefined;
  try {
    const html = formulas.renderToString(tex, {
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
  return shown(`$$${tex}$$`, (formulas) => typeset(formulas, tex, false, rendering), rendering);
}

/** A formula on a line of its own, or its source. */
export function displayedHtml(tex: string, rendering: Rendering): string {
  return shown(`${tex}\n`, (formulas) => typeset(formulas, tex, true, rendering), rendering);
}

/** HTML of a formula, or its source: marked as an error, or without markup once the message has all the HTML it may have. */
function shown(source: string, typesetIt: (formulas: Formulas) => string | undefined, rendering: Rendering): string {
  const formulas = rendering.showsMath ? ports().formulas() : undefined;
  if (formulas === undefined) return escapeText(source);
  const html = typesetIt(formulas) ?? errorHtml(source.trimEnd());
  return rendering.spendMathBytes(byteLength(html)) ? html : escapeText(source);
}

function errorHtml(source: string): string {
  return `<span class="tex-error">${escapeText(source)}</span>`;
}
