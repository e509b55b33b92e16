import { wordsInHtml } from './words.js';

const BEGIN = '<span class="highlight">';
const END = '</span>';

/** The HTML with every occurrence of these words wrapped (endpoints.md §3, `match_content`). Tags and entities stay as they are. */
export function highlighted(html: string, words: ReadonlySet<string>): string {
  let text = '';
  let copied = 0;
  for (const { word, start, end } of wordsInHtml(html)) {
    if (word === '' || !words.has(word)) continue;
    text += html.slice(copied, start) + BEGIN + html.slice(start, end) + END;
    copied = end;
  }
  return text + html.slice(copied);
}
