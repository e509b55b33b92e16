import type { StateInline } from 'markdown-it';
import { inlineHtml } from './math.js';
import { pushHtml } from '../own-html.js';
import { renderingOf } from '../rendering.js';

const DOLLAR = 36;
/**
 * `$$x$$` on one line, not inside a word or a longer run of dollars. Two characters of a backslash escape count as one. A formula
 * does not begin with an underscore: `$$_$$` is text.
 */
const INLINE = /\$\$(?![\n$_])((?:\\\$|[^$\n])+)\$\$(?![\w$])/y;

export function mathRule(state: StateInline, silent: boolean): boolean {
  const start = state.pos;
  if (state.src.charCodeAt(start) !== DOLLAR || (start > 0 && /[\w$]/.test(state.src.charAt(start - 1)))) return false;
  INLINE.lastIndex = start;
  const match = INLINE.exec(state.src);
  if (match === null || INLINE.lastIndex > state.posMax) return false;
  if (!silent) {
    pushHtml(state, inlineHtml(match[1] ?? '', renderingOf(state.env)));
  }
  state.pos = start + match[0].length;
  return true;
}
