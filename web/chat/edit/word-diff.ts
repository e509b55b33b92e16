/** What is put in and taken out between two texts, word by word. */

export interface Part {
  readonly kind: 'same' | 'insert' | 'delete';
  readonly text: string;
}

/** Cells of the table that is filled; what is larger is shown as replaced. Takes some 10 ms. */
const CELLS_MAX = 1_000_000;

export function wordDiff(before: string, after: string): readonly Part[] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const parts: Part[] = [];
  const put = (kind: Part['kind'], text: string): void => {
    const last = parts.at(-1);
    if (text === '') return;
    if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + text };
    else parts.push({ kind, text });
  };
  put('same', a.slice(0, start).join(''));
  for (const { kind, text } of between(left, right)) put(kind, text);
  put('same', a.slice(a.length - end).join(''));
  return parts;
}

/** Words, and what is between them. */
const wordsOf = (text: string): readonly string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

/** By the longest common subsequence. */
function* between(a: readonly string[], b: readonly string[]): Generator<Part> {
  const width = b.length + 1;
  if ((a.length + 1) * width > CELLS_MAX) {
    yield { kind: 'delete', text: a.join('') };
    yield { kind: 'insert', text: b.join('') };
    return;
  }
  /** Length of the longest common subsequence of what follows, by row and column. */
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = a.length - 1; row >= 0; row--)
    for (let column = b.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        a[row] === b[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  let [row, column] = [0, 0];
  while (row < a.length || column < b.length) {
    if (row < a.length && column < b.length && a[row] === b[column]) {
      yield { kind: 'same', text: a[row] ?? '' };
      row++;
      column++;
    } else if (column >= b.length || (row < a.length && at(row + 1, column) >= at(row, column + 1)))
      yield { kind: 'delete', text: a[row++] ?? '' };
    else yield { kind: 'insert', text: b[column++] ?? '' };
  }
}
