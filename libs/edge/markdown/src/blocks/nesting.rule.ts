import type { StateBlock, Token } from 'markdown-it';

/** Quotes, lists and spoilers nested deeper are shown as their source. Clients parse HTML recursively. */
const BLOCK_DEPTH_LIMIT = 20;
/** Maximum nesting of emphasis, links and strike-through within a paragraph. */
const INLINE_DEPTH_LIMIT = 12;
/** Wider tables stay text. */
const TABLE_COLUMNS_LIMIT = 60;
/**
 * Tables with more cells stay text. Missing cells are filled in, which would multiply the width by the number of lines.
 */
const TABLE_CELLS_LIMIT = 5_000;
const TABLE_DELIMITER = /^[-:|\s]+$/;

/** Makes a paragraph up to the next empty line of everything that would nest too deep. */
export function deepBlockRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.level < BLOCK_DEPTH_LIMIT) return false;
  if (silent) return true;
  pushParagraph(state, startLine, endLine);
  return true;
}

/** Makes a paragraph of a too large table. */
export function largeTableRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent) return false;
  const columns = columnsIn(lineOf(state, startLine));
  if (columns <= TABLE_COLUMNS_LIMIT && !hasManyCells(state, startLine, endLine, columns)) return false;
  pushParagraph(state, startLine, endLine);
  return true;
}

function lineOf({ src, bMarks, eMarks }: StateBlock, line: number): string {
  return src.slice(bMarks[line], eMarks[line]).trim();
}

function columnsIn(line: string): number {
  let columns = 1;
  for (let at = line.indexOf('|', 1); at >= 0 && at < line.length - 1; at = line.indexOf('|', at + 1)) columns++;
  return columns;
}

function hasManyCells(state: StateBlock, startLine: number, endLine: number, columns: number): boolean {
  const below = startLine + 1;
  if (below >= endLine || !TABLE_DELIMITER.test(lineOf(state, below))) return false;
  const linesLimit = Math.ceil(TABLE_CELLS_LIMIT / columns);
  return firstEmpty(state, below, Math.min(endLine, below + linesLimit + 1)) - below > linesLimit;
}

/** Lines that are known not to be empty, by nesting level of the parser: at another level lines may end elsewhere. */
const knownLines = new WeakMap<StateBlock, Map<number, { readonly from: number; readonly to: number }>>();

/** The first empty line, or `until`. Each line is examined once, however many lines above it could begin a table. */
function firstEmpty(state: StateBlock, from: number, until: number): number {
  const byLevel = knownLines.get(state) ?? new Map<number, { readonly from: number; readonly to: number }>();
  knownLines.set(state, byLevel);
  const known = byLevel.get(state.level);
  const isKnown = known !== undefined && from >= known.from && from <= known.to;
  let line = isKnown ? known.to : from;
  while (line < until && !state.isEmpty(line)) line++;
  byLevel.set(state.level, { from: isKnown ? known.from : from, to: line });
  return Math.min(line, until);
}

function pushParagraph(state: StateBlock, startLine: number, endLine: number): void {
  let line = startLine + 1;
  while (line < endLine && !state.isEmpty(line)) line++;
  state.line = line;
  const map: [number, number] = [startLine, line];
  state.push('paragraph_open', 'p', 1).map = map;
  const content = state.push('inline', '', 0);
  content.content = state.getLines(startLine, line, state.blkIndent, false).trim();
  content.map = map;
  content.children = [];
  state.push('paragraph_close', 'p', -1);
}

/**
 * Drops the tags of emphasis and the like beyond the depth limit, and puts `<strong>` around `<em>` where both begin
 * and end together: `***x***` is strong emphasis with `<strong>` outside for all clients. The parser has paired opening
 * and closing tokens.
 */
export function tidyNesting(tokens: Token[]): void {
  const open: { readonly at: number; readonly hidden: boolean }[] = [];
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined || token.nesting === 0) continue;
    if (token.nesting === 1) {
      const hidden = depth >= INLINE_DEPTH_LIMIT;
      open.push({ at, hidden });
      if (hidden) token.hidden = true;
      else depth++;
      continue;
    }
    const opening = open.pop();
    if (opening === undefined) continue;
    if (opening.hidden) {
      token.hidden = true;
      continue;
    }
    depth--;
    if (token.type === 'em_close') strongOutside(tokens, opening.at, at);
  }
}

/** Swaps the tags of `<em><strong>…</strong></em>`, given the indexes of the outer pair. */
function strongOutside(tokens: Token[], emOpen: number, emClose: number): void {
  const strongOpen = nextVisible(tokens, emOpen, 1);
  const strongClose = nextVisible(tokens, emClose, -1);
  if (tokens[strongOpen]?.type !== 'strong_open' || tokens[strongClose]?.type !== 'strong_close') return;
  // `*__x__ y __z__*` has the same neighbours; there the first strong ends before the last begins.
  for (let at = strongOpen + 1, depth = 1; at < strongClose; at++) {
    depth += tokens[at]?.nesting ?? 0;
    if (depth === 0) return;
  }
  swap(tokens, emOpen, strongOpen);
  swap(tokens, emClose, strongClose);
}

/** Index of the next token other than empty text, which the parser leaves when it joins two markers. */
function nextVisible(tokens: readonly Token[], from: number, step: 1 | -1): number {
  let at = from + step;
  while (tokens[at]?.type === 'text' && tokens[at]?.content === '') at += step;
  return at;
}

function swap(tokens: Token[], a: number, b: number): void {
  const [first, second] = [tokens[a], tokens[b]];
  if (first === undefined || second === undefined) return;
  tokens[a] = second;
  tokens[b] = first;
}
