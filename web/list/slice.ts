/** Rows that are added or removed in one frame: what a browser lays out within 16 ms on a slow machine. */
export const STEP_ROWS = 16;
/** Rows in the document: enough for a tall screen, few enough that each layout is short. */
export const ROWS_MAX = 160;

/** A part of the rows, by their index: `from` is in it, `to` is not. */
export interface Slice {
  readonly from: number;
  readonly to: number;
}

/** What lies above and below the visible part, in pixels. */
export interface Margins {
  readonly above: number;
  readonly below: number;
  /** Height of the rows that a step would take away at either end. */
  readonly firstStep: number;
  readonly lastStep: number;
}

/**
 * The slice of the next frame: grows towards the side with less than is wanted, and shrinks at the other once the document is
 * full. Returns the same slice when nothing is to be done.
 * @param count number of rows that are loaded
 * @param wanted pixels that should lie on either side
 */
export function nextSlice(slice: Slice, count: number, margins: Margins, wanted: number): Slice {
  const { from, to } = slice;
  const { above, below, firstStep, lastStep } = margins;
  const isFull = to - from + STEP_ROWS > ROWS_MAX;
  const mayDropFirst = above - firstStep > Math.min(wanted, below + 1);
  const mayDropLast = below - lastStep > Math.min(wanted, above + 1);
  if (below < wanted && to < count && (!isFull || mayDropFirst))
    return { from: isFull ? from + STEP_ROWS : from, to: Math.min(count, to + STEP_ROWS) };
  if (above < wanted && from > 0 && (!isFull || mayDropLast))
    return { from: Math.max(0, from - STEP_ROWS), to: isFull ? to - STEP_ROWS : to };
  return slice;
}

type Rows = readonly { readonly order: number }[];

/** Index of the first row of an order, or of one behind it. */
export function indexOfOrder(rows: Rows, order: number): number {
  return firstIndex(rows, (other) => other >= order);
}

/** Index of the first row behind an order. */
export function indexAfterOrder(rows: Rows, order: number): number {
  return firstIndex(rows, (other) => other > order);
}

function firstIndex(rows: Rows, isFound: (order: number) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isFound(rows[middle]?.order ?? Infinity)) high = middle;
    else low = middle + 1;
  }
  return low;
}
