/** Text made safe for HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

type Words = readonly string[];

/** Words and the blanks between them. */
function wordsOf(text: string): Words {
  return text.split(/(\s+)/).filter((word) => word !== '');
}

/** A stretch of both texts: the same in both, or one in place of the other. */
type Stretch = { readonly kept: Words } | { readonly deleted: Words; readonly inserted: Words };

/** How often what lies between is looked into again: each look takes time in proportion to the texts. */
const DEPTH_MAX = 12;

/**
 * What both texts begin and end with stays; between that, so do words that each has once and in the same order, and so on
 * between those. It takes time in proportion to the texts, whatever they are, and reads as people edit.
 */
function compare(old: Words, now: Words, depth = 0): Stretch[] {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const before = old.slice(start, old.length - end);
  const after = now.slice(start, now.length - end);
  const between: Stretch[] = [];
  const anchors = depth < DEPTH_MAX ? anchorsOf(before, after) : [];
  let [oldAt, nowAt] = [0, 0];
  for (const [oldIndex, nowIndex] of anchors) {
    between.push(...compare(before.slice(oldAt, oldIndex), after.slice(nowAt, nowIndex), depth + 1));
    between.push({ kept: after.slice(nowIndex, nowIndex + 1) });
    [oldAt, nowAt] = [oldIndex + 1, nowIndex + 1];
  }
  const [deleted, inserted] = [before.slice(oldAt), after.slice(nowAt)];
  if (anchors.length > 0) between.push(...compare(deleted, inserted, depth + 1));
  else if (deleted.length > 0 || inserted.length > 0) between.push({ deleted, inserted });
  return [{ kept: now.slice(0, start) }, ...between, { kept: now.slice(now.length - end) }];
}

/** Where words stand that each text has once: as many of them as stand in the same order in both. */
function anchorsOf(old: Words, now: Words): [oldIndex: number, nowIndex: number][] {
  const places = new Map<string, number>();
  for (const [index, word] of now.entries()) places.set(word, places.has(word) ? -1 : index);
  const counts = new Map<string, number>();
  for (const word of old) counts.set(word, (counts.get(word) ?? 0) + 1);
  const common: [number, number][] = [];
  for (const [oldIndex, word] of old.entries()) {
    const nowIndex = places.get(word) ?? -1;
    if (nowIndex >= 0 && counts.get(word) === 1 && word.trim() !== '') common.push([oldIndex, nowIndex]);
  }
  return longestAscending(common);
}

/** The longest part in which the second numbers ascend, too (patience sorting). */
function longestAscending(pairs: readonly [number, number][]): [number, number][] {
  const tops: number[] = [];
  const before: number[] = [];
  for (const [index, [, value]] of pairs.entries()) {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[index] = tops[low - 1] ?? -1;
    tops[low] = index;
  }
  const longest: [number, number][] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) longest.push(pair);
  }
  return longest.reverse();
}

function marked(words: Words, mark: 'deleted' | 'inserted'): string {
  return words.length === 0 ? '' : `<span class="highlight_text_${mark}">${escaped(words.join(''))}</span>`;
}

/** `content_html_diff` of an edit: what was taken out and what was put in, marked in what stayed. */
export function htmlDiff(before: string, after: string): string {
  const text = compare(wordsOf(before), wordsOf(after))
    .map((stretch) =>
      'kept' in stretch
        ? escaped(stretch.kept.join(''))
        : marked(stretch.deleted, 'deleted') + marked(stretch.inserted, 'inserted'),
    )
    .join('');
  return `<div><p>${text.replaceAll('\n', '<br>')}</p></div>`;
}
