import type { MarkdownIt, StateBlock } from 'markdown-it';

const TAB = 9;
const BLANK = 32;
/** Blocks indented this much beyond the marker of an item belong to it. */
const ITEM_INDENT = 2;
/** A longer number is more often a year at the start of a line than a list marker. */
const NUMBERED = /^\d{1,3}[.)][ \t]+\S/;

/**
 * Lets items of ordered lists contain blocks that are indented by two blanks, like items of bullet lists: people write
 * `1. a`, then two blanks and `- b`. markdown-it requires the text of the item and its blocks to begin in the same
 * column, so when the first of them falls short of it, all are treated as shifted to the right. Indented code (four
 * blanks more) stays code.
 */
export function allowTwoBlankNesting(md: MarkdownIt): void {
  const tokenize = md.block.tokenize.bind(md.block);
  md.block.tokenize = (state, startLine, endLine) => {
    const item = state.tokens[state.tokens.length - 1];
    const isItem = state.parentType === 'list' && item?.type === 'list_item_open';
    if (isItem) {
      const marker = markerColumn(state, startLine, item.info.length + 1);
      if (marker !== undefined) indentChildren(state, startLine + 1, endLine, marker + ITEM_INDENT);
    }
    const wasItem = inItem.get(state) === true;
    inItem.set(state, isItem);
    tokenize(state, startLine, endLine);
    inItem.set(state, wasItem);
  };
  md.block.ruler.before('list', 'nested_list', nestedListRule, { alt: ['paragraph'] });
}

/** Whether the blocks of an item are being parsed, but not those of a quote in it. */
const inItem = new WeakMap<StateBlock, boolean>();

/**
 * Any number begins a list under the text of an item: after text, markdown-it requires 1, because it cannot distinguish
 * a list from a sentence. This rule ends the paragraph and leaves the list to the next rule.
 */
function nestedListRule(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  if (!silent || inItem.get(state) !== true || (state.sCount[startLine] ?? 0) < state.blkIndent) return false;
  return NUMBERED.test(
    state.src.slice((state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0), state.eMarks[startLine]),
  );
}

/** The column of the marker of an item when its parsing begins; `undefined` when tabs make it unknown. */
function markerColumn(state: StateBlock, line: number, markerLength: number): number | undefined {
  const content = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  let markerEnd = content;
  while (state.src.charCodeAt(markerEnd - 1) === BLANK) markerEnd--;
  if (state.src.charCodeAt(markerEnd - 1) === TAB) return undefined;
  const isEmpty = content >= (state.eMarks[line] ?? 0);
  const blanks = content - markerEnd;
  // Like the rule for lists: code in an item begins after one blank.
  return state.blkIndent - (isEmpty || blanks > 4 ? 1 : blanks) - markerLength;
}

/** Columns by which lines are treated as shifted to the right, by line. */
const shiftsByState = new WeakMap<StateBlock, Map<number, number>>();

function indentChildren(state: StateBlock, startLine: number, endLine: number, from: number): void {
  let shift = 0;
  for (let line = startLine; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    const column = state.sCount[line] ?? 0;
    if (column < from) return;
    shift = Math.max(shift, state.blkIndent - column);
    if (shift === 0) continue;
    const shifts = shiftsOf(state);
    shifts.set(line, (shifts.get(line) ?? 0) + shift);
    state.sCount[line] = column + shift;
  }
}

/**
 * From the first shift on, lines are read with less of their left margin removed, so that code keeps its indentation.
 */
function shiftsOf(state: StateBlock): Map<number, number> {
  const known = shiftsByState.get(state);
  if (known !== undefined) return known;
  const shifts = new Map<number, number>();
  shiftsByState.set(state, shifts);
  const getLines = state.getLines.bind(state);
  state.getLines = (begin, end, indent, keepLastLF) => {
    let text = '';
    for (let line = begin; line < end; line++) {
      const own = Math.max(0, indent - (shifts.get(line) ?? 0));
      text += getLines(line, line + 1, own, keepLastLF || line + 1 < end);
    }
    return text;
  };
  return shifts;
}
