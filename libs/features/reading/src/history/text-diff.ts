import { diffArrays } from 'diff/lib/diff/array.js';

/**
 * Maximum deleted and inserted lines, and deleted and inserted words. The time grows with the square of this number: a
 * few milliseconds for two unrelated texts of 10,000 characters.
 */
const EDITS_MAX = 400;

/** Remaining number of edits to search for. */
interface EditBudget {
  left: number;
}

const LINE_STARTS = /(?<=\n)/;
const WHITESPACE = /(\s+)/;

/** Kept text, or deleted text with the text inserted in its place. */
export type Change = { readonly kept: string } | { readonly deleted: string; readonly inserted: string };

/** `content_html_diff` of an edit: marks deleted and inserted text. */
export function htmlDiff(before: string, after: string): string {
  const html = changesBetween(before, after).map((change) =>
    'kept' in change ? escaped(change.kept) : marked(change.deleted, 'deleted') + marked(change.inserted, 'inserted'),
  );
  return `<div><p>${html.join('').replaceAll('\n', '<br>')}</p></div>`;
}

/**
 * Compares lines, then the words of lines that differ: an added paragraph costs as much as a line, not as its words.
 */
export function changesBetween(before: string, after: string): Change[] {
  const wordBudget = { left: EDITS_MAX };
  return compared(before.split(LINE_STARTS), after.split(LINE_STARTS), { left: EDITS_MAX }).flatMap((change) =>
    'kept' in change || change.deleted === '' || change.inserted === ''
      ? change
      : compared(wordsOf(change.deleted), wordsOf(change.inserted), wordBudget),
  );
}

/** Words and the whitespace between them. */
function wordsOf(text: string): string[] {
  return text.split(WHITESPACE).filter((word) => word !== '');
}

/** Changes between two lists of tokens; a single change between their common start and end when there are too many. */
function compared(before: string[], after: string[], budget: EditBudget): Change[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [
    { kept: after.slice(0, start).join('') },
    ...changesInside(before.slice(start, before.length - end), after.slice(start, after.length - end), budget),
    { kept: after.slice(after.length - end).join('') },
  ];
}

function changesInside(before: string[], after: string[], budget: EditBudget): Change[] {
  // Half of the rest, so that rewritten text leaves some for small changes further down.
  const maxEditLength = Math.ceil(budget.left / 2);
  const found = diffArrays(before, after, { maxEditLength });
  if (found === undefined) {
    budget.left -= maxEditLength;
    return [{ deleted: before.join(''), inserted: after.join('') }];
  }
  const changes: Change[] = [];
  let open = { deleted: '', inserted: '' };
  for (const { removed, added, value, count } of found) {
    const text = value.join('');
    const isEdit = removed || added;
    if (isEdit) budget.left -= count;
    const isReplaced = open.deleted !== '' && open.inserted !== '' && text.trim() === '';
    // Whitespace between two replaced words is replaced with them.
    if (isEdit || isReplaced) {
      if (!added) open.deleted += text;
      if (!removed) open.inserted += text;
    } else {
      changes.push(open, { kept: text });
      open = { deleted: '', inserted: '' };
    }
  }
  return [...changes, open];
}

function marked(text: string, mark: 'deleted' | 'inserted'): string {
  return text === '' ? '' : `<span class="highlight_text_${mark}">${escaped(text)}</span>`;
}

/** Escapes text for HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
