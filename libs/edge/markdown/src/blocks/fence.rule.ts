import type { StateBlock } from 'markdown-it';
import { displayedHtml } from '../inline/math.js';
import { pushBlockHtml } from '../own-html.js';
import { renderingOf } from '../rendering.js';

const MARKER = /^(?:`{3,}|~{3,})/;
/** A formula contains no empty line: text after it is another formula. */
const BETWEEN_FORMULAS = /\n(?:[ \t]*\n)+/;
const CONTAINERS = new Set(['quote', 'spoiler']);

type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

interface Fence {
  readonly marker: string;
  readonly kind: string;
  readonly title: string;
}

/**
 * ```` ```quote ````, ```` ```spoiler Title ```` and ```` ```math ````. Other fences are code, and left to the next
 * rule.
 */
export function fenceRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const fence = openingFence(lineText(state, startLine));
  if (fence === undefined || !(CONTAINERS.has(fence.kind) || fence.kind === 'math')) return false;
  if (silent) return true;
  if (fence.kind === 'math') mathBlock(state, fence, startLine, endLine);
  else containerBlock(state, fence, startLine, endLine);
  return true;
}

function lineText(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}

/** Whether the line, without its indentation, opens a fence. */
export function opensFence(line: string): boolean {
  return openingFence(line) !== undefined;
}

/** The parser's rule for code fences, limited to lines that open a fence here. */
export function codeFenceRule(parserRule: BlockRule): BlockRule {
  return (state, startLine, endLine, silent) =>
    opensFence(lineText(state, startLine)) && parserRule(state, startLine, endLine, silent);
}

/**
 * An opening fence: three or more backticks or tildes, a word, and for spoilers a title, without further backticks or
 * tildes.
 */
function openingFence(line: string): Fence | undefined {
  const [marker] = MARKER.exec(line) ?? [];
  if (marker === undefined || /[`~]/.test(line.slice(marker.length))) return undefined;
  const info = line.slice(marker.length).trim();
  const blank = info.search(/\s/);
  const kind = blank < 0 ? info : info.slice(0, blank);
  return { marker, kind: kind.toLowerCase(), title: info.slice(kind.length).trim() };
}

/** Whether the line is outside the list item or quote of the fence. */
function isOutside(state: StateBlock, line: number): boolean {
  return (state.sCount[line] ?? 0) < state.blkIndent && !state.isEmpty(line);
}

function mathBlock(state: StateBlock, fence: Fence, startLine: number, endLine: number): void {
  let line = startLine + 1;
  while (line < endLine && !isOutside(state, line) && lineText(state, line).trimEnd() !== fence.marker) line++;
  const closed = line < endLine && !isOutside(state, line);
  const tex = state.getLines(startLine + 1, line, state.sCount[startLine] ?? 0, false).trim();
  state.line = closed ? line + 1 : line;
  const formulas = tex.split(BETWEEN_FORMULAS).map((one) => displayedHtml(one, renderingOf(state.env)));
  pushBlockHtml(state, `<p>${formulas.join('')}</p>`, [startLine, state.line]);
}

/**
 * The line of the fence that closes the container opened at `startLine`, or the end of the surrounding block. Fences
 * nest: a closing line belongs to the innermost one, and inside code only its own fence counts.
 */
function closingLine(state: StateBlock, outer: Fence, startLine: number, endLine: number): number {
  const open = [outer];
  for (let line = startLine + 1; line < endLine; line++) {
    if (isOutside(state, line)) return line;
    const text = lineText(state, line);
    const innermost = open[open.length - 1];
    if (innermost === undefined || text.trimEnd() === innermost.marker) {
      open.pop();
      if (open.length === 0) return line;
    } else if (CONTAINERS.has(innermost.kind)) {
      const nested = openingFence(text);
      if (nested !== undefined) open.push(nested);
    }
  }
  return endLine;
}

function containerBlock(state: StateBlock, fence: Fence, startLine: number, endLine: number): void {
  const end = closingLine(state, fence, startLine, endLine);
  const closed = end < endLine && !isOutside(state, end);
  const oldParentType = state.parentType;
  const oldLineMax = state.lineMax;
  // Quotes and spoilers do not take part in the rules for lists, so markdown-it need not distinguish them.
  state.parentType = 'blockquote';
  state.lineMax = end;
  if (fence.kind === 'quote') {
    state.push('blockquote_open', 'blockquote', 1).map = [startLine, end];
    state.md.block.tokenize(state, startLine + 1, end);
    state.push('blockquote_close', 'blockquote', -1);
  } else {
    spoilerOpen(state, fence.title, [startLine, end]);
    state.md.block.tokenize(state, startLine + 1, end);
    state.push('spoiler_close', 'div', -1);
  }
  state.parentType = oldParentType;
  state.lineMax = oldLineMax;
  state.line = closed ? end + 1 : end;
}

function spoilerOpen(state: StateBlock, title: string, lines: [number, number]): void {
  state.push('spoiler_open', 'div', 1).map = lines;
  if (title !== '') {
    state.push('paragraph_open', 'p', 1).map = [lines[0], lines[0] + 1];
    const heading = state.push('inline', '', 0);
    heading.content = title;
    heading.map = [lines[0], lines[0] + 1];
    heading.children = [];
    state.push('paragraph_close', 'p', -1);
  }
  state.push('spoiler_body', '', 0);
}
