/** Text made safe for HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Words and the blanks between them. */
function wordsOf(text: string): readonly string[] {
  return text.split(/(\s+)/).filter((word) => word !== '');
}

function marked(words: readonly string[], mark: 'deleted' | 'inserted'): string {
  return words.length === 0 ? '' : `<span class="highlight_text_${mark}">${escaped(words.join(''))}</span>`;
}

/**
 * `content_html_diff` of an edit: what both texts begin and end with stays, and what lies between is marked as deleted
 * and as inserted. It takes time in proportion to the texts, whatever they are.
 */
export function htmlDiff(before: string, after: string): string {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const kept = (words: readonly string[]): string => escaped(words.join(''));
  return [
    '<div><p>',
    kept(now.slice(0, start)),
    marked(old.slice(start, old.length - end), 'deleted'),
    marked(now.slice(start, now.length - end), 'inserted'),
    kept(now.slice(now.length - end)),
    '</p></div>',
  ]
    .join('')
    .replaceAll('\n', '<br>');
}
