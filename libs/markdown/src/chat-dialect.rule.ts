import type { StateBlock, StateCore, StateInline, Token } from 'markdown-it';

/*
 * Where people in a chat mean something else than CommonMark reads.
 */

const TILDE = 126;
const BACKTICK = 96;
const STRUCK = /~~(?!~)([^~\n]+)~~(?!~)/y;
const CODE = /(`{1,10})( [^`\n]* )\1(?!`)/y;

/** `~~ a ~~` is struck out as well, with its blanks; what has none at either end is left to the rule behind this one. */
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

/** Code keeps the blanks that it was written with. */
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

/** A `>` alone quotes nothing: it is what somebody said. */
export function loneQuoteRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  if (
    lineText(state, startLine) !== '>' ||
    (startLine + 1 < endLine && lineText(state, startLine + 1).startsWith('>'))
  ) {
    return false;
  }
  state.line = startLine + 1;
  const map: [number, number] = [startLine, state.line];
  state.push('paragraph_open', 'p', 1).map = map;
  const content = state.push('inline', '', 0);
  content.content = '>';
  content.map = map;
  content.children = [];
  state.push('paragraph_close', 'p', -1);
  return true;
}

function lineText({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
  return src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]).trim();
}

/** Items of one list may begin with different bullets, unless an empty line is between them. */
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
