import type { StateBlock, StateCore, StateInline, Token } from 'markdown-it';
import { opensFence } from './fence.rule.js';

/** Deviations from CommonMark that are usual in chat. */

const TILDE = 126;
const BACKTICK = 96;
const STRUCK = /~~(?!~)([^~\n]+)~~(?!~)/y;
const CODE = /(`{1,10})( [^`\n]* )\1(?!`)/y;

/** `~~ a ~~` is struck out as well, with its blanks; text without blanks at both ends is left to the next rule. */
export function struckRule(state: StateInline, silent: boolean): boolean {
  const { pos: start, src, posMax } = state;
  if (src.charCodeAt(start) !== TILDE || src.charCodeAt(start - 1) === TILDE) return false;
  STRUCK.lastIndex = start;
  const text = STRUCK.exec(src)?.[1] ?? '';
  const end = STRUCK.lastIndex;
  if (text.trim() === '' || text.trim() === text || end > posMax) return false;
  if (!silent) {
    state.pos = start + 2;
    state.posMax = end - 2;
    state.push('s_open', 's', 1).markup = '~~';
    state.md.inline.tokenize(state);
    state.push('s_close', 's', -1).markup = '~~';
    state.posMax = posMax;
  }
  state.pos = end;
  return true;
}

/** Three tildes and more are no mark: `~~~~text~~~~` is no text struck out twice. */
export function tildesRule(state: StateInline, silent: boolean): boolean {
  const { pos: start, src, posMax } = state;
  let end = start;
  while (end < posMax && src.charCodeAt(end) === TILDE) end++;
  if (end - start < 3) return false;
  if (!silent) state.pending += src.slice(start, end);
  state.pos = end;
  return true;
}

/** Code keeps the blanks at its ends. */
export function blankCodeRule(state: StateInline, silent: boolean): boolean {
  const { pos: start, src, posMax } = state;
  if (src.charCodeAt(start) !== BACKTICK) return false;
  CODE.lastIndex = start;
  const [, marker = '', content = ''] = CODE.exec(src) ?? [];
  const end = CODE.lastIndex;
  if (content.trim() === '' || end > posMax) return false;
  if (!silent) {
    const code = state.push('code_inline', 'code', 0);
    code.markup = marker;
    code.content = content;
  }
  state.pos = end;
  return true;
}

/** Lines with only `>` quote the text right after them; without text they are literal. */
export function loneQuoteRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  let line = startLine;
  while (line < endLine && lineText(state, line) === '>') line++;
  if (line === startLine) return false;
  const behind = line < endLine && (state.sCount[line] ?? 0) >= state.blkIndent ? lineText(state, line) : '';
  if (behind.startsWith('>')) return false;
  if (behind === '' || opensFence(behind)) pushLoneMarkers(state, startLine, line);
  else pushQuote(state, startLine, line, endLine);
  return true;
}

function pushLoneMarkers(state: StateBlock, startLine: number, end: number): void {
  state.line = end;
  const map: [number, number] = [startLine, end];
  state.push('paragraph_open', 'p', 1).map = map;
  const content = state.push('inline', '', 0);
  content.content = Array<string>(end - startLine)
    .fill('>')
    .join('\n');
  content.map = map;
  content.children = [];
  state.push('paragraph_close', 'p', -1);
}

/** Quotes the lines from `textLine` to the next empty one, or to the end of the surrounding list item. */
function pushQuote(state: StateBlock, startLine: number, textLine: number, endLine: number): void {
  let end = textLine;
  while (end < endLine && !state.isEmpty(end) && (state.sCount[end] ?? 0) >= state.blkIndent) end++;
  const { parentType, lineMax } = state;
  state.parentType = 'blockquote';
  state.lineMax = end;
  state.push('blockquote_open', 'blockquote', 1).map = [startLine, end];
  state.md.block.tokenize(state, textLine, end);
  state.push('blockquote_close', 'blockquote', -1);
  state.parentType = parentType;
  state.lineMax = lineMax;
  state.line = end;
}

/** Limits bold, italics and strike-through to one line: markers on different lines do not match. */
export function emphasisWithinLineRule(state: StateInline): boolean {
  const breaks = state.tokens.flatMap(({ type }, at) => (type === 'softbreak' || type === 'hardbreak' ? [at] : []));
  if (breaks.length === 0) return false;
  for (const meta of [...state.tokens_meta]) {
    if (meta?.delimiters) meta.delimiters = lastLine(state, meta.delimiters, breaks);
  }
  state.delimiters = lastLine(state, state.delimiters, breaks);
  return false;
}

/** Markers of the last line; those of each earlier line become a separate list, which the parser pairs by itself. */
function lastLine(state: StateInline, markers: StateInline['delimiters'], breaks: readonly number[]): typeof markers {
  let current: typeof markers = [];
  let next = 0;
  for (const marker of markers) {
    const first = next;
    while ((breaks[next] ?? Infinity) < marker.token) next++;
    if (next > first && current.length > 0) {
      state.tokens_meta.push({ delimiters: current });
      current = [];
    }
    current.push(marker);
  }
  return current;
}

function lineText({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
  return src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]).trim();
}

/** Items of one list may have different bullets, unless an empty line separates them. */
export function mixedBulletsRule(state: StateCore): void {
  const { tokens } = state;
  let lines: string[] | undefined;
  const kept: Token[] = [];
  for (const token of tokens) {
    const before = kept[kept.length - 1];
    if (token.type === 'bullet_list_open' && before?.type === 'bullet_list_close') {
      lines ??= state.src.split('\n');
      if (isRightBehind(lines, token)) {
        kept.pop();
        continue;
      }
    }
    kept.push(token);
  }
  if (kept.length < tokens.length) state.tokens = kept;
}

function isRightBehind(lines: readonly string[], list: Token): boolean {
  const before = lines[(list.map?.[0] ?? 0) - 1] ?? '';
  return before.replace(/^[\s>]*/, '') !== '';
}
